"""The files beside a database of SQLite: its log of commits, and the lock of its writers."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from morningdeck.errors import ConfigError, DatabaseAwayError
from morningdeck.files import create_if_missing, make_folder
from morningdeck.store.database.group_commit import PATIENCE_SECONDS

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import DBAPICursor


class WriteAheadLog:
    """Waits for the disk after the commits that ask for it; SQLite itself does after all or none.

    Its file holds all commits in their order, so that what is safe makes safe what came before.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1
        self._ours = False

    def take_over(self, cursor: DBAPICursor) -> None:
        """From the connection that will write; where the database keeps no such log it goes on."""
        self.close()
        cursor.execute("PRAGMA journal_mode")
        ((mode,),) = cursor.fetchall()
        self._ours = mode == "wal"
        cursor.execute(f"PRAGMA synchronous={'NORMAL' if self._ours else 'FULL'}")

    def make_safe(self) -> None:
        """Nobody knows what is safe if it fails; the file is there as long as the connection is."""
        if not self._ours:
            return
        try:
            if self._descriptor < 0:
                self._descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            os.fdatasync(self._descriptor)
        except OSError as error:
            raise DatabaseAwayError(f"database: not safe on the disk: {error.strerror}") from error

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


class FileLock:
    """Keeps the writers of other processes out; costs microseconds when nobody is there."""

    def __init__(self, database: Path) -> None:
        """Its file stands beside the database's, which is made if it is not there."""
        try:
            make_folder(database.parent)
            path = database.with_name(database.name + ".lock")
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            create_if_missing(database)
        except OSError as error:
            raise ConfigError(
                f"cannot write to {str(database.parent)!r}: {error.strerror}, check data_dir"
            ) from error

    @contextmanager
    def held(self) -> Iterator[None]:
        self.acquire()
        try:
            yield
        finally:
            self.release()

    def acquire(self) -> None:
        patience = time.monotonic() + PATIENCE_SECONDS
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


def file_at(path: Path) -> tuple[int, int] | None:
    """Which file lies there, whatever it is called elsewhere."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextmanager
def held_if_free(database: Path, task: str) -> Iterator[bool]:
    """A task that one at a time does, of whatever process: its lock goes with who has it."""
    path = database.with_name(f"{database.name}.{task}.lock")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free = True
        except BlockingIOError:
            free = False
        yield free
    finally:
        os.close(descriptor)


def use_write_ahead_log(database: Path, file_lock: FileLock) -> None:
    """The file remembers it. Under the lock, because SQLite itself does not wait for a second
    process that does the same: it calls the database locked.
    """
    if _is_write_ahead(database):
        return
    with file_lock.held(), closing(sqlite3.connect(database, timeout=30)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")


def _is_write_ahead(database: Path) -> bool:
    try:
        with database.open("rb") as file:
            return file.read(20)[18:] == b"\2\2"  # the versions for writing and for reading
    except OSError:
        return False  # SQLite says why
