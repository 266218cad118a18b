"""The port `Parser`: values of foreign bytes, or an error of ours, whatever the bytes are."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import pytest

from morningdeck.errors import PermanentError
from morningdeck.model.reading import BounceKind
from morningdeck.ports.verbs import Parser

URL = "https://news.example/feed"
WORDS = "The harbour opens to ferries on Monday, the port authority said in the evening."
FEED = b"<rss><channel><title>News</title><item><guid>1</guid></item></channel></rss>"
PAGE = f"<html><title>Harbour</title><body><article><p>{WORDS}</p></article></body></html>".encode()
LINKS = (
    b"<html><title>News</title><body><ul>"
    b"<li><a href='/1'>Offshore wind farm feeds the grid</a></li>"
    b"<li><a href='/2'>Grid storage auction at a record low</a></li></ul></body></html>"
)
POSTS = json.dumps(
    {"data": {"children": [{"kind": "t3", "data": {"name": "t3_1", "title": "Post"}}]}}
).encode()
CAPTIONS = b"WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning\n"
OPML = b"<opml><body><outline text='News' xmlUrl='https://news.example/feed'/></body></opml>"
MAIL = b"From: Ada <Ada@news.example>\r\nSubject: Harbour opens\r\n\r\n" + WORDS.encode()
BOUNCE = b"""From: MAILER-DAEMON@mx.example
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ada@example.org
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: <report-7.abc@deck.example>

--b--
"""


class ParserContract:
    """Give it the fixture `pool`."""

    def test_a_feed_is_its_entries(self, pool: Parser) -> None:
        feed = pool.feed(FEED, url=URL, content_type="application/rss+xml")

        assert (feed.title, [entry.guid for entry in feed.entries]) == ("News", ["1"])

    def test_a_page_is_its_article(self, pool: Parser) -> None:
        page = pool.page(PAGE, url=URL, content_type="text/html")

        assert (page.title, page.text) == ("Harbour", WORDS)

    def test_a_page_of_links_is_what_they_lead_to(self, pool: Parser) -> None:
        page = pool.links(LINKS, url=URL, content_type="text/html")

        assert [entry.url for entry in page.entries] == [f"https://news.example/{n}" for n in "12"]

    def test_a_listing_is_its_posts(self, pool: Parser) -> None:
        (post,) = pool.posts(POSTS, url=URL, content_type="application/json")

        assert (post.guid, post.title) == ("t3_1", "Post")

    def test_captions_are_their_words(self, pool: Parser) -> None:
        assert pool.captions(CAPTIONS, url=URL, content_type="text/vtt") == "Good morning"

    def test_a_list_of_feeds_is_their_addresses(self, pool: Parser) -> None:
        assert [feed.url for feed in pool.opml(OPML)] == [URL]

    def test_a_letter_is_its_news(self, pool: Parser) -> None:
        mail = pool.mail(MAIL)

        assert (mail.sender, mail.entries[0].title) == ("ada@news.example", "Harbour opens")

    def test_a_bounce_is_what_it_says_of_the_address(self, pool: Parser) -> None:
        bounce = pool.bounce(BOUNCE)

        assert (bounce.kind, bounce.status) == (BounceKind.DEAD, "5.1.1")
        assert bounce.message_ids == ("report-7.abc@deck.example",)

    @pytest.mark.parametrize("body", [b"", b"\0\xff" * 100, b"<" * 1000], ids=str)
    def test_nothing_but_an_error_of_ours_comes_of_noise(self, pool: Parser, body: bytes) -> None:
        parsers: list[Callable[..., object]] = [pool.feed, pool.page, pool.links]
        assert pool.bounce(body).kind is BounceKind.NONE
        for parse in (*parsers, pool.posts, pool.captions):
            with suppress(PermanentError):
                assert parse(body, url=URL, content_type=None) is not None
