from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest

from morningdeck.delivery import addressed
from morningdeck.errors import PermanentError
from morningdeck.model.sending import Report
from morningdeck.outgoing_mail import MailWriter, compose
from morningdeck.render import MAX_BYTES, render
from tests.render.conftest import long_stories
from tests.test_brief import BRIEFING


def composed(report: Report, **changes: Any) -> bytes:
    arguments: dict[str, Any] = {
        "recipient": "Jane <jane@example.org>",
        "sender": "Morning Deck <news@deck.example>",
        "message_id": "<9.88@deck.example>",
    }
    return compose(report, render(report), **(arguments | changes))


def read(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def test_a_mail_has_its_text_before_its_page(report: Report) -> None:
    message = read(composed(report))
    parts = list(message.iter_parts())
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in parts] == ["text/plain", "text/html"]
    assert parts[0].get_content().splitlines() == render(report).text.splitlines()
    assert parts[1].get_content().splitlines() == render(report).html.splitlines()


def test_the_headers_say_who_what_and_that_no_person_wrote_it(report: Report) -> None:
    message = read(composed(report))
    assert message["From"] == "Morning Deck <news@deck.example>"
    assert message["To"] == "Jane <jane@example.org>"
    assert message["Subject"] == report.subject
    assert message["Date"].datetime == datetime(2026, 11, 18, 7, 0, tzinfo=UTC)
    assert message["Message-ID"] == "<9.88@deck.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["List-ID"] == "<briefing-88.deck.example>"
    assert message["List-Unsubscribe"] is None


def test_unsubscribing_takes_one_click_however_long_the_link(report: Report) -> None:
    url = "https://deck.example/unsubscribe/" + "token" * 60
    rendered = render(report, unsubscribe_url=url)
    content = compose(
        report, rendered, recipient="a@b.example", sender="c@d.example", message_id="<1@x>"
    )
    assert f"List-Unsubscribe: <{url}>\r\n".encode() in content
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in content
    assert url in read(content).get_body(("plain",)).get_content()  # type: ignore[union-attr]


def test_the_bytes_are_ready_for_the_wire(report: Report) -> None:
    content = composed(replace(report, overview="Größe, 漢字, 👋 [1]."))
    lines = content.split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= 998
    assert content.isascii()
    assert content.count(b"Content-Transfer-Encoding: quoted-printable") == 2


def test_the_same_report_gives_the_same_bytes(report: Report) -> None:
    assert composed(report) == composed(report)


@pytest.mark.parametrize(
    "subject",
    [
        "Hello\r\nBcc: everyone@example.org",
        "Hello\nX-Evil: 1\n\nbody",
        "Größe und 漢字 und 👩‍👩‍👧 und שלום " * 20,
        "\u202eevil \x00 \ud800 \u2028 Bcc: x",
        "=?utf-8?q?a=0ABcc=3A_x?=",
        "",
    ],
)
def test_no_subject_adds_a_header(report: Report, subject: str) -> None:
    message = read(composed(replace(report, subject=subject, briefing_title=subject)))
    assert sorted(message.keys()) == sorted(read(composed(report)).keys())
    assert len(message["Subject"]) <= 160
    assert "Wednesday 18 November" in str(message.get_body(("plain",)))


@pytest.mark.parametrize(
    "recipient",
    [
        "",
        "jane",
        "jane@",
        "@example.org",
        "jane@example.org, joe@example.org",
        "jane@example.org\r\nBcc: joe@example.org",
        "jän@example.org",
        "jane@" + "x" * 70 + ".org",
        "jane doe@example.org",
        "=?utf-8?q?a=0ABcc=3A_b?= <jane@example.org>",
    ],
)
def test_a_recipient_is_one_address(report: Report, recipient: str) -> None:
    with pytest.raises(PermanentError, match="is not an address"):
        composed(report, recipient=recipient)


def test_an_address_in_another_script_is_spelled_for_the_wire(report: Report) -> None:
    message = read(composed(report, recipient="Jörg <joerg@müller.example>"))
    assert message["To"] == "Jörg <joerg@xn--mller-kva.example>"


@pytest.mark.parametrize("text", ["word ", "漢字", "<é=>", "\u202e\x00x"])
def test_a_mail_of_25_long_stories_stays_under_the_limit(report: Report, text: str) -> None:
    items = long_stories(report, text, most=9, address=290)
    long = text * 5000
    crowded = replace(report, items=items, overview=f"{long}\n" * 9, broken_sources=(long,) * 99)
    content = composed(replace(crowded, briefing_title=long, subject=long))
    assert len(content) < MAX_BYTES
    assert len(content) > MAX_BYTES / 3
    read(content)


def test_the_text_is_readable_in_78_columns(report: Report) -> None:
    title = "Donaudampfschifffahrtsgesellschaft " * 9 + "x" * 200
    long = replace(report.items[0], title=title, summary="many words " * 60)
    wide = replace(report, items=(long,), broken_sources=("A feed with a name",) * 12)
    text = render(wide, base_url="https://deck.example/").text
    assert all(len(line) <= 78 for line in text.splitlines())
    assert "https://news.example/1" in text


def test_the_text_is_not_escaped(report: Report) -> None:
    text = render(report).text
    assert "Energy & grid" in text
    assert "1. Batteries carry Texas\n\nReuters · 06:00 · 99/100\n" in text
    assert "Why: matches the grid\nAlso in: Bloomberg, Montel\n#Storage  #Texas\n" in text
    assert "\n\n\n" not in text


def test_a_quiet_day_is_a_mail_too(report: Report) -> None:
    quiet = replace(report, items=(), overview="Nothing new.", language="de")
    message = read(composed(quiet))
    text = message.get_body(("plain",))
    assert text is not None
    assert "Neue Meldungen geprüft: 214, ausgewählt: 0." in text.get_content()


def test_every_address_gets_the_same_text_and_page(report: Report) -> None:
    writer = MailWriter("Morning Deck <news@deck.example>", addressed)
    briefing = replace(BRIEFING, recipients=("ada@a.example", "bob@b.example"), channels=("smtp",))
    rendered = writer.render(report)

    ada, bob = writer.envelopes(briefing, report, rendered)

    assert (ada.address, bob.address) == briefing.recipients
    assert ada.message_id != bob.message_id
    assert read(ada.content)["To"] == "ada@a.example"
    for envelope in (ada, bob):
        text, page = (part.get_content() for part in read(envelope.content).iter_parts())
        assert text.replace("\r\n", "\n") == rendered.text
        assert page.replace("\r\n", "\n") == rendered.html


def test_the_copy_for_a_folder_is_one_and_names_its_owner(report: Report) -> None:
    writer = MailWriter("Morning Deck <news@deck.example>", addressed)

    (envelope,) = writer.envelopes(BRIEFING, report, writer.render(report))

    assert (envelope.address, envelope.file_stem) == ("folder", "2026-11-18-energy-grid-9")
    assert read(envelope.content)["To"] == BRIEFING.user_email
    assert envelope.content == writer.envelopes(BRIEFING, report, writer.render(report))[0].content
