"""What a user must know comes with the next mail, once; the status has it until it is over."""

from __future__ import annotations

from email import message_from_bytes, policy
from pathlib import Path

import pytest

from tests.journeys.conftest import Deck
from tests.servers.web import Server, answer

FEED = """<rss version="2.0"><channel><item><title>Harbour {0}</title>
<link>https://news.example/{0}</link><guid>{0}</guid><description>Ships in harbour {0}.
</description></item></channel></rss>"""
WISH = ("--criteria", "ships in harbours", "--daily", "08:00", "--timezone", "UTC")
GONE = "is gone for good"
WELCOME = "this is the first edition"


@pytest.fixture
def reader(deck: Deck, server: Server) -> Deck:
    """A deck with a briefing, and a source that is gone."""
    server.says("/gone", answer(410))
    deck.ask("source", "add", server.url("/gone"), "--no-check")
    news(deck, server, 1)
    deck.ask("source", "add", server.url("/feed"))
    assert deck.do("run", "--once")[0] == 0
    return deck


def news(deck: Deck, server: Server, number: int) -> None:
    body = FEED.format(number).encode()
    server.says("/feed", answer(200, body, content_type="application/rss+xml"))
    if number > 1:
        deck.ask("source", "refresh", "--all")
        assert deck.do("run", "--once")[0] == 0


def mail_of(deck: Deck, *words: object) -> str:
    """What the mail of a run says, in both of its parts."""
    run = deck.ask("briefing", "run", 1, *words)
    (path,) = Path(deck.folder / "data" / "outbox").glob(f"*-{run['report']}.eml")
    mail = message_from_bytes(path.read_bytes(), policy=policy.default)
    texts = [part.get_content() for part in mail.walk() if not part.is_multipart()]
    return " ".join(" ".join(texts).split())


def test_a_notice_comes_with_one_mail_and_the_welcome_with_the_first(
    reader: Deck, server: Server
) -> None:
    reader.ask("briefing", "add", "Ships", *WISH, "--min-score", 0)

    preview = " ".join(reader.do("briefing", "preview", 1, "--text")[1].split())
    first = mail_of(reader)
    news(reader, server, 2)
    second = mail_of(reader)

    for text in (preview, first):
        assert (text.count(GONE) > 0, WELCOME in text) == (True, True)
    assert first.count(GONE) == 2
    assert (GONE in second, WELCOME in second) == (False, False)
    assert GONE in "".join(reader.ask("status")["notices"])


def test_in_quiet_hours_a_notice_waits_for_a_later_mail(
    reader: Deck, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.ask("briefing", "add", "Ships", *WISH, "--min-score", 0)
    monkeypatch.setenv("MORNINGDECK_DELIVERY__QUIET_HOURS", "00:00-23:59")
    quiet = mail_of(reader)
    monkeypatch.delenv("MORNINGDECK_DELIVERY__QUIET_HOURS")
    news(reader, server, 2)

    later = mail_of(reader)

    assert (GONE in quiet, GONE in later) == (False, True)


def test_a_mail_that_others_read_too_tells_them_nothing(reader: Deck) -> None:
    to = ("--to", "ada@example.org", "--to", "bob@example.org", "--channel", "folder")
    reader.ask("briefing", "add", "Ships", *WISH, "--min-score", 0, *to)

    assert GONE not in mail_of(reader)


def test_quiet_hours_that_are_none_are_told(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORNINGDECK_DELIVERY__QUIET_HOURS", "night")

    assert "delivery.quiet_hours: must be hours like 22:00-07:00" in deck.refused("status")[1]
