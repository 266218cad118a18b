"""Mail as it is written against all rules, and all that others have collected."""

from __future__ import annotations

import base64
import re
import time
from collections import Counter

import pytest

from morningdeck.parsing.message import parse_mail
from morningdeck.parsing.pool import ParserPool
from tests.letters import SENT_AT, letter

from .conftest import Corpus
from .samples import only_letter, raw_letter

ESSAY = "<p>" + "</p><p>".join(f"A thought of some length, the {n}th of many." for n in range(9))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("=?utf-8?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        ("=?UTF-8?B?R3LDvMOfZQ==?= und mehr", "Grüße und mehr"),
        ("=?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ?=", "Grüße"),
        ("=?x-unknown?Q?Gr=FC=DFe?=", "Grüße"),
        ("=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"),
        ("=?utf-8?B?!!!?=", "(nothing)"),
        ("a\r\n =?utf-8?Q?b?=\r\n\tc", "a b c"),
    ],
)
def test_subjects_are_decoded(written: str, read: str) -> None:
    body = f"From: a@b.example\r\nSubject: {written}\r\n\r\n(nothing)".encode()

    assert only_letter(body).title == read


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_letters_without_a_word_about_their_encoding_are_read(encoding: str) -> None:
    entry = only_letter(
        raw_letter("From: Jürgen <a@b.example>\nSubject: Grüße", "Schöne Grüße.", encoding)
    )

    assert (entry.title, entry.author, entry.text) == ("Grüße", "Jürgen", "Schöne Grüße.")


def test_html_that_names_its_encoding_itself_is_believed() -> None:
    html = '<html><meta charset="koi8-r"><p>Привет, это новости.</p></html>'

    entry = only_letter(raw_letter("Subject: x\nContent-Type: text/html", html, "koi8-r"))

    assert entry.text == "Привет, это новости."


def test_html_that_says_it_is_plain_is_read_as_html() -> None:
    entry = only_letter(
        raw_letter("Subject: x\nContent-Type: text/plain", "<html><p>News &amp; more.</p></html>")
    )

    assert entry.text == "News & more."


def test_a_date_that_is_none_gives_way_to_when_it_was_received() -> None:
    headers = "Received: by mx; Wed, 18 Nov 2026 06:30:00 +0000 (UTC)\nDate: yesterday\nSubject: x"

    assert only_letter(raw_letter(headers)).published_at == SENT_AT


def test_a_letter_without_an_id_is_known_by_its_bytes() -> None:
    body = raw_letter("From: a@b.example\nSubject: x")

    assert only_letter(body).guid == only_letter(body).guid != only_letter(body + b"!").guid


@pytest.mark.parametrize("body", [b"", b"\r\n\r\n", b"\0" * 100, b"From: a@b.example\r\n\r\n"])
def test_nothing_is_no_news(body: bytes) -> None:
    assert parse_mail(body).entries == ()


def test_scripts_and_foreign_schemes_do_not_come_through(pool: ParserPool) -> None:
    html = '<p onclick="x()">Hello<script>x()</script> <a href="javascript:x()">there</a></p>'

    (entry,) = pool.mail(letter(html=html)).entries

    assert "x()" not in entry.html
    assert entry.text == "Hello there"


# ---- bodies that travelled badly

WORDS = "The harbour opens to ferries, the port authority said. Grüße! " * 6
PACKED = base64.encodebytes(WORDS.encode()).decode()
NOISE = base64.encodebytes(bytes(range(256)) * 9).decode()
PARTS = (
    "--real\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    f"{PACKED}\n--real\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n"
    f"{NOISE}\n--real--\n"
)


@pytest.mark.parametrize(
    "declared",
    [
        "multipart/mixed",
        "multipart/mixed; boundary=other",
        "multipart/mixed; boundary=REAL",
        "multipart/mixed;\nboundary=real",
        "text/plain",
        "text/html; charset=utf-8",
        'multipart/mixed; boundary=outer\n\n--outer\nContent-Type: multipart/related; boundary=""',
    ],
)
def test_parts_are_found_whatever_boundary_is_named(declared: str) -> None:
    entry = only_letter(raw_letter(f"Subject: x\nContent-Type: {declared}", PARTS))

    assert entry.text == WORDS.strip()


def test_of_parts_that_lost_their_header_the_alternatives_are_read_once() -> None:
    html = base64.encodebytes(f"<html><p>{WORDS}</p></html>".encode()).decode()
    parts = PARTS.replace("image/png", "text/html; charset=utf-8").replace(NOISE, html)

    assert only_letter(raw_letter("Subject: x", parts)).text == WORDS.strip()


@pytest.mark.parametrize(
    ("encoding", "body", "read"),
    [
        ("base64", WORDS, WORDS),
        ("base64", f"{PACKED}\n-- \nSent by a list", f"{WORDS.strip()}\n--\nSent by a list"),
        ('"BASE64" (sic)', PACKED, WORDS),
        ("8bit", PACKED, WORDS),
        ("bse64", PACKED, WORDS),
        ("x-unknown", WORDS, WORDS),
        ("7bit", f"Look:\n\n{NOISE}\nDone.", "Look:\nDone."),
        ("8bit", f"Look: {NOISE}".replace("\n", "") + " Done.", "Look: Done."),
        ("8bit", "Look:\n\nbegin 644 a.bin\nM%''+SIX]\n`\nend\n\nDone.", "Look:\nDone."),
        ("base64", NOISE, ""),
        ("7bit", NOISE, ""),
        ("base64", base64.encodebytes(b"%PDF-1.7\n" + b"obj " * 99).decode(), ""),
    ],
)
def test_a_text_is_unpacked_as_far_as_it_is_packed(encoding: str, body: str, read: str) -> None:
    headers = "Subject: x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: "

    assert only_letter(raw_letter(headers + encoding, body)).text == read.strip()


@pytest.mark.parametrize("encoding", ["base64", "BASE64", "8bit"])
def test_a_letter_that_was_passed_on_is_read_however_it_is_packed(encoding: str) -> None:
    letter = f"Subject: y\nContent-Type: text/plain; charset=utf-8\n\n{WORDS}".encode()
    packed = base64.encodebytes(letter) if encoding != "8bit" else letter
    kind = f"Content-Type: message/rfc822\nContent-Transfer-Encoding: {encoding}"

    assert only_letter(raw_letter(f"Subject: x\n{kind}", packed.decode())).text == WORDS.strip()


def test_a_letter_that_quotes_a_mail_is_left_as_it_is() -> None:
    body = "Dear list, my program sends this:\n\n--b\nContent-Type: text/plain\n\nHello\n\nWhy?"

    assert only_letter(raw_letter("Subject: x", body)).text.endswith("Hello\nWhy?")


# ---- what others collected


@pytest.mark.parametrize("name", ["mail-mikel", "mail-spamassassin", "bounces"])
def test_every_collected_mail_is_read_in_time(corpus: Corpus, pool: ParserPool, name: str) -> None:
    found: Counter[str] = Counter()
    slowest = 0.0
    for body in corpus(name).values():
        started = time.monotonic()
        mail = pool.mail(body)
        slowest = max(slowest, time.monotonic() - started)
        found["mails"] += 1
        found["no news"] += not mail.entries
        found["several"] += len(mail.entries) > 1
        found["items"] += len(mail.entries)
        found["asked to confirm"] += mail.to_confirm is not None

    print(name, dict(found), f"slowest {slowest:.3f} s")
    assert slowest < 2
    if name == "bounces":
        assert found["items"] <= found["mails"] * 0.03
    else:
        assert found["no news"] <= found["mails"] * 0.1


@pytest.mark.parametrize("name", ["mail-mikel", "mail-spamassassin", "bounces"])
def test_no_item_of_a_collected_mail_shows_raw_bytes(corpus: Corpus, name: str) -> None:
    for path, body in corpus(name).items():
        for entry in parse_mail(body).entries:
            assert not re.search(r"[A-Za-z0-9+/]{200,}", entry.text), path
            assert not re.search(r"(?:^[A-Za-z0-9+/]{60,}={0,2}\n){3}", entry.text, re.M), path


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n" * 200_000,
        b"Content-Type: multipart/mixed\r\n\r\n" + b"--b\r\nContent-A: b\r\n" * 20_000,
        b"Content-Type: text/plain\r\n\r\n" + b"--b\r\nX: b\r\n" * 200_000,
        b"Content-Transfer-Encoding: base64\r\n\r\n" + b"QUJD\r\n\r\n" * 200_000,
        b"Subject: x\r\n\r\n" + b"begin 644 A\r\nMMMM\r\n" * 200_000,
        b"Subject: " + b"=?utf-8?B?YQ==?= " * 100_000 + b"\r\n\r\n",
        b"From: " + b"a@b.example, " * 100_000 + b"\r\n\r\nx",
        b"Content-Type: text/html\r\n\r\n" + b"<div>" * 1_000_000,
        b"Content-Type: text/html\r\n\r\n" + b"<a href='https://a.example/1'>x" * 100_000,
        b"Content-Type: text/html\r\n\r\n" + b"<img " * 1_000_000,
        b"Subject: x\r\n\r\n" + b"https://a.example/" * 500_000,
        b"Subject: x\r\n\r\n" + b"confirm " * 500_000,
        b"Subject: " + b"confirm" * 200_000 + b"\r\n\r\nx",
    ],
    ids=[
        "parts",
        "lost",
        "none",
        "packed",
        "files",
        "words",
        "senders",
        "depth",
        "links",
        "images",
        "addresses",
        "text",
        "subject",
    ],
)
def test_no_letter_keeps_the_parser_busy(pool: ParserPool, body: bytes) -> None:
    started = time.monotonic()

    pool.mail(body)

    assert time.monotonic() - started < 4
