"""A briefing run by hand: it has what is new, and says so when nobody got it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from morningdeck.delivery import CHANNELS, ChannelKind
from morningdeck.errors import PermanentError
from morningdeck.model.sending import Delivery, Receipt
from tests.journeys.conftest import Deck
from tests.journeys.test_first_morning import FOOTBALL, STORAGE, WIND, add_energy
from tests.servers.feeds import FeedServer

ENERGY = ("Energy", "--criteria", "Offshore wind and grid storage", "--daily", "07:30")


class Postman:
    """The port `Channel`; refuses for as long as he is told to."""

    refuses = True

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        if self.refuses:
            raise PermanentError(f"550 no such user {delivery.address}")
        return Receipt("250 ok")


@pytest.fixture
def postman(monkeypatch: pytest.MonkeyPatch) -> Postman:
    postman = Postman()
    monkeypatch.setitem(CHANNELS, "smtp", ChannelKind(lambda means: postman))
    return postman


def failed(deck: Deck, *words: object) -> tuple[Any, str]:
    """What a command printed that ended with exit code 1, and why it did."""
    code, out, err = deck.do(*words, "--json")
    assert code == 1
    return json.loads(out), err


# ---- what is new


def test_a_run_right_after_the_first_commands_has_the_news(deck: Deck, site: FeedServer) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, STORAGE, FOOTBALL]))
    briefing = add_energy(deck)

    run = deck.ask("briefing", "run", briefing)

    assert (run["unscored"], run["unread_sources"]) == (0, 0)
    assert run["items"] == 2


def test_a_run_right_after_a_briefing_was_added_weighs_what_was_read(
    deck: Deck, site: FeedServer
) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, STORAGE]))
    deck.do("run", "--once")

    assert deck.ask("briefing", "run", add_energy(deck))["items"] == 2


def test_what_is_not_scored_yet_is_no_quiet_day(deck: Deck, site: FeedServer) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, STORAGE]))
    deck.do("run", "--once")
    deck.ask("source", "add", site.publish("/b.xml", "Herald", [FOOTBALL]))
    briefing = add_energy(deck)

    seen = deck.ask("briefing", "preview", briefing)
    run = deck.ask("briefing", "run", briefing, "--wait", 0)
    said = deck.do("briefing", "preview", briefing)[2]

    for view in (seen, run):
        assert (view["unscored"], view["unread_sources"]) == (2, 1)
    assert "not in here: 1 source not read yet and 2 items not scored yet" in said


def test_a_run_without_a_daemon_reads_what_is_due_again(deck: Deck, site: FeedServer) -> None:
    for number in range(3):  # of one host
        url = site.publish(f"/{number}.xml", "Gazette", [])
        deck.ask("source", "add", url)
    deck.do("run", "--once")
    briefing = add_energy(deck)
    site.publish("/0.xml", "Gazette", [WIND])
    site.publish("/2.xml", "Gazette", [STORAGE])
    deck.ask("source", "refresh", "--all")  # as after a night without a daemon

    unread = deck.ask("briefing", "run", briefing, "--wait", 0)
    run = deck.ask("briefing", "run", briefing)

    assert (unread["items"], unread["unread_sources"]) == (0, 3)
    assert (run["items"], run["unread_sources"]) == (2, 0)


def test_a_run_waits_for_no_source_that_cannot_be_read(deck: Deck, site: FeedServer) -> None:
    url = site.publish("/a.xml", "Gazette", [WIND])
    deck.ask("source", "add", url)
    deck.ask("source", "add", url.replace("a.xml", "gone.xml"), "--no-check")

    run = deck.ask("briefing", "run", add_energy(deck), "--wait", 86_400)

    assert run["items"] == 1


# ---- who gets it


def test_a_run_that_nobody_got_fails_and_its_news_come_again(
    deck: Deck, site: FeedServer, postman: Postman
) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, STORAGE]))
    to = ("--channel", "smtp", "--to", "ada@example.org", "--to", "bob@example.org")
    briefing = deck.ask("briefing", "add", *ENERGY, *to)["id"]

    run, why = failed(deck, "briefing", "run", briefing)
    again, closed = deck.refused("report", "send", run["report"])
    postman.refuses = False

    assert [delivery["state"] for delivery in run["deliveries"]] == ["REFUSED"] * 2
    assert "reached nobody and is closed" in why
    assert "550 no such user ada@example.org" in why
    assert (again, "is closed" in closed) == (1, True)
    assert deck.ask("briefing", "run", briefing)["items"] == 2


@pytest.mark.parametrize(
    ("channel", "reason"),
    [("pigeon", "this version cannot deliver by it yet"), ("smtp", "needs an address")],
)
def test_a_channel_that_could_deliver_to_nobody_is_refused_at_the_door(
    deck: Deck, postman: Postman, channel: str, reason: str
) -> None:
    code, line = deck.refused("briefing", "add", *ENERGY, "--channel", channel)

    assert code == 2
    assert line.startswith(f"morningdeck: channel '{channel}'")
    assert reason in line
    assert deck.ask("briefing", "list") == []


def test_a_channel_that_has_gone_since_swallows_nothing(
    deck: Deck, site: FeedServer, postman: Postman
) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND]))
    to = ("--channel", "smtp", "--to", "ada@example.org")
    briefing = deck.ask("briefing", "add", *ENERGY, *to)["id"]
    del CHANNELS["smtp"]

    _, why = failed(deck, "briefing", "run", briefing)

    assert "channel 'smtp' is not set up" in why
    CHANNELS["smtp"] = ChannelKind(lambda means: postman)
    postman.refuses = False
    (report,) = deck.ask("report", "list")
    (sent,) = deck.ask("report", "send", report["id"])["deliveries"]
    assert (sent["state"], sent["attempts"]) == ("SENT", 2)
