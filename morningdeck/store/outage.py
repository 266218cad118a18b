"""Trouble with the database: told once, and in our words instead of the driver's."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import (
    DatabaseError,
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from morningdeck import logs
from morningdeck.errors import DatabaseAwayError, PermanentError, TransientError

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
STATEMENT_TIMEOUT = "57014"
OF_ONE_TRANSACTION = ("40", "55")
"""Deadlocks, and locks that were waited for in vain: nobody's fault, but no outage."""

log = logs.get(__name__)


class Outage:
    """Tells of a database that is away once, and once when it is back.

    What was under way at the turn says nothing: a thread may hear of the end of what it
    began before the outage, or of a connection that broke in it, only afterwards.
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


@contextmanager
def our_errors(outage: Outage, *, proves: bool = True) -> Iterator[None]:
    """The driver's errors as ours, in one line: the statement would carry its parameters.

    Success `proves` that an outage is over, but for reads where only writing may fail.
    """
    begun = time.monotonic()
    try:
        yield
    except PoolTimeout as error:
        raise TransientError(
            "database: no free connection for 10 s, raise database.pool_size"
        ) from error
    except DBAPIError as error:
        if _is_away(error):
            away = DatabaseAwayError(f"database: {_first_line(error)}")
            if not _of_one_transaction(error):
                outage.failed(begun, away)
            raise away from error
        if isinstance(error, OperationalError):
            raise TransientError(f"database: {_first_line(error)}") from error
        if type(error) is DatabaseError:  # SQLite's word for a file that is damaged
            raise PermanentError(
                f"database: {_first_line(error)}, restore a backup: morningdeck db restore FILE"
            ) from error
        raise
    except DatabaseAwayError as error:
        outage.failed(begun, error)
        raise
    else:
        if proves:
            outage.worked(begun)


def _is_away(error: DBAPIError) -> bool:
    """Trouble with the database as a whole, as against trouble with one statement."""
    if error.connection_invalidated:
        return True
    if not isinstance(error, OperationalError | InterfaceError | InternalError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in SQLITE_TROUBLE
    code = getattr(error.orig, "pgcode", None)
    return code is None or (code[:2] in POSTGRESQL_TROUBLE and code != STATEMENT_TIMEOUT)


def _of_one_transaction(error: DBAPIError) -> bool:
    return (getattr(error.orig, "pgcode", None) or "").startswith(OF_ONE_TRANSACTION)


def _first_line(error: DBAPIError) -> str:
    lines = str(error.orig).strip().splitlines()
    return lines[0] if lines else type(error.orig).__name__
