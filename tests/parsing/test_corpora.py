"""Thousands of feeds that others collected: nothing lost, and feedparser agrees.

feedparser is the reference: what it finds, we find, with the same title, link, id and
date. Where the two differ on purpose, `ours` and `theirs` below say how.
"""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import feedparser  # type: ignore[import-untyped]
import pytest

from morningdeck.errors import PermanentError
from morningdeck.model.reading import Entry
from morningdeck.parsing.entries import plain_title
from morningdeck.parsing.pool import ParserPool
from morningdeck.parsing.sanitise import sanitise, to_text
from morningdeck.parsing.urls import web_url

from .conftest import Corpus
from .samples import URL

FEED_SETS = ["feeds-feedparser", "feeds-w3c", "feeds-rssparser", "feeds-node"]
NO_ITEM_OF_OURS = {
    "atom/must/entry_title_not_html.xml": "an unfinished tag is all it has",
    "wellformed/node_precedence/atom10_id.xml": "one id twice, and nothing else",
    "wellformed/rss/item_category_image.xml": "a category is all it has",
    "wellformed/rss/item_description_not_a_doctype.xml": "its text is a comment to a browser",
    "wellformed/rss/item_description_not_a_doctype2.xml": "its text is a comment to a browser",
}

Told = tuple[str, str, str, datetime | None]


@dataclass
class Tally:
    """What came of one set of feeds."""

    files: int = 0
    refused: int = 0
    found: int = 0
    expected: int = 0
    compared: int = 0
    lost: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.files} files, {self.refused} refused, {self.found} items"
            f" (feedparser {self.expected}), {len(self.lost)} files with items lost,"
            f" {len(self.differing)} of {self.compared} items told differently"
        )


def content_type(body: bytes) -> str | None:
    """Many of these files name the header they are to be served with in a comment."""
    named = re.search(rb"Content-type:\s*([^\n]*)", body[:2000], re.I)
    return named[1].decode("latin-1").strip() if named else None


def text_of(entry: Any) -> str:
    bodies = [*(part.value for part in entry.get("content", ())), entry.get("summary", "")]
    return "".join(to_text(sanitise(body)) for body in bodies)


def theirs(body: bytes) -> list[Told]:
    """What feedparser finds, without entries that say nothing and without repetitions."""
    headers = {"content-location": URL, "content-type": content_type(body) or "application/xml"}
    told: dict[object, Told] = {}
    for entry in feedparser.parse(body, response_headers=headers).entries:
        title, text = plain_title(to_text(entry.get("title", ""))), text_of(entry)
        identity = entry.get("id") or entry.get("link")
        if identity or title or text:
            told[identity or text, entry.get("link"), title] = (
                title,
                web_url(entry.get("link")) or "",
                entry.get("id", ""),
                date_of(entry),
            )
    return list(told.values())


def date_of(entry: Any) -> datetime | None:
    for name in ("published_parsed", "updated_parsed", "created_parsed"):
        if parts := dict.get(entry, name):
            return datetime.fromtimestamp(timegm(parts), UTC)
    return None


def ours(entry: Entry) -> Told:
    """Our titles are never empty, our guids never shared."""
    guid = re.sub("#[0-9a-f]{16}$", "", entry.guid)
    return entry.title, entry.url or "", guid, entry.published_at


def differs(mine: Told, reference: Told) -> bool:
    """Only what feedparser knows counts; it takes relative ids for links, we do not."""
    title, link, guid, published_at = reference
    return (
        bool(title and title != mine[0])
        or bool(link and link != mine[1] and not guid_as_link(link, mine[2]))
        or bool(guid and guid != mine[2] and not guid_as_link(guid, mine[2]))
        or published_at != mine[3]
    )


def guid_as_link(link: str, guid: str) -> bool:
    return link == web_url(guid, URL)


def tally(pool: ParserPool, feeds: Iterable[tuple[str, bytes]]) -> Tally:
    result = Tally()

    def read(feed: tuple[str, bytes]) -> tuple[str, list[Told], list[Told] | None]:
        name, body = feed
        try:
            parsed = pool.feed(body, url=URL, content_type=content_type(body))
        except PermanentError as error:
            assert "not a feed" in str(error)  # noqa: PT017 - refusing is an answer too
            return name, theirs(body), None
        return name, theirs(body), [ours(entry) for entry in parsed.entries]

    with ThreadPoolExecutor(2) as threads:
        for name, reference, found in threads.map(read, feeds):
            count(result, name, reference, found)
    return result


def count(result: Tally, name: str, reference: list[Told], found: list[Told] | None) -> None:
    result.files += 1
    result.refused += found is None
    mine = found or []
    result.found += len(mine)
    result.expected += len(reference)
    if len(mine) < len(reference) and name not in NO_ITEM_OF_OURS:
        result.lost.append(name)
    if len(mine) == len(reference):
        result.compared += len(mine)
        pairs = zip(mine, reference, strict=True)
        result.differing += [f"{name}: {a} {b}" for a, b in pairs if differs(a, b)]


@pytest.mark.parametrize("name", FEED_SETS)
def test_nothing_that_feedparser_finds_is_lost(corpus: Corpus, pool: ParserPool, name: str) -> None:
    feeds = {
        path: body
        for path, body in corpus(name).items()
        if path.endswith((".xml", ".atom", ".rss", ".json", ".html"))
        and not path.startswith(("output/", "opml/"))
    }

    result = tally(pool, feeds.items())

    print(f"{name}: {result}", *result.differing, sep="\n  ")
    assert result.lost == []
    assert len(result.differing) <= result.compared * 0.02
    assert result.found >= result.expected - len(NO_ITEM_OF_OURS)
