"""PostgreSQL: a pool of connections for each way of working, all of them bounded together.

A pool's connections keep the isolation level that they were made with: setting it when one
is taken costs a round trip, and fails outside SQLAlchemy where the connection is broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from psycopg2 import ProgrammingError
from psycopg2.extensions import make_dsn
from sqlalchemy import (
    Connection,
    Dialect,
    Engine,
    Table,
    bindparam,
    create_engine,
    event,
    func,
    select,
)
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIModule
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.pool import PoolProxiedConnection, QueuePool

from morningdeck.errors import ConfigError, DatabaseAwayError, MorningDeckError
from morningdeck.ports.engine import Clock
from morningdeck.store.database import trips
from morningdeck.store.database.connect import DatabaseClock, Lock
from morningdeck.store.database.kept import KeptStatement
from morningdeck.store.database.outage import OurErrors, Outage, by_sqlalchemy
from morningdeck.store.database.pooler import refuse_shared_sessions, refused_settings
from morningdeck.store.database.prepared import Compiled, Prepared, Rows, rows_of
from morningdeck.store.database.search_table import Tsvector
from morningdeck.store.database.signals import CHANNEL, UNAWAITED, ServerSignals
from morningdeck.work import ANY

OPTIONS = {
    "connect_timeout": 5,
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    "application_name": "morningdeck",
    "options": "-c statement_timeout=30000 -c lock_timeout=5000"
    " -c idle_in_transaction_session_timeout=60000 -c timezone=UTC",
}

_NOTIFYING = Prepared(select(func.pg_notify(CHANNEL, bindparam("loop"))))

_HOLDING = Prepared(select(func.pg_advisory_xact_lock(bindparam("lock"))))


class PostgresDatabase:
    kind = "postgresql"
    exclusive = False
    plans_by_statistics = True
    search_table = Tsvector()

    def __init__(self, url: URL, pool_size: int) -> None:
        self.url = url
        self._outage = Outage()
        self._engines = Engines(url, pool_size)
        self.dialect = self._engines.single.dialect
        _check_options(url, self.dialect)
        self.signals = ServerSignals(url, self.dialect, OPTIONS, self._notify)
        self._kept_statements: dict[Compiled, KeptStatement] = {}
        self._wrote = False

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._errors(), self._engines.single.connect() as connection:
            yield connection

    @contextmanager
    def write(self, *, lasting: bool = True) -> Iterator[Connection]:
        """PostgreSQL would have to be told, on a way of its own, what need not last."""
        with self._errors(), self._engines.writing.begin() as connection:
            try:
                with trips.transaction(connection):
                    yield connection
            except self.dialect.loaded_dbapi.Error as error:  # it came past SQLAlchemy
                raise self._engines.known(connection, error) from error
        self._wrote = True

    @contextmanager
    def heartbeat(self) -> Iterator[Connection]:
        """On a connection of its own, so that a drained pool cannot let leases lapse."""
        with self._errors(), self._engines.heartbeat.connect() as connection:
            yield connection

    def run(self, statement: Prepared, values: dict[str, Any]) -> Rows:
        compiled = statement.on(self.dialect)
        parameters = compiled.parameters(values)
        with self._driver() as (cursor, info):
            sql = self._kept(compiled).on(cursor, info) if statement.kept else compiled.sql
            cursor.execute(f"{UNAWAITED}{sql}" if statement.repeatable else sql, parameters)
            return compiled.rows(rows_of(cursor))

    def _kept(self, compiled: Compiled) -> KeptStatement:
        known = self._kept_statements.get(compiled)
        if known is None:
            known = self._kept_statements[compiled] = KeptStatement(compiled)
        return known

    def run_both(self, first: Prepared, second: Prepared, values: dict[str, Any]) -> Rows:
        """Sent together, they are one transaction also where each alone would be committed: a row
        that all wait for is locked for no way there and back.
        """
        compiled = (first.on(self.dialect), second.on(self.dialect))
        with self._driver() as (cursor, _info):
            filled = [cursor.mogrify(one.sql, one.parameters(values)) for one in compiled]
            cursor.execute(b";".join(filled))
            return compiled[1].rows(rows_of(cursor))

    @contextmanager
    def _driver(self) -> Iterator[tuple[Any, dict[Any, Any]]]:
        """A cursor of the driver's own, and what is known of its connection; what it raises comes
        out as SQLAlchemy would raise it.
        """
        with self._errors():
            pooled = self._engines.single.raw_connection()
            try:
                yield pooled.cursor(), pooled.info
            except self.dialect.loaded_dbapi.Error as error:
                known = by_sqlalchemy(error, self.dialect, pooled)
                if known.connection_invalidated:
                    self._engines.broken(pooled, known)
                raise known from error
            finally:
                pooled.close()

    def _errors(self) -> OurErrors:
        return OurErrors(self._outage, self.dialect)

    def clock(self, machine: Clock) -> Clock:
        """The server's own: the machines' clocks differ."""
        return DatabaseClock(self)

    def hold(self, connection: Connection, lock: Lock) -> None:
        _HOLDING.soon(connection, {"lock": lock.value})

    def hold_writers(self, connection: Connection, table: Table) -> None:
        connection.exec_driver_sql(f"LOCK TABLE {table.name} IN SHARE MODE")

    @contextmanager
    def held_if_free(self, lock: Lock) -> Iterator[bool]:
        """The lock ends with the session that took it."""
        with self.read() as session:
            mine = bool(session.scalar(select(func.pg_try_advisory_lock(lock.value))))
            try:
                yield mine
            finally:
                if mine:
                    session.execute(select(func.pg_advisory_unlock(lock.value)))

    def check_there(self) -> None:
        """Nothing to do: each query goes to the server."""

    def refuse_unfit(self) -> None:
        try:
            with self._errors():
                refuse_shared_sessions(self._engines.single)
        except DatabaseAwayError as error:
            raise refused_settings(error) or error from error

    def damage(self) -> Sequence[str]:
        return ()

    def _notify(self, loop: str) -> None:
        with suppress(MorningDeckError):  # others will find it out
            self.run(_NOTIFYING, {"loop": loop})

    def close(self) -> None:
        """Tell the working processes of changes that a short-lived process made."""
        if self._wrote and not self.signals.listens:
            self._notify(ANY)
        self.signals.close()
        self._engines.dispose()


def _check_options(url: URL, dialect: Dialect) -> None:
    """A wrong one would come up at each connection, as if it were a bug of ours."""
    _, named = dialect.create_connect_args(url)
    try:
        make_dsn(**{**named, **OPTIONS})
    except ProgrammingError as error:
        reason = str(error).strip().removeprefix("invalid dsn: ")
        raise ConfigError(f"database.url: {reason}, check what stands after its ?") from error


class Engines:
    """`single` for statements that are transactions of their own, `writing` for all others;
    the one connection of `heartbeat` is nobody else's, nor is the one that listens for signals.
    """

    def __init__(self, url: URL, pool_size: int) -> None:
        shared = max(2, pool_size - 2)
        writing = max(1, shared // 3)  # most of what a worker asks is a single statement
        self._epoch = Epoch()
        self.single = self._engine(url, shared - writing)
        self.writing = self._engine(url, writing)
        trips.watch(self.writing)
        # used so seldom that it would be the last to hear of a restart
        self.heartbeat = self._engine(url, 1, pool_pre_ping=True)

    def _engine(self, url: URL, size: int, **more: Any) -> Engine:
        engine = create_engine(
            url,
            poolclass=QueuePool,
            pool_size=size,
            max_overflow=0,
            pool_timeout=10,
            pool_recycle=1800,
            pool_use_lifo=True,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args=OPTIONS,
            **more,
        )
        self._epoch.watch(engine)
        return engine

    def broken(self, connection: PoolProxiedConnection, error: BaseException) -> None:
        """Not to be used again, nor any other that is as old."""
        self._epoch.end(connection.info)
        connection.invalidate(error)

    def known(self, connection: Connection, error: DBAPIModule.Error) -> DBAPIError:
        """What SQLAlchemy would have made of an error that has come past it in a transaction."""
        if connection.invalidated:
            return by_sqlalchemy(error, connection.dialect)
        made = by_sqlalchemy(error, connection.dialect, connection.connection)
        if made.connection_invalidated:
            self._epoch.end(connection.info)
            connection.invalidate(error)
        return made

    def dispose(self) -> None:
        for engine in (self.single, self.writing, self.heartbeat):
            engine.dispose()


class Epoch:
    """Ends when a connection is found broken: a server that ended one has ended all of them,
    and nobody should have to meet each.

    SQLAlchemy does that for each pool by the wall clock, which may be set.
    """

    def __init__(self) -> None:
        self._number = 0

    def watch(self, engine: Engine) -> None:
        event.listen(engine, "connect", self._made)
        event.listen(engine, "checkout", self._taken)
        event.listen(engine, "handle_error", self._failed)

    def end(self, info: dict[Any, Any]) -> None:
        if info.get("epoch") == self._number:
            self._number += 1

    def _made(self, _connection: Any, record: Any) -> None:
        record.info.update(epoch=self._number, fresh=True)

    def _taken(self, _connection: Any, record: Any, _proxy: Any) -> None:
        fresh = record.info.pop("fresh", False)
        if not fresh and record.info["epoch"] != self._number:
            raise DisconnectionError  # the pool makes another

    def _failed(self, context: ExceptionContext) -> None:
        context.invalidate_pool_on_disconnect = False
        connection = context.connection
        if connection is None or connection.closed or connection.invalidated:
            return
        if context.is_disconnect:
            self.end(connection.connection.info)
