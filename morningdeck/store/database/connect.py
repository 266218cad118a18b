"""The database as the rest of the store sees it: SQLite and PostgreSQL behind one interface.

    read, write   a connection: for queries, or for a short transaction
    run, run_both one or two prepared statements that are a transaction of their own
    heartbeat     leases, so that they wait for nobody else's work

`sqlite` and `postgresql` are behind it. Whatever a driver raises leaves them as one of our errors.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from enum import IntEnum, unique
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import Connection, Dialect, Table, func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from morningdeck.errors import ConfigError
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.database.search_table import IndexTable

if TYPE_CHECKING:
    from morningdeck.ports.engine import Clock, Signals


@unique
class Lock(IntEnum):
    """The tasks that only one process may do at a time, each with its advisory lock's number."""

    MIGRATION = 7_264_801
    STORIES = 7_264_802
    RETENTION = 7_264_803
    FIRST_USER = 7_264_804
    REFINING = 7_264_805
    THEMES = 7_264_806
    PREPARING = 7_264_807
    INDEXING = 7_264_808
    COMPARING = 7_264_809


class Database(Protocol):
    @property
    def kind(self) -> str:
        """The product's name, for people."""

    @property
    def url(self) -> URL: ...

    @property
    def dialect(self) -> Dialect: ...

    @property
    def exclusive(self) -> bool:
        """Only one daemon may use it."""

    @property
    def plans_by_statistics(self) -> bool:
        """Does its planner know how many rows a condition leaves, before it chooses an index?"""

    @property
    def search_table(self) -> IndexTable: ...

    def read(self) -> AbstractContextManager[Connection]:
        """For queries; never blocks a writer."""

    def write(self, *, lasting: bool = True) -> AbstractContextManager[Connection]:
        """One short transaction: committed at the end, rolled back on any error. What need not be
        `lasting` may be lost with the machine's power, as `Prepared` has it.
        """

    def run(self, statement: Prepared, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """The rows that it returns; without RETURNING an empty tuple for each changed row."""

    def run_both(
        self, first: Prepared, second: Prepared, values: dict[str, Any]
    ) -> list[tuple[Any, ...]]:
        """Two statements as one transaction, which nobody waits for longer than the database
        takes; the rows of the second.
        """

    def heartbeat(self) -> AbstractContextManager[Connection]:
        """For single statements that must not wait behind other writers."""

    def clock(self, machine: Clock) -> Clock:
        """The clock that all who use this database agree on."""

    def hold(self, connection: Connection, lock: Lock) -> None:
        """Wait for the lock, at the latest with the next statement; the end of the transaction
        releases it.
        """

    def hold_writers(self, connection: Connection, table: Table) -> None:
        """Wait until nobody writes to the table; whoever wants to waits for this transaction."""

    def held_if_free(self, lock: Lock) -> AbstractContextManager[bool]:
        """Take the lock for the whole block if it is free; yields whether it was."""

    @property
    def signals(self) -> Signals: ...

    def check_there(self) -> None:
        """DatabaseAwayError where what is open is not what lies at its address any more."""

    def refuse_unfit(self) -> None:
        """Raise a ConfigError where the way to the database cannot carry what we need."""

    def damage(self) -> Sequence[str]:
        """The damage that the database finds in its own files, if it can check them."""

    def close(self) -> None: ...


class DatabaseClock:
    """The database's clock: the one that all daemons of one PostgreSQL agree on.

    Leases are compared across machines, whose own clocks differ and are set at times. So the
    database is asked now and then, and the monotonic clock counts on from its answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.ask()

    def ask(self) -> None:
        """Set the clock anew; half of the way there and back is taken off."""
        began = time.monotonic()
        with self._database.heartbeat() as connection:
            answer: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
        self._set = (answer, (began + time.monotonic()) / 2)

    def __call__(self) -> datetime:
        answer, at = self._set
        return answer + timedelta(seconds=time.monotonic() - at)


def parse_url(text: str) -> URL:
    """`postgres://` and `postgresql://` mean psycopg2, whatever SQLAlchemy's default is."""
    try:
        url = make_url(text)
    except (SQLAlchemyError, ValueError) as error:
        raise ConfigError("database.url is not a database URL, e.g. sqlite:///data/x.db") from error
    if "@" in (url.host or ""):  # half of a password, which every error would tell
        raise ConfigError("database.url: write each @ of the password as %40")
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg2")
    if url.drivername not in ("sqlite", "postgresql+psycopg2"):
        raise ConfigError(
            f"database.url: {url.drivername!r} is not supported, use sqlite:///... or postgresql://..."
        )
    return url


def open_database(url: str, *, pool_size: int = 16) -> Database:
    """Connections are made when they are needed."""
    address = parse_url(url)
    if address.drivername == "sqlite":
        from morningdeck.store.database.sqlite import SqliteDatabase

        return SqliteDatabase(address, pool_size)
    from morningdeck.store.database.postgresql import PostgresDatabase  # only who needs its driver

    return PostgresDatabase(address, pool_size)
