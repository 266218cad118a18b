"""Mails that came back: what they say of an address, and what only looks like one."""

from __future__ import annotations

import tarfile
import time
from collections.abc import Iterator

import pytest

from morningdeck.model.reading import BounceKind
from morningdeck.parsing.bounce import read_bounce
from tests.conftest import CORPORA

CORPUS = CORPORA / "bounces" / "bounces.tar.gz"


def dsn(status: str, words: str = "", action: str = "failed", about: str = "") -> bytes:
    diagnostic = f"Diagnostic-Code: {words}\n" if words else ""
    return f"""Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.example>
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
Message-ID: <own@mx.example>
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

{about}

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ada@example.org
Action: {action}
Status: {status}
{diagnostic}
--b
Content-Type: message/rfc822

Message-ID: <report-7.abc@deck.example>
Subject: Energy

x
--b--
""".encode()


def plain(words: str, subject: str = "failure notice", sender: str = "MAILER-DAEMON@mx") -> bytes:
    return f"""Return-Path: <>
From: {sender}
Subject: {subject}

{words}

--- Below this line is a copy of the message.

Return-Path: <deck@example.org>
Message-ID: <report-7.abc@deck.example>
Subject: 550 5.1.1 user unknown
""".encode()


def bare(*fields: str, of_mail: str = "Reporting-MTA: dns; mx.example") -> bytes:
    """A report that brings back nothing of the mail."""
    blocks = "\n\n".join(f"{one}\nAction: failed\nStatus: 5.1.1" for one in fields)
    return f"""Return-Path: <>
From: MAILER-DAEMON@mx.example
Subject: Undelivered Mail
Message-ID: <own@mx.example>
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

{of_mail}

{blocks}

--b--
""".encode()


ADA, POST = (f"Final-Recipient: rfc822; {name}@example.org" for name in ("ada", "postfach-7"))


def test_a_report_without_the_mail_names_its_envelope_or_its_recipient() -> None:
    named = read_bounce(bare(ADA, of_mail="Original-Envelope-Id: report-7.abc@deck.example"))
    moved = read_bounce(bare(f"Original-Recipient: rfc822;Ada@Example.org\n{POST}"))
    rough = read_bounce(
        plain("550 5.1.1 user unknown").replace(b"<report-7.abc@deck.example>", b"")
    )

    assert (named.message_ids, named.recipient) == (("report-7.abc@deck.example",), "")
    assert (moved.message_ids, moved.recipient) == ((), "Ada@Example.org")
    assert (rough.message_ids, rough.recipient) == ((), "")


def test_a_report_on_several_speaks_of_nobody() -> None:
    assert read_bounce(bare(ADA, POST)).recipient == ""


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("5.1.1", ""),
        ("5.1.2", "smtp; 550 Host unknown"),
        ("5.2.1", "smtp; 550 5.2.1 mailbox disabled"),
        ("5.0.0", "smtp; 550 5.1.1 <ada@example.org> User unknown"),
        ("5.0.0", "smtp; 550 No such user here"),
        ("5.7.1", "smtp; 550 5.1.1 unknown or illegal alias"),
    ],
)
def test_an_address_that_is_gone_is_dead(status: str, words: str) -> None:
    bounce = read_bounce(dsn(status, words))

    assert bounce.kind is BounceKind.DEAD
    assert bounce.message_ids == ("report-7.abc@deck.example",)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("4.4.1", "smtp; connection timed out"),
        ("4.1.1", "smtp; 450 4.1.1 user unknown"),
        ("5.2.2", "smtp; 552 5.2.2 mailbox full"),
        ("5.7.1", "smtp; 550 5.7.1 looks like spam"),
        ("5.1.1", "smtp; 550 5.7.1 IP address blacklisted by recipient"),
        ("5.0.0", ""),
    ],
)
def test_what_speaks_of_the_letter_or_of_the_hour_is_trouble(status: str, words: str) -> None:
    assert read_bounce(dsn(status, words)).kind is BounceKind.TROUBLE


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", "expanded"])
def test_what_has_not_failed_is_no_bounce(action: str) -> None:
    assert read_bounce(dsn("4.4.7", action=action)).kind is BounceKind.NONE


def test_without_the_standard_the_words_before_the_returned_mail_count() -> None:
    gone = read_bounce(plain("<ada@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)"))
    full = read_bounce(plain("The address failed:\n  mailbox is full: retry timeout exceeded"))

    assert (gone.kind, gone.status) == (BounceKind.DEAD, "5.1.1")
    assert gone.reason == "Sorry, no mailbox here by that name. (#5.1.1)"
    assert full.kind is BounceKind.TROUBLE
    assert gone.message_ids == full.message_ids == ("report-7.abc@deck.example",)


@pytest.mark.parametrize(
    "mail",
    [
        plain("I am away, user unknown", "Out of office", "Ada <ada@example.org>"),
        plain("user unknown", "Auto reply: Energy", "Ada <ada@example.org>"),
        plain(
            "Click here so that your mail is delivered", "Please confirm", "spam-arrest@x.example"
        ),
        b"From: ada@example.org\nSubject: Re: Energy\n\n550 5.1.1 user unknown, it says.\n",
        b"From: MAILER-DAEMON@mx\nSubject: Welcome\n\nYour mailbox is ready.\n",
        b"",
    ],
    ids=["away", "reply", "challenge", "letter", "robot", "nothing"],
)
def test_what_somebody_or_something_else_says_is_no_bounce(mail: bytes) -> None:
    assert read_bounce(mail).kind is BounceKind.NONE


def test_its_own_id_is_not_that_of_the_mail_it_returns() -> None:
    assert "own@mx.example" not in read_bounce(dsn("5.1.1")).message_ids


def corpus() -> Iterator[tuple[str, bytes]]:
    with tarfile.open(CORPUS) as archive:
        for member in archive:
            if file := archive.extractfile(member):
                yield member.name, file.read()


@pytest.mark.skipif(not CORPUS.exists(), reason="no corpora beside this clone (see README)")
def test_no_mail_of_the_corpus_breaks_the_reader_and_no_answer_ends_anything() -> None:
    kinds = {name: read_bounce(content).kind for name, content in corpus()}

    harmless = ("arf", "rfc3834", "is-not-bounce")
    those = [kind for name, kind in kinds.items() if name.split("/")[1].startswith(harmless)]
    assert len(those) > 10
    assert set(those) == {BounceKind.NONE}
    bounces = [kind for name, kind in kinds.items() if "lhost-" in name]
    assert bounces.count(BounceKind.NONE) < 0.06 * len(bounces)


@pytest.mark.parametrize(
    ("subject", "left"),
    [
        ("unsubscribe report-7.abc@deck.example", True),
        ("  Unsubscribe <report-7.abc@deck.example> ", True),
        ("=?utf-8?q?unsubscribe_report-7=2Eabc=40deck=2Eexample?=", True),
        ("unsubscribe briefing-88", False),
        ("Re: unsubscribe report-7.abc@deck.example and more", False),
        ("unsubscribe report-7.abc", False),
    ],
)
def test_a_reader_leaves_by_the_id_of_a_mail(subject: str, left: bool) -> None:
    bounce = read_bounce(f"From: Ada <ada@example.org>\nSubject: {subject}\n\nBye\n".encode())

    assert bounce.kind is (BounceKind.LEFT if left else BounceKind.NONE)
    assert bounce.message_ids == (("report-7.abc@deck.example",) if left else ())


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 300_000,
        ">" * 300_000,
        "<" * 300_000,
        "user " * 60_000,
        "<a>" * 100_000,
        "--" * 200_000,
    ],
    ids=["lines", "quotes", "tags", "words", "ids", "dashes"],
)
@pytest.mark.parametrize("head", ["", "Message-ID: ", "Content-Type: text/html\n\n"])
def test_no_mail_keeps_its_reader_busy(text: str, head: str) -> None:
    mail = f"From: MAILER-DAEMON@mx\nSubject: failure notice\n{head}{text}\n".encode()
    begun = time.process_time()

    read_bounce(mail)

    assert time.process_time() - begun < 2
