"""A mailbox for bounces on a real IMAP server: who is gone gets no more mail, and is told of."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes

import pytest

from tests.journeys.conftest import Deck
from tests.parsing.test_bounce import dsn
from tests.servers.dovecot import PASSWORD, Dovecot, MailFolder
from tests.servers.mail import ScriptedMailServer
from tests.servers.web import Server, answer

FEED = """<rss version="2.0"><channel><item><title>Harbour {0}</title>
<link>https://news.example/{0}</link><guid>{0}</guid><description>Ships in harbour {0}.
</description></item></channel></rss>"""
WISH = ("--criteria", "ships in harbours", "--daily", "08:00", "--timezone", "UTC")
BOTH = ("--to", "ada@example.org", "--to", "bob@example.org")


@pytest.fixture
def mail_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedMailServer]:
    with ScriptedMailServer() as server:
        monkeypatch.setenv("MORNINGDECK_SMTP__HOST", "127.0.0.1")
        monkeypatch.setenv("MORNINGDECK_SMTP__PORT", str(server.port))
        monkeypatch.setenv("MORNINGDECK_SMTP__SECURITY", "none")
        monkeypatch.setenv("MORNINGDECK_SMTP__FROM_ADDRESS", "deck@example.org")
        yield server


@pytest.fixture
def inbox(imap_server: Dovecot, monkeypatch: pytest.MonkeyPatch) -> MailFolder:
    folder = imap_server.mailbox()
    folder.drop(b"From: ada@example.org\r\nSubject: Hello\r\n\r\n550 5.1.1 user unknown\r\n")
    monkeypatch.setenv("MORNINGDECK_BOUNCES__HOST", "127.0.0.1")
    monkeypatch.setenv("MORNINGDECK_BOUNCES__PORT", str(imap_server.port))
    monkeypatch.setenv("MORNINGDECK_BOUNCES__USERNAME", folder.user)
    monkeypatch.setenv("MORNINGDECK_BOUNCES__PASSWORD", PASSWORD)
    return folder


def news(deck: Deck, server: Server, number: int) -> None:
    body = FEED.format(number).encode()
    server.says("/feed", answer(200, body, content_type="application/rss+xml"))
    deck.ask("source", "refresh", "--all")
    assert deck.do("run", "--once")[0] == 0


def id_of_mail_to(server: ScriptedMailServer, address: str) -> str:
    (mail,) = [one for one in server.mails if address in one.recipient]
    return str(message_from_bytes(mail.content)["Message-ID"])


def test_an_address_that_is_gone_is_ended_by_its_bounce_until_it_is_named_again(
    deck: Deck, server: Server, mail_server: ScriptedMailServer, inbox: MailFolder
) -> None:
    server.says("/feed", answer(200, FEED.format(1).encode(), content_type="application/rss+xml"))
    deck.ask("source", "add", server.url("/feed"))
    deck.ask("briefing", "add", "Ships", *WISH, *BOTH, "--min-score", 0)
    deck.ask("briefing", "run", 1)
    name = id_of_mail_to(mail_server, "ada@example.org")
    back = dsn("5.1.1", "smtp; 550 5.1.1 no such user")

    inbox.drop(back.replace(b"<report-7.abc@deck.example>", b"<report-7.abc@forged.example>"))
    assert deck.do("run", "--once")[0] == 0
    untouched = deck.ask("briefing", "show", 1)["ended"]
    inbox.drop(back.replace(b"<report-7.abc@deck.example>", name.encode()))
    news(deck, server, 2)
    run = deck.ask("briefing", "run", 1)
    shown, status = deck.ask("briefing", "show", 1), deck.ask("status")
    deck.ask("briefing", "edit", 1, *BOTH)
    news(deck, server, 3)
    again = deck.ask("briefing", "run", 1)

    assert untouched == []
    assert [one["address"] for one in run["deliveries"]] == ["bob@example.org"]
    assert (shown["ended"], len(shown["recipients"])) == (["ada@example.org"], 2)
    assert "does not go to ada@example.org any more" in "".join(status["notices"])
    assert len(again["deliveries"]) == 2
    assert deck.ask("status")["notices"] == []


def test_a_mailbox_that_cannot_be_read_is_told_until_it_can_and_holds_nothing_up(
    deck: Deck, inbox: MailFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_BOUNCES__PASSWORD", "s3cret")

    code, out, err = deck.do("run", "--once")
    (notice,) = deck.ask("status")["notices"]
    monkeypatch.setenv("MORNINGDECK_BOUNCES__PASSWORD", PASSWORD)
    deck.do("run", "--once")

    assert code == 0
    assert "bounces_unread" in err
    assert "s3cret" not in f"{out}{err}{notice}"
    assert notice.startswith("mail that comes back is not read: 127.0.0.1: refused the login")
    assert "check bounces.username and bounces.password" in notice
    assert deck.ask("status")["notices"] == []


def test_a_mailbox_that_is_not_set_any_more_is_told_of_no_more(
    deck: Deck, inbox: MailFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_BOUNCES__PASSWORD", "s3cret")
    deck.do("run", "--once")
    for name in ("HOST", "PORT", "USERNAME", "PASSWORD"):
        monkeypatch.delenv(f"MORNINGDECK_BOUNCES__{name}")

    deck.do("run", "--once")

    assert deck.ask("status")["notices"] == []
