"""Feeds that somebody has damaged: tags lost, doubled, renamed, cut.

Never an exception, and never fewer entries than feedparser finds.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import feedparser  # type: ignore[import-untyped]
import pytest

from morningdeck.errors import PermanentError
from morningdeck.parsing.feeds import parse_feed

from .conftest import Corpus
from .samples import URL, atom, rss

Damage = Callable[[bytes, re.Match[bytes], random.Random], bytes]

ITEM = """<item><title>Number {n}</title><link>https://a.example/{n}</link>
<guid isPermaLink="false">g{n}</guid><description>&lt;p&gt;Text {n}&lt;/p&gt;</description>
<content:encoded><![CDATA[<p>Body <b>{n}</b></p>]]></content:encoded>
<media:thumbnail url="https://a.example/{n}.jpg"/></item>"""
ENTRY = """<entry><title type="html">Number {n}</title><id>tag:a.example,{n}</id>
<link rel="alternate" href="https://a.example/{n}"/><author><name>A {n}</name></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Body {n}</p></div></content>
<updated>2026-11-18T0{n}:00:00Z</updated></entry>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns="http://purl.org/rss/1.0/"><channel><title>Feed</title></channel>{}</rdf:RDF>"""
RDF_ITEM = '<item rdf:about="https://a.example/{n}"><title>Number {n}</title></item>'
PREFIXED = re.compile(rb"<(/?)(feed|entry|title|link|id|content|author|name|updated)\b")


def _eight(form: str) -> str:
    return "".join(form.format(n=n) for n in range(8))


FEEDS = {
    "rss": rss("<title>Feed</title>" + _eight(ITEM)),
    "atom": atom("<title>Feed</title>" + _eight(ENTRY)),
    "rdf": RDF.format(_eight(RDF_ITEM)).encode(),
    "prefixed": PREFIXED.sub(rb"<\1a:\2", atom(_eight(ENTRY))).replace(b"xmlns=", b"xmlns:a=", 1),
}
TAG = re.compile(rb"<[^<>]+>")
DAMAGES: tuple[Damage, ...] = (
    lambda feed, tag, _: feed[: tag.start()] + feed[tag.end() :],
    lambda feed, tag, _: feed[: tag.end()] + tag[0] + feed[tag.end() :],
    lambda feed, tag, _: feed[: tag.end() - 1] + feed[tag.end() :],
    lambda feed, tag, _: feed[: tag.start()] + feed[tag.start() + 1 :],
    lambda feed, tag, _: feed[: tag.start()] + b"<x:" + tag[0][1:] + feed[tag.end() :],
    lambda feed, tag, chance: feed[: chance.randrange(tag.start() + 1, len(feed))],
    lambda feed, tag, chance: feed[: tag.start()] + feed[tag.start() + chance.randrange(30) :],
    lambda feed, tag, chance: (
        feed[: tag.start() + chance.choice([0, 1])]
        + chance.choice([b"\0", b"]]>", b"&", b'"'])
        + feed[tag.start() + chance.choice([0, 1]) :]
    ),
    lambda feed, _, chance: re.sub(
        rb' xmlns(:\w+)?="[^"]*"', b"", feed, count=chance.choice([1, 2])
    ),
)


def _damaged(feed: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if tags := list(TAG.finditer(feed)):
            feed = chance.choice(DAMAGES)(feed, chance.choice(tags), chance)
    return feed


def _found(feed: bytes) -> int:
    """-1 where feedparser itself raises; entries of nothing and repeated ones do not count."""
    try:
        entries: list[Any] = feedparser.parse(feed, sanitize_html=False).entries
    except Exception:  # whatever it is that a broken feed makes it stumble over
        return -1
    told = {
        tuple(each.get(name) for name in ("title", "link", "id", "summary")) for each in entries
    }
    return sum(any(each) for each in told)


def _ours(feed: bytes) -> int:
    try:
        return len(parse_feed(feed, url=URL).entries)
    except PermanentError:
        return 0


@pytest.mark.filterwarnings("ignore")  # feedparser's own
@pytest.mark.parametrize("name", sorted(FEEDS))
def test_damaged_feeds_yield_no_fewer_entries_than_feedparser_finds(name: str) -> None:
    for seed in range(400):
        feed = _damaged(FEEDS[name], random.Random(seed))

        assert _ours(feed) >= _found(feed), feed.decode(errors="replace")


@pytest.mark.parametrize("name", ["feeds-rssparser", "feeds-w3c", "feeds-feedparser"])
def test_damaged_feeds_of_others_never_raise(name: str, corpus: Corpus) -> None:
    chance = random.Random(1)
    feeds = [body for body in corpus(name).values() if len(body) < 60_000]

    for feed in chance.choices(feeds, k=400):
        assert _ours(_damaged(feed, chance)) >= 0
