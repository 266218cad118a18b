"""Briefings by mail, as whoever runs the program sees them leave, wait and fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email import message_from_bytes

import pytest

from morningdeck.app import open_app
from morningdeck.settings.reading import load
from tests.journeys.conftest import Deck
from tests.journeys.test_first_morning import STORAGE, WIND
from tests.servers.feeds import FeedServer
from tests.servers.mail import ScriptedMailServer, drop

TO = ("ada", "bob", "eve")
Outcomes = list[tuple[str, int]]


@pytest.fixture
def mail_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedMailServer]:
    with ScriptedMailServer(logins={"deck": "right"}) as server:
        settings = {
            "SMTP__HOST": "127.0.0.1",
            "SMTP__PORT": str(server.port),
            "SMTP__SECURITY": "none",
            "SMTP__FROM_ADDRESS": "Morning Deck <deck@example.org>",
            "SMTP__USERNAME": "deck",
            "SMTP__PASSWORD": "right",
            "RETRY__SCHEDULE_MINUTES": "[0.005]",
        }
        for name, value in settings.items():
            monkeypatch.setenv(f"MORNINGDECK_{name}", value)
        yield server


@pytest.fixture
def briefing(deck: Deck, site: FeedServer, mail_server: ScriptedMailServer) -> int:
    """For three readers, with news that is read."""
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, STORAGE]))
    wish = ("--criteria", "Offshore wind and grid storage", "--daily", "07:30", "--quiet-days")
    to = [word for name in TO for word in ("--to", f"{name}@example.org")]
    made = deck.ask("briefing", "add", "Energy", *wish, "note", *to)
    assert made["channels"] == ["smtp"]
    deck.do("run", "--once")
    return int(made["id"])


@pytest.fixture
def outcomes(deck: Deck) -> Callable[[], Outcomes]:
    """Of the latest report: the state of each delivery, and how often it was tried."""

    def latest() -> Outcomes:
        report = deck.ask("report", "list", "--limit", 1)[0]
        return [(one["state"], one["attempts"]) for one in report["deliveries"]]

    return latest


def readers(server: ScriptedMailServer) -> list[str]:
    """Who has got a mail, as often as they have."""
    return [mail.recipient.removeprefix("TO:<").partition("@")[0] for mail in server.mails]


def test_each_reader_has_a_mail_of_their_own(
    deck: Deck, mail_server: ScriptedMailServer, briefing: int
) -> None:
    run = deck.ask("briefing", "run", briefing)

    assert readers(mail_server) == list(TO)
    assert {one["reply"] for one in run["deliveries"]} == {"250 2.0.0 kept as 4711"}
    mails = [message_from_bytes(mail.content) for mail in mail_server.mails]
    assert [mail["To"] for mail in mails] == [f"{name}@example.org" for name in TO]
    assert [one["message_id"] for one in run["deliveries"]] == [one["Message-ID"] for one in mails]


def test_one_who_is_refused_keeps_no_other_reader_from_the_news(
    deck: Deck, mail_server: ScriptedMailServer, briefing: int, outcomes: Callable[[], Outcomes]
) -> None:
    mail_server.says("RCPT", b"250 ok", b"550 5.1.1 unknown")

    deck.ask("briefing", "run", briefing)
    deck.do("run", "--once")

    assert readers(mail_server) == ["ada", "eve"]
    assert outcomes() == [("SENT", 1), ("REFUSED", 1), ("SENT", 1)]
    (notice,) = deck.ask("status")["notices"]
    assert "was refused by bob@example.org" in notice


def test_who_is_greylisted_has_the_mail_a_little_later_and_once(
    deck: Deck, mail_server: ScriptedMailServer, briefing: int, outcomes: Callable[[], Outcomes]
) -> None:
    mail_server.says("RCPT", *[b"451 4.7.1 greylisted"] * 5)
    deck.do("briefing", "run", briefing)

    deck.do("run", "--once")

    assert sorted(readers(mail_server)) == list(TO)
    assert sum(tried for _, tried in outcomes()) == 8


def test_a_server_that_is_away_for_a_moment_costs_nobody_the_mail(
    deck: Deck, mail_server: ScriptedMailServer, briefing: int
) -> None:
    mail_server.says("connect", drop, drop)
    deck.do("briefing", "run", briefing)

    deck.do("run", "--once")

    assert sorted(readers(mail_server)) == list(TO)


def test_what_may_have_arrived_is_held_until_its_reader_says_more(
    deck: Deck, mail_server: ScriptedMailServer, briefing: int, outcomes: Callable[[], Outcomes]
) -> None:
    mail_server.says("dot", drop)
    deck.do("briefing", "run", briefing)
    deck.do("run", "--once")
    assert outcomes() == [("UNKNOWN", 1), ("SENT", 1), ("SENT", 1)]

    deck.ask("report", "send", deck.ask("report", "list")[0]["id"])

    assert outcomes() == [("SENT", 2), ("SENT", 1), ("SENT", 1)]
    first, *_, again = mail_server.complete
    assert first.content == again.content


def test_what_may_have_arrived_is_sent_again_where_the_settings_want_it(
    deck: Deck,
    mail_server: ScriptedMailServer,
    briefing: int,
    outcomes: Callable[[], Outcomes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MORNINGDECK_DELIVERY__ON_AMBIGUOUS", "resend")
    mail_server.says("dot", drop)

    deck.do("briefing", "run", briefing)
    deck.do("run", "--once")

    assert outcomes() == [("SENT", 2), ("SENT", 1), ("SENT", 1)]
    first, *_, again = mail_server.complete
    assert message_from_bytes(first.content)["Message-ID"] in again.content.decode()


def test_a_wrong_password_is_told_once_and_tried_once_for_all(
    deck: Deck, mail_server: ScriptedMailServer, briefing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_SMTP__PASSWORD", "xyzzy")
    deck.do("briefing", "run", briefing)
    _, out, err = deck.do("report", "show", 1)

    assert mail_server.came("MAIL") == 0
    assert mail_server.connections == 1
    (notice,) = deck.ask("status")["notices"]
    assert "check smtp.username and smtp.password" in notice
    assert "check smtp.username and smtp.password" in out
    assert "xyzzy" not in out + err + notice

    monkeypatch.setenv("MORNINGDECK_SMTP__PASSWORD", "right")
    deck.ask("report", "send", 1)

    assert readers(mail_server) == list(TO)
    assert deck.ask("status")["notices"] == []


def test_the_login_can_be_tried_without_a_mail(
    deck: Deck, mail_server: ScriptedMailServer, briefing: int
) -> None:
    with open_app(load()) as app:
        app.adapters.ways_out.try_mail()

    assert (mail_server.came("AUTH"), mail_server.came("MAIL")) == (1, 0)


@pytest.mark.parametrize("host", ["smtp://mail.example", "ada:geheim@mail.example", "mail:25"])
def test_a_host_that_is_none_is_a_mistake_in_the_settings(
    deck: Deck, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("MORNINGDECK_SMTP__HOST", host)

    code, line = deck.refused("status")

    assert code == 2
    assert "smtp.host" in line
