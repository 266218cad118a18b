"""The options that every command has, wherever they stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.main import get_command

from morningdeck.cli.commands import commands
from morningdeck.cli.globals import Globals, split
from morningdeck.errors import ConfigError

from .conftest import Terminal

ALL = Globals(config=Path("a.toml"), user="ada@example.org", json=True)
COMMAND = get_command(commands)


@pytest.mark.parametrize(
    "line",
    [
        "--config a.toml --user ada@example.org --json item list --unread",
        "item --json list --user ada@example.org --unread --config a.toml",
        "item list --unread --json --config=a.toml --user=ada@example.org",
    ],
)
def test_they_stand_anywhere(line: str) -> None:
    assert split(line.split(), COMMAND) == (ALL, ["item", "list", "--unread"])


@pytest.mark.parametrize(
    "words",
    [
        ["briefing", "add", "T", "--criteria", "--json"],
        ["source", "add", "x", "--prompt", "--user"],
        ["search", "--", "--json"],
        ["search", "--", "--user", "--config"],
    ],
)
def test_the_value_of_another_option_is_not_one_of_them(words: list[str]) -> None:
    assert split(words, COMMAND) == (Globals(), words)


def test_a_flag_takes_no_value() -> None:
    assert split(["item", "list", "--unread", "--json"], COMMAND)[0].json


@pytest.mark.parametrize("words", ["briefing run 1 --wait soon", "briefing edit 1 --max-items 1.5"])
def test_what_is_no_number_is_told_in_our_words(terminal: Terminal, words: str) -> None:
    ended = terminal(*words.split())

    option = words.split()[3]
    told = f"morningdeck: Invalid value for '{option}': must be a whole number, see: "
    assert (ended.code, ended.err.startswith(told)) == (2, True), ended.err


@pytest.mark.parametrize("name", ["--config", "--user"])
def test_a_value_must_follow(name: str) -> None:
    for words in ([name], [name, ""], [f"{name}="]):
        with pytest.raises(ConfigError, match=f"{name} needs a value"):
            split(["status", *words], COMMAND)
