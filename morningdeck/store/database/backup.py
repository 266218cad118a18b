"""Copies of the database: made while it is in use, put back while it is not."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy.engine import URL

from morningdeck.errors import ConfigError, ConflictError, PermanentError
from morningdeck.files import create, draft_of, make_folder
from morningdeck.store.database.connect import parse_url
from morningdeck.store.database.sqlite_files import FileLock

SIDECARS = ("-wal", "-shm")
OWN_TABLES = ("alembic_version", "seen_guids", "briefing_subscriptions")
FILES_OF_ONE = ("", "-wal", "-shm", "-journal", ".lock")
SERVICE = "morningdeck"
DATABASE = ("--no-password", "--dbname", f"service={SERVICE}")
_MORE = re.compile(r"\w+: (?:detail|hint): (.+)")
DUMP_MARK = b"PGDMP"
DUMP_CONTENTS = 1_000_000
"""The table of contents stands at the beginning of a dump, as plain text."""
SQLITE_MARK = b"SQLite format 3\0"
WAL_MODE = 2


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


# ---- what may be overwritten


def check_target(target: Path, live: Path | None, *, force: bool) -> None:
    """Raise unless a backup may be put here: over an earlier one of ours, or with `force` any file,
    but never over a directory, a device, what a link leads to, or the `live` database's files.
    """
    name = repr(str(target))
    if target.is_symlink():
        raise ConflictError(f"{name} is a link: name the file that it leads to")
    if not target.exists():
        return
    if not target.is_file():
        raise ConflictError(f"{name} is no file that a backup could take the place of")
    if live is not None and any(_same(target, live.name + end, live) for end in FILES_OF_ONE):
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


# ---- PostgreSQL: its own programs


def run_tool(tool: str, address: URL, *options: str) -> None:
    """So that nobody who lists processes learns a password: where to connect, and as whom, stands
    in a file that only its owner may read.
    """
    program = shutil.which(tool)
    if program is None:
        raise ConflictError(
            f"{tool} is not installed: install PostgreSQL's client programs"
            " (Debian: postgresql-client), or run it where they are"
        )
    with tempfile.TemporaryDirectory(prefix="morningdeck-") as folder:  # 0700
        environment = {**_without_ours(os.environ), **_address_in(Path(folder), address)}
        done = subprocess.run(
            [program, *DATABASE, *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        raise PermanentError(_why(done.stderr) or f"{tool}: exit code {done.returncode}")


def _why(told: str) -> str:
    """Its first line, and what it says of that: which versions do not fit, what to try."""
    first, *others = told.strip().splitlines() or [""]
    more = (_MORE.match(line) for line in others)
    return "; ".join([first, *(found[1] for found in more if found)])


def _without_ours(environment: os._Environ[str]) -> dict[str, str]:
    """The tool needs none of our settings, some of which are secrets."""
    foreign = ("MORNINGDECK_", "DATABASE_URL", "OPENAI_")
    return {name: value for name, value in environment.items() if not name.startswith(foreign)}


def _address_in(folder: Path, address: URL) -> dict[str, str]:
    """A service file, and one for the password, which may hold what a service file cannot."""
    _, known = address.get_dialect()().create_connect_args(address)
    password = str(known.pop("password", ""))
    lines = [f"[{SERVICE}]", *(f"{name}={value}" for name, value in known.items())]
    if any("\n" in line for line in (*lines, password)):
        raise ConfigError("database.url: PostgreSQL's programs take no line breaks")
    files = {"PGSERVICEFILE": "\n".join(lines)}
    if password:
        escaped = password.replace("\\", "\\\\").replace(":", "\\:")
        files["PGPASSFILE"] = f"*:*:*:*:{escaped}"
    for name, content in files.items():
        file = folder / name
        file.touch(0o600)
        file.write_text(f"{content}\n", encoding="utf-8")
    return {name: str(folder / name) for name in files}
