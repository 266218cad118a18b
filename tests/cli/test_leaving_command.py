"""`user export` and `user remove`: the same as the pages do, for whoever runs the deck."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

from tests.cli.conftest import Terminal


def test_all_of_a_user_is_written_to_a_file(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "deck.zip"
    made = terminal.json("user", "export", "me@localhost", str(file))

    assert (made["file"], made["bytes"]) == (str(file), file.stat().st_size)
    with ZipFile(file) as packed:
        assert {"profile.json", "sources.opml", "items.json"} <= {*packed.namelist()}
    assert file.stat().st_mode & 0o077 == 0
    assert terminal("user", "export", "me@localhost", str(file)).code == 1
    assert terminal("user", "export", "me@localhost", str(file), "--force").code == 0


def test_a_file_that_cannot_be_is_one_clear_line(terminal: Terminal) -> None:
    ended = terminal("user", "export", "me@localhost", "/proc/nowhere/deck.zip")

    assert ended.code == 1
    assert "cannot write '/proc/nowhere/deck.zip'" in ended.err


def test_a_user_is_removed_by_whoever_says_so(terminal: Terminal) -> None:
    terminal.json("user", "add", "ada@example.org")

    unsure = terminal("user", "remove", "ada@example.org")
    assert (unsure.code, "cannot be undone" in unsure.err) == (2, True)
    assert terminal.json("user", "remove", "ada@example.org", "--yes")["email"] == "ada@example.org"
    assert [one["email"] for one in terminal.json("user", "list")] == ["me@localhost"]
