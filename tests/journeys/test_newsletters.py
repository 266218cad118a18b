"""Newsletters of a real mailbox, from the first command to items that can be found."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from tests.journeys.conftest import Deck
from tests.letters import STORIES, letter, newsletter
from tests.parsing.test_chosen_stories import ESSAY
from tests.servers import endpoint as play
from tests.servers.dovecot import PASSWORD, Dovecot, MailFolder
from tests.servers.endpoint import ModelServer


@pytest.fixture
def inbox(imap_server: Dovecot, monkeypatch: pytest.MonkeyPatch) -> MailFolder:
    """The inbox that the settings name."""
    inbox = imap_server.mailbox()
    settings = {
        "HOST": "127.0.0.1",
        "PORT": str(imap_server.port),
        "USERNAME": inbox.user,
        "PASSWORD": PASSWORD,
    }
    for name, value in settings.items():
        monkeypatch.setenv(f"MORNINGDECK_IMAP__{name}", value)
    inbox.drop()
    return inbox


def titles(deck: Deck) -> list[str]:
    return sorted(item["title"] for item in deck.ask("item", "list"))


def test_h16_an_html_only_newsletter_brings_items(deck: Deck, inbox: MailFolder) -> None:
    address = f"imap://{inbox.user}@127.0.0.1/INBOX?from=*@grid.example"
    source = deck.ask("source", "add", address, "--name", "Grid")["id"]
    inbox.drop(letter(html=newsletter()), letter(text="Lunch?", sender="bob@example.org"))

    deck.do("run", "--once")

    assert titles(deck) == sorted(STORIES)
    shown = deck.ask("source", "show", source)
    assert (shown["type"], shown["items"], shown["warnings"]) == ("email", len(STORIES), [])
    (hit,) = deck.ask("search", '"hydrogen pipeline"')["hits"]
    assert hit["url"].startswith("https://grid.example/1/3")


def test_a_model_takes_a_letter_apart_that_looks_like_one(
    deck: Deck, inbox: MailFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [{"title": n, "last": n + 1, "link": n + 1} for n in (1, 3, 5, 7)]
    with ModelServer(play.said(json.dumps({"stories": numbers})), play.good) as model:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-journey")
        monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
        deck.ask("source", "add", f"imap://{inbox.user}@127.0.0.1")
        inbox.drop(letter(html=ESSAY, date=datetime.now(UTC)))

        deck.do("run", "--once")

    assert titles(deck) == sorted(STORIES)
    assert deck.ask("search", '"hydrogen pipeline"')["hits"][0]["url"] == "https://grid.example/3"


def test_the_next_issue_brings_only_its_own_items(deck: Deck, inbox: MailFolder) -> None:
    inbox.drop(letter(html=newsletter()))
    source = deck.ask("source", "add", f"imap://{inbox.user}@127.0.0.1")["id"]
    deck.do("run", "--once")

    fresh = {f"{title}, a week later": body for title, body in STORIES.items()}
    inbox.drop(letter(html=newsletter(fresh, issue=2), message_id="<43@grid.example>"))
    deck.do("source", "refresh", source)
    deck.do("run", "--once")

    assert titles(deck) == sorted([*STORIES, *fresh])


def test_a_confirmation_is_shown_with_its_link(deck: Deck, inbox: MailFolder) -> None:
    html = '<p>One step to go:</p><a href="https://grid.example/yes">Confirm my subscription</a>'
    inbox.drop(letter(html=html, subject="Please confirm your subscription"))
    source = deck.ask("source", "add", f"imap://{inbox.user}@127.0.0.1")["id"]

    deck.do("run", "--once")

    assert titles(deck) == []
    (warning,) = deck.ask("source", "show", source)["warnings"]
    assert "https://grid.example/yes" in warning


def test_a_wrong_password_is_said_before_anything_is_added(
    deck: Deck, inbox: MailFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_IMAP__PASSWORD", "wrong")

    code, line = deck.refused("source", "add", f"imap://{inbox.user}@127.0.0.1")

    assert code == 1
    assert "imap.password" in line
    assert deck.ask("source", "list") == []


def test_a_password_in_the_address_is_refused_and_not_repeated(deck: Deck) -> None:
    code, line = deck.refused("source", "add", "imap://ada:s3cret@mail.example/INBOX")

    assert code == 2
    assert "imap.password" in line
    assert "s3cret" not in line
