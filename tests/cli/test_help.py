"""Whoever asks for help is told everything."""

from __future__ import annotations

import pytest

from morningdeck.languages import LANGUAGES
from tests.cli.conftest import Terminal
from tests.cli.walk import every_command, own_parameters

COMMANDS = {" ".join(path): command for path, command in every_command()}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_parameter_of_every_command_is_explained(name: str, terminal: Terminal) -> None:
    told = terminal(*name.split(), "--help")

    assert (told.code, told.err) == (0, "")
    for parameter in own_parameters(COMMANDS[name]):
        assert (parameter.help or "").endswith("."), parameter.name
        assert " ".join(parameter.help.split()) in " ".join(told.out.split())


def test_the_search_language_is_explained_where_it_is_used(terminal: Terminal) -> None:
    told = " ".join(terminal("search", "--help").out.split())

    for word in ("Every word", "quotation marks", "begin*", "-word", "OR", "title:", "is:unread"):
        assert word in told


def test_the_languages_are_named_where_one_is_chosen(terminal: Terminal) -> None:
    assert ", ".join(LANGUAGES) in " ".join(terminal("briefing", "add", "--help").out.split())


@pytest.mark.parametrize("words", [(), ("source",), ("opml",)])
def test_without_a_command_it_says_which_there_are(
    words: tuple[str, ...], terminal: Terminal
) -> None:
    told = terminal(*words)

    assert (told.code, told.out) == (2, "")
    assert "Commands:" in told.err
