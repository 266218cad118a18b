"""Passwords and one-time codes, at the command line."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Terminal
from tests.cli.on_terminal import at_terminal

CODE = r"[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}"


def test_a_code_is_printed_with_the_page_that_takes_it(terminal: Terminal) -> None:
    made = terminal.json("user", "claim")

    assert re.fullmatch(CODE, made["code"])
    assert (made["email"], made["address"]) == ("me@localhost", "http://127.0.0.1:8484/claim")
    assert terminal.json("user", "claim", "me@localhost")["code"] != made["code"]
    assert terminal("user", "claim", "eve@example.org").code == 1


def test_the_page_lies_where_the_web_is_seen_from_outside(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_WEB__BASE_URL", "https://d.example/deck/")

    assert terminal.json("user", "claim")["address"] == "https://d.example/deck/claim"


def test_a_password_is_read_from_a_pipe(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a few good words\n"))

    assert terminal.json("user", "password", "me@localhost")["email"] == "me@localhost"


@pytest.mark.parametrize(("given", "told"), [("", "no password was given"), ("short\n", "10 char")])
def test_no_password_is_one_clear_line(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, given: str, told: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(given))

    ended = terminal("user", "password", "me@localhost")

    assert ended.code == 2
    assert told in ended.err


def test_at_a_terminal_it_is_asked_for_twice_and_not_shown(tmp_path: Path) -> None:
    words = "a few good words"
    answers = [("New password: ", words), ("for confirmation: ", words)]

    shown = at_terminal(tmp_path, "user", "password", "me@localhost", answers=answers)

    assert "me@localhost" in shown
    assert "good words" not in shown


def test_somebody_is_switched_off_and_on_but_not_the_only_admin(terminal: Terminal) -> None:
    terminal.json("user", "add", "eve@example.org")

    assert terminal.json("user", "disable", "eve@example.org")["enabled"] is False
    assert terminal("user", "claim", "eve@example.org").code == 1
    assert terminal.json("user", "enable", "eve@example.org")["enabled"] is True
    assert terminal("user", "disable", "me@localhost").code == 1
