"""The demo's feeds as a sample: 75 articles of twelve outlets, some on the same events."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import feedparser  # type: ignore[import-untyped]  # ships no types
import pytest

import morningdeck.demo
from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.model.making import Likeness
from morningdeck.stories.similar import StorySimilarity

FEEDS = Path(next(iter(morningdeck.demo.__path__))) / "feeds"
SIMILAR = StorySimilarity()


def entries() -> Iterator[tuple[str, str, str, str]]:
    """(name, title, text, link without its query) of each entry."""
    for path in sorted(FEEDS.glob("*.xml")):
        for entry in feedparser.parse(path.read_bytes()).entries:
            html = entry.content[0].value if "content" in entry else entry.summary
            yield _entry(entry.id, entry.get("title", ""), html, entry.link)
    for item in json.loads((FEEDS / "metrika.json").read_text())["items"]:
        yield _entry(item["id"], item.get("title", ""), item["content_html"], item["url"])


def _entry(guid: str, title: str, html: str, link: str) -> tuple[str, str, str, str]:
    page = link.partition("?")[0]
    return guid, title, re.sub(r"<[^>]+>", " ", html), page


@pytest.fixture(scope="module")
def articles() -> dict[str, tuple[str, Likeness]]:
    """The page each article names, and its likeness, by its id."""
    embedder = WordEmbedder()
    found = {}
    for guid, title, text, page in entries():
        vector = embedder.embed([f"{title}\n{text.strip()[:1000]}"])[0]
        found[guid] = (page, SIMILAR.likeness(title, text, page, vector))
    return found


def groups() -> list[frozenset[str]]:
    """The entries that README says tell one event."""
    readme = (FEEDS / "README.md").read_text()
    shared = readme.partition("## Shared stories")[2].partition("\n## ")[0]
    rows = [line for line in shared.splitlines() if line.startswith("| ")]
    named = [frozenset(re.findall(r"`([\w-]+/[\w-]+)`", row)) for row in rows]
    return [group for group in named if group]


def test_no_two_different_events_are_one_story(articles: dict[str, tuple[str, Likeness]]) -> None:
    together = groups()

    wrong = [
        (one, other)
        for (page, one), (other_page, other) in combinations(articles.values(), 2)
        if SIMILAR.same_story(one, other)
        and page != other_page
        and not any({_name(page), _name(other_page)} <= group for group in together)
    ]

    assert len(articles) >= 70
    assert wrong == []


def _name(page: str) -> str:
    return page.partition("/")[2].removesuffix(".html")


def test_most_events_that_two_outlets_tell_are_one_story(
    articles: dict[str, tuple[str, Likeness]],
) -> None:
    by_name = {_name(page): likeness for page, likeness in articles.values()}
    events = [group for group in groups() if len(group) > 1]

    joined = [
        group
        for group in events
        if any(SIMILAR.same_story(by_name[a], by_name[b]) for a, b in combinations(group, 2))
    ]

    print(f"{len(joined)} of {len(events)} events found")
    assert len(joined) >= len(events) - 1
