"""Who is named as a recipient and gets nothing hears of it at once."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Terminal
from tests.cli.test_commands import DAILY

ADA, BOB = ("--to", "ada@example.org"), ("--to", "bob@example.org")


@pytest.fixture
def mail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORNINGDECK_SMTP__HOST", "mail.example.org")
    monkeypatch.setenv("MORNINGDECK_SMTP__FROM_ADDRESS", "deck@example.org")


def test_an_address_that_is_not_mailed_to_is_named_with_what_to_do(terminal: Terminal) -> None:
    done = terminal("briefing", "add", "A", *DAILY, *ADA, *BOB)

    assert done.code == 0
    assert done.err == (
        "nothing is mailed to ada@example.org and 1 more: this briefing goes by folder."
        " With smtp.host set, say morningdeck briefing edit 1 --channel smtp\n"
    )


@pytest.mark.usefixtures("mail")
def test_a_briefing_of_a_folder_that_is_given_an_address_says_so(terminal: Terminal) -> None:
    terminal("briefing", "add", "A", *DAILY)

    assert "nothing is mailed to ada@example.org: " in terminal("briefing", "edit", "1", *ADA).err
    assert terminal("briefing", "edit", "1", "--title", "B").err == ""
    assert terminal("briefing", "edit", "1", "--channel", "smtp").err == ""
    assert "nothing is mailed" in terminal("briefing", "edit", "1", "--channel", "folder").err


@pytest.mark.usefixtures("mail")
def test_a_briefing_that_is_mailed_says_nothing(terminal: Terminal) -> None:
    assert terminal("briefing", "add", "A", *DAILY, *ADA).err == ""
    assert terminal("briefing", "add", "B", *DAILY).err == ""
    web = ("--to", "https://push.example/x")
    assert terminal("briefing", "add", "C", *DAILY, *web, *ADA).err == ""
