"""Every option and argument of every command is given the extremes of its kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ended, Terminal
from tests.cli.walk import every_command, own_parameters

NUMBERS = ("0", "-1", str(2**63), str(10**30), "1e3", "")
TEXTS = ("", " ", "\0", "x" * 100_000, "\ud800 \udcff", "-1", str(10**30), "\u202e\x1b[31m\n", "/")
MOMENTS = ("0001-01-01", "9999-12-31T23:59:59-14:00", "999999w", "99999999999d", "10000-01-01")
ADDRESSES = ("http://[::1", "http://\ud800/", "https://example.org:99999/", "a@" + "b" * 300, "@")
WORDS = {
    "id": "1",
    "ids": "1",
    "title": "Title",
    "criteria": "ships",
    "email": "ada@example.org",
    "file": "some.file",
    "query": "ships",
    "left": "7",
    "name": "Ships",
    "to": "ada@example.org",
    "older_than": "14d",
    "url": "http://127.0.0.1:9/",
}
"""What the parameters that must be there are given while another one is tried."""
MORE = {"source add": ["--no-check"], "briefing add": ["--daily", "08:00"], "run": ["--once"]}
INSTEAD = {"weekly": ["--at", "08:00"], "at_time": ["--weekly", "mon"], "daily": []}
COMMANDS = {" ".join(path): command for path, command in every_command()}


GLOBALS = ("--config", "--user")
SAMPLE = 5
"""PostgreSQL is given one in so many: what it alone minds is the same in all commands."""


def lines_of(name: str) -> Iterator[list[str]]:
    """Command lines that each give one parameter an extreme."""
    parameters = own_parameters(COMMANDS[name])
    needed = [each for each in parameters if each.required]
    for tried in parameters:
        if getattr(tried, "is_flag", False):
            continue
        for value in extremes_of(tried):
            line = [*name.split(), *INSTEAD.get(tried.name, MORE.get(name, []))]
            for each in (*needed, *(() if tried in needed else (tried,))):
                given = value if each is tried else WORDS[each.name]
                line += [given] if each.param_type_name == "argument" else [each.opts[0], given]
            yield line


def extremes_of(parameter: Any) -> tuple[str, ...]:
    if "int" in parameter.bare_type() or "float" in parameter.bare_type():
        return NUMBERS
    return (*TEXTS, *MOMENTS, *ADDRESSES)


@pytest.fixture
def filled(terminal: Terminal, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A deck with one of everything that a command may name."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("MORNINGDECK_HTTP__TIMEOUT_SECONDS", "0.5")
    terminal.add_source()
    terminal.json("briefing", "add", "Morning", "--criteria", "ships", "--daily", "08:00")
    terminal.json("item", "add", "https://example.org/1")
    return terminal


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "demo"])
def test_whatever_a_parameter_is_given_the_answer_is_one_line(
    name: str, filled: Terminal, database_url: str
) -> None:
    every = 1 if database_url.startswith("sqlite") else SAMPLE
    for number, line in zip(count(len(name)), lines_of(name), strict=False):
        if number % every == 0:
            expect_one_line(line, filled(*line, "--json"))


@pytest.mark.parametrize("option", GLOBALS)
def test_the_options_of_every_command_are_answered_in_one_line_too(
    option: str, terminal: Terminal
) -> None:
    for value in (*TEXTS, *ADDRESSES):
        expect_one_line([option, value], terminal("source", "list", option, value, "--json"))


def test_what_can_be_no_folder_is_no_place_for_a_demo(terminal: Terminal) -> None:
    for value in ("\0", "x" * 100_000, "\ud800", "/dev/null", "/proc/nowhere"):
        expect_one_line(["demo", "--keep", value], terminal("demo", "--keep", value, "--json"))


def test_bytes_that_are_no_text_are_answered_in_one_line_too(tmp_path: Path) -> None:
    for words in (
        [b"search", b"\xff\xfe"],
        [b"briefing", b"show", b"\x80"],
        [b"--user=\xc3", b"status"],
    ):
        ended = subprocess.run(
            [sys.executable, "-m", "morningdeck", *words, "--json"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "MORNINGDECK_DATA_DIR": "data"},
        )
        expect_one_line([repr(words)], Ended(ended.returncode, ended.stdout, ended.stderr))


def expect_one_line(line: list[str], ended: Ended) -> None:
    said = [word[:40] for word in line], ended.err[:500]
    assert ended.code in (0, 1, 2), said
    assert len(ended.err) < 1000, said
    assert ended.err.count("\n") == (ended.code != 0), said
    told = ended.out and json.loads(ended.out) is not None  # a test tells its steps and fails
    assert told or ended.code, said
