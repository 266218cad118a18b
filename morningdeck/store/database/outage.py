"""Trouble with the database: told once, and in our words instead of the driver's."""

from __future__ import annotations

import sqlite3
import threading
import time

from sqlalchemy import Dialect, PoolProxiedConnection
from sqlalchemy.engine.interfaces import DBAPIModule
from sqlalchemy.exc import (
    DatabaseError,
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from morningdeck.errors import (
    DatabaseAwayError,
    DatabaseBusyError,
    MorningDeckError,
    PermanentError,
    TransientError,
)
from morningdeck.logs import log

SQLITE_TROUBLE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
)
POSTGRESQL_TROUBLE = ("08", "25", "40", "53", "55", "57", "58", "XX")
"""Classes of errors that pass: connections, locks, resources, shutdowns."""
OF_ONE_STATEMENT = ("40", "55", "57014")
"""Deadlocks, locks not given in time, statements that took too long: no outage, and not the
fault of the work that met them.
"""


class Outage:
    """Tells of a database that is away once, and once when it is back.

    A call that began before the last change of state proves nothing about the new one.
    """

    def __init__(self) -> None:
        self._since: float | None = None
        self._ended = time.monotonic()
        self._lock = threading.Lock()

    def failed(self, begun: float, error: DatabaseAwayError) -> None:
        with self._lock:
            if self._since is None and begun > self._ended:
                self._since = time.monotonic()
                log.warning("database_away", error=str(error))

    def worked(self, begun: float) -> None:
        if self._since is None:
            return
        with self._lock:
            if self._since is not None and begun > self._since:
                self._ended = time.monotonic()
                seconds = round(self._ended - self._since, 1)
                log.warning("database_back", after_seconds=seconds)
                self._since = None


class OurErrors:
    """Raises the errors of driver and SQLAlchemy as ours, in one line: the statement would carry
    its parameters.

    Success `proves` that an outage is over, but for reads where only writing may fail.
    A class, because a generator costs every statement of a job more than all else here.
    """

    __slots__ = ("_begun", "_dialect", "_outage", "_proves")

    def __init__(self, outage: Outage, dialect: Dialect, *, proves: bool = True) -> None:
        self._outage = outage
        self._dialect = dialect
        self._proves = proves

    def __enter__(self) -> None:
        self._begun = time.monotonic()

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is not None:
            self._raise(error)
        elif self._proves:
            self._outage.worked(self._begun)

    def _raise(self, error: BaseException) -> None:
        """What others should see instead of it, if not the error itself."""
        if isinstance(error, PoolTimeout):
            raise DatabaseBusyError(
                "database: no free connection for 10 s, raise database.pool_size"
            ) from error
        if isinstance(error, DatabaseAwayError) and not isinstance(error, DatabaseBusyError):
            self._outage.failed(self._begun, error)
        if isinstance(error, DBAPIError | self._dialect.loaded_dbapi.Error):
            known = error if isinstance(error, DBAPIError) else by_sqlalchemy(error, self._dialect)
            ours = _in_our_words(known)
            if ours is None:
                raise known from known.orig
            if type(ours) is DatabaseAwayError:
                self._outage.failed(self._begun, ours)
            raise ours from error


def by_sqlalchemy(
    error: DBAPIModule.Error, dialect: Dialect, connection: PoolProxiedConnection | None = None
) -> DBAPIError:
    """What SQLAlchemy would have made of the driver's error."""
    driver = dialect.loaded_dbapi
    made = DBAPIError.instance(
        None,
        None,
        error,
        driver.Error,
        connection_invalidated=dialect.is_disconnect(error, connection, None),
        dialect=dialect,
    )
    assert isinstance(made, DBAPIError)  # of a driver's error it makes nothing else
    return made


def _in_our_words(error: DBAPIError) -> MorningDeckError | None:
    """The error to raise instead; None for a bug of ours."""
    line = f"database: {_first_line(error)}"
    if _is_away(error):
        return DatabaseBusyError(line) if _of_one_statement(error) else DatabaseAwayError(line)
    if isinstance(error, OperationalError):
        return TransientError(line)
    if isinstance(error.orig, sqlite3.Error) and type(error) is DatabaseError:
        # SQLite's word for a file that is damaged
        return PermanentError(f"{line}, restore a backup: morningdeck db restore FILE")
    return None


def _is_away(error: DBAPIError) -> bool:
    """Is it passing trouble of the database, rather than a wrong statement?"""
    if error.connection_invalidated:
        return True
    of_server = isinstance(error, OperationalError | InterfaceError | InternalError)
    if isinstance(error.orig, sqlite3.Error):
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
        return of_server and code in SQLITE_TROUBLE
    # the driver's plain error without a code is an answer that broke off
    of_server |= type(error) is DatabaseError
    state = getattr(error.orig, "pgcode", None)
    return of_server and (state is None or state[:2] in POSTGRESQL_TROUBLE)


def _of_one_statement(error: DBAPIError) -> bool:
    """Might the same statement have worked a moment later?"""
    return (getattr(error.orig, "pgcode", None) or "").startswith(OF_ONE_STATEMENT)


def _first_line(error: DBAPIError) -> str:
    lines = str(error.orig).strip().splitlines()
    return lines[0] if lines else type(error.orig).__name__
