"""Mail as it is written against all rules, and all that others have collected."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from morningdeck.parsing.mail import parse_mail
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


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n" * 200_000,
        b"Subject: " + b"=?utf-8?B?YQ==?= " * 100_000 + b"\r\n\r\n",
        b"From: " + b"a@b.example, " * 100_000 + b"\r\n\r\nx",
        b"Content-Type: text/html\r\n\r\n" + b"<div>" * 1_000_000,
        b"Content-Type: text/html\r\n\r\n" + b"<a href='https://a.example/1'>x" * 100_000,
        b"Content-Type: text/html\r\n\r\n" + b"<img " * 1_000_000,
        b"Subject: x\r\n\r\n" + b"https://a.example/" * 500_000,
        b"Subject: x\r\n\r\n" + b"confirm " * 500_000,
        b"Subject: " + b"confirm" * 200_000 + b"\r\n\r\nx",
    ],
    ids=["parts", "words", "senders", "depth", "links", "images", "addresses", "text", "subject"],
)
def test_no_letter_keeps_the_parser_busy(pool: ParserPool, body: bytes) -> None:
    started = time.monotonic()

    pool.mail(body)

    assert time.monotonic() - started < 4
