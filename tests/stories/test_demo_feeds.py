"""The demo's feeds as a sample: 75 articles of twelve outlets, some on the same events."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import feedparser  # type: ignore[import-untyped]  # ships no types
import pytest

import morningdeck.demo
from tests.quality.stories import Desk, likeness_of

FEEDS = Path(next(iter(morningdeck.demo.__path__))) / "feeds"


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
def told_together() -> list[frozenset[str]]:
    """The names of the articles of each story."""
    desk, found = Desk(), defaultdict(set)
    for _, title, text, page in entries():
        story = desk.place(likeness_of(title, text, f"https://{page}"))
        found[story].add(_name(page))
    return [frozenset(names) for names in found.values()]


def groups() -> list[frozenset[str]]:
    """The entries that README says tell one event."""
    readme = (FEEDS / "README.md").read_text()
    shared = readme.partition("## Shared stories")[2].partition("\n## ")[0]
    rows = [line for line in shared.splitlines() if line.startswith("| ")]
    named = [frozenset(re.findall(r"`([\w-]+/[\w-]+)`", row)) for row in rows]
    return [group for group in named if group]


def test_no_two_different_events_are_one_story(told_together: list[frozenset[str]]) -> None:
    events = groups()

    assert len(told_together) >= 55
    assert [
        names
        for names in told_together
        if len(names) > 1 and not any(names <= event for event in events)
    ] == []


def _name(page: str) -> str:
    return page.partition("/")[2].removesuffix(".html")


def test_most_events_that_two_outlets_tell_are_one_story(
    told_together: list[frozenset[str]],
) -> None:
    events = [group for group in groups() if len(group) > 1]

    joined = [event for event in events if any(len(names & event) > 1 for names in told_together)]

    print(f"{len(joined)} of {len(events)} events found")
    assert len(joined) >= len(events) - 2
