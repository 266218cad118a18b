"""Which file a backup may replace: an earlier backup of ours, or with `force` any other.

Never a directory, a device, what a link leads to, or the database that is being copied.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from morningdeck.errors import ConflictError

OWN_TABLES = ("alembic_version", "seen_guids", "briefing_subscriptions")
SIDECARS = ("", "-wal", "-shm", "-journal", ".lock")
DUMP_MARK = b"PGDMP"
DUMP_CONTENTS = 1_000_000
"""The table of contents stands at the beginning of a dump, as plain text."""
SQLITE_MARK = b"SQLite format 3\0"
WAL_MODE = 2


def check_target(target: Path, live: Path | None, *, force: bool) -> None:
    """Raise unless a backup may be put here; `live` is the file of the database itself."""
    name = repr(str(target))
    if target.is_symlink():
        raise ConflictError(f"{name} is a link: name the file that it leads to")
    if not target.exists():
        return
    if not target.is_file():
        raise ConflictError(f"{name} is no file that a backup could take the place of")
    if live is not None and any(_same(target, live.name + end, live) for end in SIDECARS):
        raise ConflictError(f"{name} belongs to the database that is copied: choose another name")
    if not force and not is_backup(target):
        raise ConflictError(
            f"{name} is there already and no backup of ours: choose another name,"
            " or overwrite it with --force"
        )


def _same(target: Path, name: str, live: Path) -> bool:
    other = live.with_name(name)
    return other.exists() and target.samefile(other)


def is_backup(file: Path) -> bool:
    """Did `db backup` make it? An empty file may be one as well: nothing is lost with it."""
    with file.open("rb") as opened:
        start = opened.read(DUMP_CONTENTS)
    if start.startswith(DUMP_MARK):
        return all(table.encode() in start for table in OWN_TABLES)
    if start.startswith(SQLITE_MARK):
        # a database in use writes ahead, a copy of it does not: it may be another deck's
        return start[18] != WAL_MODE and _has_our_tables(file)
    return not start


def _has_our_tables(file: Path) -> bool:
    marks = ", ".join("?" * len(OWN_TABLES))
    query = f"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ({marks})"
    try:
        # as it lies there: not even a journal beside it is touched
        address = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as opened:
            return bool(opened.execute(query, OWN_TABLES).fetchone() == (len(OWN_TABLES),))
    except sqlite3.Error:
        return False
