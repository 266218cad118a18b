"""Connections: how a transaction begins, waits, fails and ends on both databases.

SQLite gets one writer at a time (a lock in the process, a file lock between processes)
and `BEGIN IMMEDIATE`, because a deferred transaction that reads first cannot wait for
the write lock. PostgreSQL gets bounded pools (see `postgresql`), and autocommit for
single statements.
Whatever the driver raises leaves here as one of our errors.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, PoolProxiedConnection, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from morningdeck.errors import ConfigError, DatabaseAwayError
from morningdeck.files import create_if_missing, make_folder
from morningdeck.store.database.group_commit import Together, Turn
from morningdeck.store.database.outage import Outage, our_errors
from morningdeck.store.database.postgresql import Engines
from morningdeck.store.database.prepared import (
    Prepared,
    Statement,
    driver_connection,
    toolkit_errors,
)

LOCK_PATIENCE_SECONDS = 30.0
T = TypeVar("T")
Step = Callable[[Connection], list[tuple[Any, ...]]]
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "busy_timeout=30000",
    "foreign_keys=ON",
    "wal_autocheckpoint=1000",
)


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


class FileLock:
    """Keeps the writers of other processes out; costs microseconds when nobody is there."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def acquire(self) -> None:
        patience = time.monotonic() + LOCK_PATIENCE_SECONDS
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > patience:
                    raise DatabaseAwayError(
                        "database: another process has been writing for 30 s"
                    ) from None
                time.sleep(0.001)

    def release(self) -> None:
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Safe to call twice: a second close must not hit a file that took the number since."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


class Database:
    """One database, SQLite or PostgreSQL, with the same ways in.

    read, look_up    queries, through the toolkit or straight on the driver
    single, run      one statement that is a transaction of its own, likewise
    write, commit    a short transaction; SQLite commits those of several threads at once
    heartbeat        leases, so that they wait for nobody else's work
    """

    def __init__(self, url: str, *, pool_size: int = 16) -> None:
        self.url = parse_url(url)
        self._outage = Outage()
        self.kind = "sqlite" if self.url.drivername == "sqlite" else "postgresql"
        if self.is_sqlite:
            self._open_sqlite(pool_size)
        else:
            self._open_postgresql(pool_size)

    @property
    def is_sqlite(self) -> bool:
        return self.kind == "sqlite"

    def _open_sqlite(self, pool_size: int) -> None:
        if not self.url.database or self.url.database == ":memory:":
            raise ConfigError("database.url: SQLite needs a file, e.g. sqlite:///data/x.db")
        path = Path(self.url.database)
        try:
            make_folder(path.parent)
            self._file_lock = FileLock(path.with_name(path.name + ".lock"))
            create_if_missing(path)
        except OSError as error:
            raise ConfigError(
                f"cannot write to {str(path.parent)!r}: {error.strerror}, check data_dir"
            ) from error
        self._lock = threading.Lock()
        self._writer: Connection | None = None
        self._together = Together(self._commit_together)
        self._write_engine = _sqlite_engine(self.url, PRAGMAS, pool_size=2)
        event.listen(self._write_engine, "begin", _begin_immediate)
        self._read_engine = _sqlite_engine(self.url, (*PRAGMAS, "query_only=ON"), pool_size)
        self._single_engine = self._write_engine

    def _open_postgresql(self, pool_size: int) -> None:
        self._engines = Engines(self.url, pool_size)
        self._single_engine = self._read_engine = self._engines.single
        self._write_engine = self._engines.writing

    def _errors(self, *, proves: bool = True) -> AbstractContextManager[None]:
        return our_errors(self._outage, self._write_engine.dialect, proves=proves)

    @property
    def write_engine(self) -> Engine:
        """To look on, as a test counts statements; whatever writes goes through `write`."""
        return self._write_engine

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One short transaction: committed at the end, rolled back on any error."""
        with self._errors():
            if self.is_sqlite:
                with self.alone(), self._sqlite_writer().begin() as transaction:
                    yield transaction.connection
            else:
                with self._write_engine.begin() as connection:
                    yield connection

    @contextmanager
    def single(self) -> Iterator[Connection]:
        """For one statement that is a transaction of its own: fewer round trips."""
        if self.is_sqlite:
            with self.write() as connection:
                yield connection
            return
        with self._errors(), self._single_engine.connect() as connection:
            yield connection

    def prepare(self, statement: Statement) -> Prepared:
        """For `run` and `look_up`: made ready once, for this kind of database."""
        return Prepared(statement, self._write_engine.dialect)

    def run(self, prepared: Prepared, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """One statement that is a transaction of its own, straight on the driver."""
        if self.is_sqlite:
            return self.commit(self.step(prepared, values))
        parameters = prepared.parameters(values)
        with self._errors(), self._driver(self._single_engine) as pooled:
            return prepared.run(pooled, parameters)

    def step(self, prepared: Prepared, values: dict[str, Any]) -> Step:
        """One statement of a `commit`, with all made ready that can be before it is its turn."""
        if self.is_sqlite:
            parameters = prepared.parameters(values)
            return lambda connection: prepared.run(connection.connection, parameters)
        # a connection that breaks in a transaction is the toolkit's to look after
        return lambda connection: prepared.run_by_toolkit(connection, values)

    @contextmanager
    def _driver(self, engine: Engine) -> Iterator[PoolProxiedConnection]:
        pooled = driver_connection(engine)
        try:
            yield pooled
        except DBAPIError as error:
            if error.connection_invalidated and not self.is_sqlite:
                self._engines.broken(pooled, error)
            raise
        finally:
            pooled.close()

    def commit(self, work: Callable[[Connection], T]) -> T:
        """One short transaction like `write`, on SQLite shared with those of other threads.

        The work may be done twice, so it must change nothing but the database.
        """
        if not self.is_sqlite:
            with self.write() as connection:
                return work(connection)
        with self._errors():
            return self._together.run(work)

    def look_up(self, query: Prepared, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """The rows of one query, straight from the driver."""
        with (
            self._errors(proves=not self.is_sqlite),
            self._driver(self._read_engine) as one,
        ):
            return query.run(one, query.parameters(values))

    def _commit_together(self, turns: Sequence[Turn]) -> None:
        with self.alone():
            writer = self._sqlite_writer()
            try:
                with writer.begin():
                    for turn in turns:
                        turn.take(writer)
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException:
                # each by itself, so that none fails for the sake of another
                for turn in turns:
                    turn.take_alone(writer)

    @contextmanager
    def heartbeat(self) -> Iterator[Connection]:
        """For the leases: a connection of their own, so that a drained pool cannot lapse them."""
        if self.is_sqlite:
            with self.write() as connection:
                yield connection
            return
        with self._errors(), self._engines.heartbeat.connect() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """For queries; never blocks a writer."""
        # SQLite still reads when its disk is full
        with (
            self._errors(proves=not self.is_sqlite),
            self._read_engine.connect() as connection,
        ):
            yield connection

    @contextmanager
    def alone(self) -> Iterator[None]:
        """SQLite's single writer, in this process and among all; PostgreSQL has row locks."""
        if not self.is_sqlite:
            yield
            return
        if not self._lock.acquire(timeout=LOCK_PATIENCE_SECONDS):
            raise DatabaseAwayError("database: a writer of this process has been busy for 30 s")
        try:
            self._file_lock.acquire()
            try:
                yield
            finally:
                self._file_lock.release()
        finally:
            self._lock.release()

    def _sqlite_writer(self) -> Connection:
        # one connection for all writes: its statements stay prepared, and commit and
        # checkpoint can never overlap inside this process
        if self._writer is None or self._writer.closed or self._writer.invalidated:
            self._writer = self._write_engine.connect()
        return self._writer

    def close(self) -> None:
        if self.is_sqlite:
            with self._lock:
                if self._writer is not None:
                    self._writer.close()
            self._file_lock.close()
            self._write_engine.dispose()
            self._read_engine.dispose()
        else:
            self._engines.dispose()


def _sqlite_engine(url: URL, pragmas: tuple[str, ...], pool_size: int) -> Engine:
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=10,
        paramstyle="named",
        hide_parameters=True,
        connect_args={"check_same_thread": False, "timeout": 30},
    )

    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", prepare)
    return engine


def _begin_immediate(connection: Connection) -> None:
    # past the toolkit, which would take longer over it than the database does
    with toolkit_errors(connection.dialect):
        connection.connection.cursor().execute("BEGIN IMMEDIATE")
