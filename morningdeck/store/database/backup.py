"""Copies of the database: made while it is in use, put back while it is not."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy.engine import URL

from morningdeck.errors import PermanentError
from morningdeck.files import create, draft_of, make_folder
from morningdeck.store.database.connect import parse_url
from morningdeck.store.database.overwrite import check_target
from morningdeck.store.database.pgtools import run_tool
from morningdeck.store.database.sqlite import FileLock

SIDECARS = ("-wal", "-shm")


def backup(url: str, target: Path, *, force: bool = False) -> int:
    """Write one file with everything in it, whole or not at all; returns its size.

    Without `force` it takes the place of nothing but an earlier backup.
    """
    address = parse_url(url)
    draft = draft_of(target)
    live = _file_of(address) if address.drivername == "sqlite" else None
    try:
        check_target(target, live, force=force)
        make_folder(target.parent)
        os.close(create(draft))
        if address.drivername == "sqlite":
            _copy_sqlite(_file_of(address), draft)
        else:
            run_tool("pg_dump", address, "--format=custom", "--no-owner", "--file", str(draft))
        draft.replace(target)
        return target.stat().st_size
    except OSError as error:
        raise PermanentError(f"cannot write {str(target)!r}: {error.strerror}") from error
    finally:
        with suppress(OSError):  # where it could not be made, it cannot be removed
            draft.unlink(missing_ok=True)


def restore(url: str, file: Path) -> None:
    """Replace everything with what the file has; the caller makes sure that no daemon runs."""
    if not file.is_file():
        raise PermanentError(f"there is no file {str(file)!r}")
    address = parse_url(url)
    if address.drivername == "sqlite":
        _restore_sqlite(_file_of(address), file)
    else:
        options = ("--clean", "--if-exists", "--no-owner", "--single-transaction")
        run_tool("pg_restore", address, *options, str(file))


# ---- SQLite


def _file_of(address: URL) -> Path:
    return Path(address.database or "")


def _copy_sqlite(file: Path, draft: Path) -> None:
    """A snapshot by SQLite's own backup: writers go on meanwhile."""
    if not file.exists():
        raise PermanentError(f"there is no database at {str(file)!r}")
    try:
        with closing(sqlite3.connect(file)) as live, closing(sqlite3.connect(draft)) as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.commit()
    except sqlite3.Error as error:
        raise PermanentError(f"cannot copy {str(file)!r}: {error}") from error
    with draft.open("rb") as written:
        os.fsync(written.fileno())


def _restore_sqlite(live: Path, file: Path) -> None:
    _check_sqlite(file)
    draft = draft_of(live)
    lock = FileLock(live)
    try:
        with lock.held():
            os.close(create(draft))
            _copy_sqlite(file, draft)
            # the old log must not be replayed into the new file
            for sidecar in SIDECARS:
                live.with_name(live.name + sidecar).unlink(missing_ok=True)
            draft.replace(live)
    finally:
        draft.unlink(missing_ok=True)
        lock.close()


def _check_sqlite(file: Path) -> None:
    try:
        with closing(sqlite3.connect(file)) as backup_file:
            (verdict,) = backup_file.execute("PRAGMA integrity_check(1)").fetchone()
            tables = backup_file.execute(
                "SELECT count(*) FROM sqlite_master WHERE name IN ('items', 'alembic_version')"
            ).fetchone()
    except sqlite3.Error as error:
        raise PermanentError(f"{str(file)!r} is not a backup: {error}") from error
    if verdict != "ok":
        raise PermanentError(f"{str(file)!r} is damaged: {verdict}")
    if tables != (2,):
        raise PermanentError(f"{str(file)!r} is not a backup of Morning Deck")
