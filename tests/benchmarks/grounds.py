"""Where benchmarks run: real databases with the durability that users have.

And their bare driver beside them: the ceiling of whatever is built upon it.
"""

from __future__ import annotations

import atexit
import itertools
import sqlite3
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import psycopg2
from sqlalchemy import Engine, event

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.database.migrate import upgrade
from morningdeck.store.database.sqlite import PRAGMAS
from morningdeck.store.queue.stages import STAGES
from morningdeck.store.queue.statements import claiming
from morningdeck.work import Stage
from tests.servers.postgresql import PostgresServer

KINDS = ("sqlite", "postgresql")
_numbers = itertools.count(1)


@cache
def postgres_server() -> PostgresServer:
    """One for the whole run, with fsync and all else as it comes."""
    server = PostgresServer.start(options=())
    atexit.register(server.stop)
    return server


@contextmanager
def empty_url(kind: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="morningdeck-bench-") as folder:
        if kind == "sqlite":
            yield f"sqlite:///{Path(folder) / 'bench.db'}"
        else:
            with postgres_server().database(f"b{next(_numbers)}", template="template1") as url:
                yield url


@contextmanager
def fresh_database(kind: str) -> Iterator[Database]:
    with empty_url(kind) as url:
        database = open_database(url)
        upgrade(database)
        try:
            yield database
        finally:
            database.close()


# ---- the bare driver


class Bare(Protocol):
    """Statements in the driver's own words, each or all of them a durable transaction."""

    def run(self, sql: str, values: Any) -> list[tuple[Any, ...]]: ...

    def transaction(self) -> Any:
        """A cursor; committed at the end."""

    def close(self) -> None: ...


@contextmanager
def bare(database: Database) -> Iterator[Bare]:
    driver: Bare = BareSqlite(database) if database.exclusive else BarePostgresql(database)
    try:
        yield driver
    finally:
        driver.close()


def _rows(cursor: Any) -> list[tuple[Any, ...]]:
    """An empty one for each that was changed if it returns none, as with our own statements."""
    return cursor.fetchall() if cursor.description else [()] * cursor.rowcount


class BareSqlite:
    """One connection behind a lock; a statement by itself is a transaction."""

    def __init__(self, database: Database) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(
            database.url.database or "", isolation_level=None, check_same_thread=False
        )
        for pragma in PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")

    def run(self, sql: str, values: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            return _rows(self._connection.execute(sql, values))

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Cursor]:
        with self._lock:
            cursor = self._connection.execute("BEGIN IMMEDIATE")
            yield cursor
            cursor.execute("COMMIT")

    def close(self) -> None:
        self._connection.close()


class BarePostgresql:
    """A connection for each thread, in autocommit."""

    def __init__(self, database: Database) -> None:
        url = database.url
        self._place = f"host={url.host} port={url.port} user={url.username} dbname={url.database}"
        self._here = threading.local()
        self._all: list[Any] = []

    def _connection(self) -> Any:
        if not hasattr(self._here, "connection"):
            self._here.connection = psycopg2.connect(self._place)
            self._here.connection.autocommit = True
            self._all.append(self._here.connection)
        return self._here.connection

    def run(self, sql: str, values: Any) -> list[tuple[Any, ...]]:
        with self._connection().cursor() as cursor:
            cursor.execute(sql, values)
            return _rows(cursor)

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        with self._connection().cursor() as cursor:
            cursor.execute("BEGIN")
            yield cursor
            cursor.execute("COMMIT")

    def close(self) -> None:
        for connection in self._all:
            connection.close()


# ---- the very statements that were sent


@dataclass(frozen=True, slots=True)
class Sent:
    sql: str
    values: Any


@contextmanager
def recorded() -> Iterator[list[Sent]]:
    """What goes to a driver through SQLAlchemy, for its bare driver to do again."""
    sent: list[Sent] = []

    def note(_connection: Any, _cursor: Any, sql: str, values: Any, *_: Any) -> None:
        if not sql.startswith("BEGIN"):
            sent.append(Sent(sql, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def sent_claim(
    database: Database, stage: Stage, limit: int, owner: str, now: datetime, lease: timedelta
) -> Sent:
    """The statement with which a feeder claims, which goes past SQLAlchemy."""
    of = STAGES[stage]
    claim = claiming(of, of.orders[0]).on(database.dialect)
    values = {"limit": limit, "owner": owner, "now": now, "until": now + lease}
    return Sent(claim.sql, claim.parameters(values))


def replay(driver: Bare, sent: Sequence[Sent]) -> list[list[tuple[Any, ...]]]:
    return [driver.run(one.sql, one.values) for one in sent]
