"""A new SQLite file that several processes open at the same moment."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

from sqlalchemy import make_url, text

from morningdeck.store.database.sqlite import SqliteDatabase

OPENERS = 8


def opened_at(file: Path) -> SqliteDatabase:
    return SqliteDatabase(make_url(f"sqlite:///{file}"), pool_size=1)


def test_nobody_finds_a_new_database_locked(tmp_path: Path) -> None:
    for number in range(25):
        file = tmp_path / f"{number}.db"
        all_ready = Barrier(OPENERS)

        def opened(_number: int, file: Path = file, all_ready: Barrier = all_ready) -> str:
            all_ready.wait()
            with closing(opened_at(file)) as database, database.read() as connection:
                return str(connection.scalar(text("PRAGMA journal_mode")))

        with ThreadPoolExecutor(OPENERS) as openers:
            assert list(openers.map(opened, range(OPENERS))) == ["wal"] * OPENERS


def test_a_copy_in_another_mode_is_used_as_any_other(tmp_path: Path) -> None:
    file = tmp_path / "copy.db"
    with closing(sqlite3.connect(file)) as copy:
        copy.execute("CREATE TABLE kept (word TEXT)")

    with closing(opened_at(file)) as database, database.read() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("SELECT count(*) FROM kept")) == 0
