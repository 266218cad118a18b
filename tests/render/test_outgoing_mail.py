from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any
from urllib.parse import quote

import pytest

from morningdeck.delivery import addressed
from morningdeck.errors import PermanentError
from morningdeck.model.sending import Report
from morningdeck.outgoing_mail import MailWriter, compose
from morningdeck.render.fitting import MAX_BYTES, render
from morningdeck.render.links import footer_links
from tests.render.conftest import long_stories
from tests.render.editions import EVERY
from tests.render.mails import ADDRESS, SENDER
from tests.test_brief import BRIEFING


def composed(report: Report, **changes: Any) -> bytes:
    arguments: dict[str, Any] = {
        "recipient": "Jane <jane@example.org>",
        "sender": "Morning Deck <news@deck.example>",
        "message_id": "<9.88@deck.example>",
    }
    return compose(report, render(report), **(arguments | changes))


def test_a_mail_with_a_picture_is_the_same_each_time_and_names_it_once() -> None:
    content = composed(EVERY["picture"])

    assert content == composed(EVERY["picture"])
    assert content.count(b"Content-ID: <picture.9.88@deck.example>") == 1
    assert b"data:image" not in content


def test_a_picture_for_which_a_mail_has_no_room_is_left_out() -> None:
    picture = EVERY["picture"].picture
    rendered = render(replace(EVERY["huge"], picture=picture))

    assert (rendered.picture, "<img" in rendered.html) == (None, False)
    assert len(composed(replace(EVERY["huge"], picture=picture))) < MAX_BYTES


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
    assert message["Date"].datetime == datetime(2026, 11, 18, 6, 0, tzinfo=UTC)
    assert message["Message-ID"] == "<9.88@deck.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["List-ID"] == "<briefing-88.deck.example>"


MAILTO = "<mailto:news@deck.example?subject=unsubscribe%209.88%40deck.example>"


def test_a_mail_to_the_sender_unsubscribes_where_there_are_no_pages(report: Report) -> None:
    message = read(composed(report))
    assert message["List-Unsubscribe"] == MAILTO
    assert message["List-Unsubscribe-Post"] is None
    assert read(composed(report, sender="deck@localhost"))["List-Unsubscribe"] is None


def test_unsubscribing_takes_one_click_however_long_the_link(report: Report) -> None:
    url = "https://deck.example/unsubscribe/" + "token" * 60
    content = composed(report, one_click=url)
    assert f"List-Unsubscribe: <{url}>, {MAILTO}\r\n".encode() in content
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in content


def test_the_bytes_are_ready_for_the_wire(report: Report) -> None:
    content = composed(replace(report, overview="Größe, 漢字, 👋 [1]."))
    lines = content.split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= 998
    assert content.isascii()
    assert content.count(b"Content-Transfer-Encoding: quoted-printable") == 2


def test_what_needs_many_bytes_a_sign_travels_in_fewer() -> None:
    japanese = EVERY["japanese"]
    items = tuple(replace(item, summary=item.summary * 9) for item in japanese.items)
    content = composed(replace(japanese, items=items))
    assert content.count(b"Content-Transfer-Encoding: base64") == 2
    assert max(map(len, content.split(b"\r\n"))) <= 998
    assert items[0].title in read(content).get_body(("plain",)).get_content()  # type: ignore[union-attr]


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
        "jane@" + "x" * 70 + ".org",
        "jane doe@example.org",
        "=?utf-8?q?a=0ABcc=3A_b?= <jane@example.org>",
    ],
)
def test_a_recipient_is_one_address(report: Report, recipient: str) -> None:
    with pytest.raises(PermanentError, match="is not an address"):
        composed(report, recipient=recipient)


def test_only_a_name_of_a_mailbox_in_another_script_needs_headers_in_it(report: Report) -> None:
    told = replace(report, briefing_title="Größe", subject="Größe")
    ours = composed(told, recipient="jürgen@straße.example")

    head, _, body = ours.partition(b"\r\n\r\n")
    assert "To: jürgen@xn--strae-oqa.example\r\n".encode() in head
    assert body.isascii()
    assert composed(told).isascii()


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


def test_every_address_gets_the_same_text_and_page(report: Report) -> None:
    writer = MailWriter("Morning Deck <news@deck.example>", addressed)
    briefing = replace(BRIEFING, recipients=("ada@a.example", "bob@b.example"), channels=("smtp",))
    rendered = writer.render(report)

    ada, bob = writer.envelopes(briefing, report, rendered)

    assert (ada.address, bob.address) == briefing.recipients
    assert ada.message_id != bob.message_id
    assert read(ada.content)["To"] == "ada@a.example"
    shared = "unsubscribe%20briefing-88"
    assert (rendered.text.count(shared), rendered.html.count(shared)) == (1, 1)
    for envelope in (ada, bob):
        own = f"unsubscribe%20{quote(envelope.message_id.strip('<>'))}"
        text, page = (part.get_content() for part in read(envelope.content).iter_parts())
        assert text.replace("\r\n", "\n") == rendered.text.replace(shared, own)
        assert page.replace("\r\n", "\n") == rendered.html.replace(shared, own)


def test_no_text_of_a_story_becomes_a_way_out(report: Report) -> None:
    way = "mailto:news@deck.example?subject=unsubscribe%20briefing-88"
    items = (replace(report.items[0], title=way, summary=way), *report.items[1:])
    rendered = render(replace(report, items=items), footer_links(report, ADDRESS))
    content = compose(
        report,
        rendered,
        recipient="a@b.example",
        sender=SENDER,
        message_id="<report-9.1@x.example>",
    )
    page = read(content).get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert page.count("report-9.1%40x.example") == 1
    assert page.count(f">{way}<") == 2


def test_the_ids_of_a_sender_in_another_script_are_in_ascii(report: Report) -> None:
    writer = MailWriter("Deck <news@müller.example>", addressed)
    (envelope,) = writer.envelopes(BRIEFING, report, writer.render(report))
    assert envelope.message_id.endswith("@xn--mller-kva.example>")
    way = f"mailto:news@xn--mller-kva.example?subject=unsubscribe%20{envelope.message_id[1:9]}"
    page = read(envelope.content).get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert way in page


def test_the_copy_for_a_folder_is_one_and_names_its_owner(report: Report) -> None:
    writer = MailWriter("Morning Deck <news@deck.example>", addressed)

    (envelope,) = writer.envelopes(BRIEFING, report, writer.render(report))

    assert (envelope.address, envelope.file_stem) == ("folder", "2026-11-18-energy-harbour-9")
    assert read(envelope.content)["To"] == BRIEFING.user_email
    assert envelope.content == writer.envelopes(BRIEFING, report, writer.render(report))[0].content
