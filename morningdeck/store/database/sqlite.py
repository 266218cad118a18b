"""SQLite: one writer at a time, whose commits are shared, and readers beside it.

A lock keeps the threads of this process apart, a file lock its processes. Transactions begin
as `BEGIN IMMEDIATE`, because a deferred one that reads first cannot wait for the write lock.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, RootTransaction, Table, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.pool import PoolProxiedConnection, QueuePool

from morningdeck.errors import ConfigError, DatabaseAwayError, DatabaseBusyError
from morningdeck.store.database.connect import Lock
from morningdeck.store.database.group_commit import (
    GatheredWrites,
    PendingWrite,
    SharedTransaction,
)
from morningdeck.store.database.outage import OurErrors, Outage
from morningdeck.store.database.prepared import Prepared, Rows, rows_of
from morningdeck.store.database.search_table import Fts5
from morningdeck.store.database.signals import FileSignals
from morningdeck.store.database.sqlite_files import (
    FileLock,
    WriteAheadLog,
    file_at,
    held_if_free,
    use_write_ahead_log,
)

if TYPE_CHECKING:
    from morningdeck.ports.engine import Clock

PRAGMAS = (
    "synchronous=FULL",
    "busy_timeout=30000",
    "foreign_keys=ON",
    "wal_autocheckpoint=1000",
)
READ_STATEMENTS, WRITE_STATEMENTS = 64, 128
"""So many stay prepared on each connection; several read, and cost 2 MB more with 128 each."""


class SqliteDatabase:
    kind = "sqlite"
    exclusive = True
    plans_by_statistics = False
    search_table = Fts5()

    def __init__(self, url: URL, pool_size: int) -> None:
        if not url.database or url.database == ":memory:":
            raise ConfigError("database.url: SQLite needs a file, e.g. sqlite:///data/x.db")
        self.url = url
        self._outage = Outage()
        self._file_lock = FileLock(Path(url.database))
        self._readers = _engine(  # one for look-ups
            url, (*PRAGMAS, "query_only=ON"), pool_size + 1, READ_STATEMENTS
        )
        self._writers = _engine(url, PRAGMAS, 1, WRITE_STATEMENTS)
        self.dialect = self._writers.dialect
        with self._errors(proves=False):
            use_write_ahead_log(Path(url.database), self._file_lock)
        self._file = file_at(Path(url.database))
        self._look_ups = LookUps(self._readers)
        self._log = WriteAheadLog(Path(f"{url.database}-wal"))
        self._transaction = WriteTransaction(self._writers, self._file_lock, self._log)
        self._shared = SharedTransaction(self._transaction)
        self._gathered = GatheredWrites(self._write_all, self._log.make_safe)
        self.signals = FileSignals(url.database, self._commits_of_others, self._errors)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        # it still reads when its disk is full, so that proves nothing
        with self._errors(proves=False), self._readers.connect() as connection:
            yield connection

    @contextmanager
    def write(self, *, lasting: bool = True) -> Iterator[Connection]:
        with self._errors(), self._shared.share(lasting=lasting):
            yield self._transaction.for_sqlalchemy()

    heartbeat = write

    def run(self, statement: Prepared, values: dict[str, Any]) -> Rows:
        compiled = statement.on(self.dialect)
        parameters = compiled.parameters(values)
        with self._errors(proves=not statement.reads):
            if statement.reads:
                return compiled.rows(self._look_ups.run(compiled.sql, parameters))
            rows = self._gathered.run(compiled.sql, parameters, lasting=statement.lasting)
            return compiled.rows(rows)

    def run_both(self, first: Prepared, second: Prepared, values: dict[str, Any]) -> Rows:
        compiled = (first.on(self.dialect), second.on(self.dialect))
        lasting = first.lasting or second.lasting
        with self._errors(), self._shared.share(lasting=lasting):
            for one in compiled:
                rows = self._transaction.run(one.sql, one.parameters(values))
        return compiled[1].rows(rows)

    def _write_all(self, writes: Sequence[PendingWrite]) -> None:
        with self._shared.share(lasting=False):
            for write in writes:
                try:
                    write.rows = self._transaction.run(write.sql, write.parameters)
                except sqlite3.Error as error:
                    if not self._transaction.is_open():
                        raise
                    write.error = error  # a statement that fails has changed nothing

    def _commits_of_others(self) -> int:
        """The connection that writes does not count its own."""
        with self._errors(proves=False), self._shared.share():
            ((count,),) = self._transaction.run("PRAGMA data_version")
            return int(count)

    def _errors(self, *, proves: bool = True) -> OurErrors:
        return OurErrors(self._outage, self.dialect, proves=proves)

    def clock(self, machine: Clock) -> Clock:
        return machine

    def hold(self, connection: Connection, lock: Lock) -> None:
        """Nothing to do: a writer is alone already."""

    def hold_writers(self, connection: Connection, table: Table) -> None:
        """Nothing to do: a writer is alone already."""

    def held_if_free(self, lock: Lock) -> AbstractContextManager[bool]:
        return held_if_free(Path(str(self.url.database)), lock.name.lower())

    def check_there(self) -> None:
        """A file that is moved or deleted stays open, and takes what nobody finds again."""
        if file_at(Path(str(self.url.database))) != self._file:
            raise DatabaseAwayError(
                "database: its file is not where it was when this process began: put it back, or"
                " restart"
            )

    def refuse_unfit(self) -> None:
        """Whatever is a file will do."""

    def damage(self) -> Sequence[str]:
        with self.read() as connection:
            verdicts = connection.exec_driver_sql("PRAGMA integrity_check(10)").scalars()
            orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            damage = [f"damaged: {verdict}" for verdict in verdicts if verdict != "ok"]
        if orphans:
            damage.append(f"{len(orphans)} rows point to rows that are not there")
        return damage

    def close(self) -> None:
        self.signals.close()
        self._look_ups.close()
        with suppress(DatabaseAwayError):  # somebody is busy in there: the process ends without
            self._shared.close()
        self._file_lock.close()
        self._writers.dispose()
        self._readers.dispose()


class LookUps:
    """Single queries of jobs, microseconds each, take turns on one connection of the pool: taking
    it and giving it back would cost three times the query.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: PoolProxiedConnection | None = None
        self._closed = False
        self._lock = threading.Lock()

    def run(self, sql: str, parameters: dict[str, Any]) -> Rows:
        with self._lock:
            if self._closed:
                raise DatabaseBusyError("database: closed")
            if self._connection is None:
                self._connection = self._engine.raw_connection()
            cursor = self._connection.cursor()
            cursor.execute(sql, parameters)
            return rows_of(cursor)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._connection is not None:
                self._connection.close()


class WriteTransaction:
    """On one connection, so that its statements stay prepared, and commit and checkpoint never
    overlap in this process. SQLAlchemy's own transaction begins only if somebody needs a
    Connection: it costs more than SQLite's.
    """

    def __init__(self, engine: Engine, file_lock: FileLock, log: WriteAheadLog) -> None:
        self._engine = engine
        self._file_lock = file_lock
        self._log = log
        self._connection: Connection | None = None
        self._root: RootTransaction | None = None

    def for_sqlalchemy(self) -> Connection:
        connection = self._connected()
        if self._root is None:
            self._root = connection.begin()  # sends nothing
        return connection

    def _connected(self) -> Connection:
        if self._connection is None or self._connection.closed or self._connection.invalidated:
            self._connection = self._engine.connect()
            self._log.take_over(self._connection.connection.cursor())
        return self._connection

    def run(self, sql: str, parameters: dict[str, Any] | tuple[()] = ()) -> Rows:
        cursor = self._connected().connection.cursor()
        cursor.execute(sql, parameters)
        return rows_of(cursor)

    def begin(self) -> None:
        self._file_lock.acquire()
        try:
            self.run("BEGIN IMMEDIATE")
        except BaseException:
            self._file_lock.release()
            raise

    def save(self) -> None:
        self.run("SAVEPOINT member")  # the innermost of that name is meant, the commit ends all

    def undo(self) -> None:
        self.run("ROLLBACK TO member")

    def is_open(self) -> bool:
        driver: sqlite3.Connection | None = self._connected().connection.driver_connection
        return driver is not None and driver.in_transaction

    def commit(self) -> None:
        try:
            self.run("COMMIT")
        except BaseException:
            self.rollback()
            raise
        self._end()

    def make_safe(self) -> None:
        self._log.make_safe()

    def rollback(self) -> None:
        try:
            if self.is_open():  # else the database has done it
                self.run("ROLLBACK")
        finally:
            self._end()

    def _end(self) -> None:
        root, self._root = self._root, None
        try:
            if root is not None:
                root.close()
        finally:
            self._file_lock.release()

    def close(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._log.close()


def _engine(url: URL, pragmas: tuple[str, ...], pool_size: int, statements: int) -> Engine:
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=10,
        pool_use_lifo=True,  # the pages that one has in its cache serve the next
        paramstyle="named",
        hide_parameters=True,
        connect_args={
            "check_same_thread": False,
            "timeout": 30,
            "cached_statements": statements,
        },
    )

    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", prepare)
    return engine
