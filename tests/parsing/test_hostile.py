"""Bytes that were made to hurt: no hang, no crash, and what can be read is read."""

from __future__ import annotations

import time

import pytest

from morningdeck.errors import PermanentError
from morningdeck.parsing.pool import ParserPool

from .conftest import Corpus
from .samples import URL, rss

PATIENCE_SECONDS = 8
"""The slowest takes 2 s on an idle core."""


def item(inside: bytes) -> bytes:
    return rss("<item><title>x</title>@</item>").replace(b"@", inside)


READ = {
    "100,000 entries": rss("<item><title>x</title><link>/1</link></item>" * 100_000),
    "100,000 entries, cut off": rss("<item><title>x</title></item>" * 100_000)[:-30],
    "an author of 64 KB": item(b"<author>" + b"a." * 32_768 + b"</author>"),
    "an author of 64 KB, broken": item(b"<author>" + b"a." * 32_768),
    "100,000 nested divs": item(b"<description>" + b"&lt;div&gt;" * 100_000 + b"</description>"),
    "100,000 nested elements": item(b"<a>" * 100_000 + b"</a>" * 100_000),
    "100,000 open elements": item(b"<a>" * 100_000),
    "tags without an end": item(b"<description>" + b"&lt;a b='" * 80_000 + b"</description>"),
    "formatting without an end": item(
        b"<description>"
        + b"".join(b"&lt;b id=%d&gt;" % n for n in range(40_000))
        + b"</description>"
    ),
    "hidden a thousand times": item(
        b"<description>" + b"&lt;p hidden&gt;a" * 50_000 + b"</description>"
    ),
    "2,000 rules for 15,000 elements": item(
        b"<description>&lt;style&gt;"
        + b"i~b,:not(i){font-size:9px}" * 2000
        + b"&lt;/style&gt;"
        + b"&lt;b&gt;x&lt;/b&gt;" * 15_000
        + b"&lt;i&gt;x</description>"
    ),
    "a title of 5 MB": rss("<item><title>" + "x" * 5_000_000 + "</title></item>"),
    "a text of 14 MB": item(b"<description>" + b"word " * 2_800_000 + b"</description>"),
    "a text of 14 MB and an emoji": item(
        b"<description>\xf0\x9f\x98\x80" + b"word " * 2_800_000 + b"</description>"
    ),
    "a text of 14 MB in Latin-1": item(
        b"<description>" + b"w\xf6rd " * 2_800_000 + b"</description>"
    ),
    "2,000 entries of 7 KB, each with an emoji": rss(
        f"<item><title>x</title><description>\U0001f600{'word ' * 1400}</description></item>" * 2000
    ),
    "5 MB of ampersands": item(b"<description>" + b"&a" * 2_500_000 + b"</description>"),
    "20,000 namespaces": rss(
        "".join(f"<n{n}:item xmlns:n{n}='u{n}'><title>x</title></n{n}:item>" for n in range(20_000))
    ),
    "zeros": item(b"<description>\0\0</description>"),
}
REFUSED_OR_EMPTY = {
    "14 MB of brackets": b"<" * 14_000_000,
    "14 MB of ampersands": b"<rss>" + b"&a" * 7_000_000,
    "14 MB of zeros": b"\0" * 14_000_000,
    "14 MB of zeros between letters": b"a\0" * 7_000_000,
    "14 MB of blanks": b"<rss>" + b" " * 14_000_000,
    "a page of a million links": b"<html>" + b"<a href=x>x</a>" * 900_000,
    "a page of a million divs": b"<html>" + b"<div>" * 1_000_000,
    "open CDATA": rss("<![CDATA[" * 500_000),
    "open comments": rss("<!--" * 500_000),
    "open DOCTYPEs": b"<!DOCTYPE rss [" * 300_000,
    "deep JSON": b'{"items":' + b"[" * 1_000_000,
    "a huge number": b'{"items":[{"id":' + b"9" * 100_000 + b"}]}",
    "a million outlines": b"<opml>" + b"<outline a='" * 1_000_000,
}
TOO_LARGE = {
    "14 MB of small tags": rss("<x/>" * 3_500_000),
    "14 MB of lists": b'{"items":[' + b"[]," * 4_600_000 + b"[]]}",
    "600,000 attributes": item(b"<b " + b" ".join(b"a%d=''" % n for n in range(600_000)) + b"/>"),
}


@pytest.mark.parametrize("name", READ)
def test_a_nasty_feed_is_read_in_time(pool: ParserPool, name: str) -> None:
    started = time.monotonic()

    feed = pool.feed(READ[name], url=URL, content_type=None)

    assert time.monotonic() - started < PATIENCE_SECONDS
    assert feed.entries[0].title.startswith("x")
    assert len(feed.entries) <= 2000


@pytest.mark.parametrize("name", REFUSED_OR_EMPTY)
def test_nonsense_is_refused_in_time(pool: ParserPool, name: str) -> None:
    started = time.monotonic()

    try:
        entries = pool.feed(REFUSED_OR_EMPTY[name], url=URL, content_type=None).entries
    except PermanentError as error:
        assert "not a feed" in str(error)  # noqa: PT017 - an empty feed is an answer too
    else:
        assert entries == ()
    assert time.monotonic() - started < PATIENCE_SECONDS


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_needs_too_much_memory_is_refused_in_time(pool: ParserPool, name: str) -> None:
    started = time.monotonic()

    with pytest.raises(PermanentError, match="needs more memory than a parser may use"):
        pool.feed(TOO_LARGE[name], url=URL, content_type=None)

    assert time.monotonic() - started < PATIENCE_SECONDS


def test_entries_beyond_the_first_2000_are_left_out_with_a_warning(pool: ParserPool) -> None:
    feed = pool.feed(
        rss("".join(f"<item><guid>{n}</guid></item>" for n in range(2500))),
        url=URL,
        content_type=None,
    )

    assert [entry.guid for entry in feed.entries] == [str(n) for n in range(2000)]
    assert feed.warnings == ("500 entries after the first 2000 left out",)


def test_no_bomb_and_no_foreign_entity_goes_off(corpus: Corpus, pool: ParserPool) -> None:
    bombs = corpus("xml-attacks")

    for body in bombs.values():
        with pytest.raises(PermanentError, match="not a feed"):
            pool.feed(body, url=URL, content_type=None)
        as_feed = body.replace(b"<bomb>", b"<rss><item><title>").replace(b"</bomb>", b"</title>")
        if as_feed != body:
            feed = pool.feed(as_feed, url=URL, content_type=None)
            assert all(len(entry.title) <= 501 for entry in feed.entries)
    assert len(bombs) > 10


def test_naughty_strings_survive_as_titles(corpus: Corpus, pool: ParserPool) -> None:
    import json

    strings = [text for text in json.loads(corpus("naughty-strings")["blns.json"]) if text.strip()]
    body = json.dumps({"items": [{"id": n, "title": text} for n, text in enumerate(strings)]})

    feed = pool.feed(body.encode(), url=URL, content_type=None)

    assert [entry.guid for entry in feed.entries] == [str(n) for n in range(len(strings))]
    assert all(entry.title for entry in feed.entries)


def test_a_list_of_a_million_tags_is_read_in_time(pool: ParserPool) -> None:
    started = time.monotonic()

    assert len(pool.opml(b"<opml>" + b"<outline xmlUrl='u'/>" * 500_000)) == 20_000
    assert time.monotonic() - started < PATIENCE_SECONDS
