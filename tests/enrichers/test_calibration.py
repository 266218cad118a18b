"""Scores on the demo's feeds: the right articles come first, and far from the rest."""

from __future__ import annotations

import re
from pathlib import Path

import feedparser  # type: ignore[import-untyped]  # ships no types
import pytest

import morningdeck.demo
from morningdeck.enrichers.offline import OfflineEnricher
from morningdeck.model.making import Article, Criteria

FEEDS = Path(next(iter(morningdeck.demo.__path__))) / "feeds"


def articles() -> list[tuple[str, Article]]:
    """The articles of the demo with the name of their feed."""
    found = []
    for path in sorted(FEEDS.glob("*.xml")):
        for entry in feedparser.parse(path.read_bytes()).entries:
            html = entry.content[0].value if "content" in entry else entry.summary
            text = re.sub(r"<[^>]+>", " ", html)
            found.append((path.stem.split(".")[0], Article(entry.get("title", ""), text)))
    return found


@pytest.mark.parametrize(
    ("criteria", "feed", "known_elsewhere"),
    [
        (
            "Space missions, moon landings, satellites and asteroids",
            "orbit-weekly",
            "moon|asteroid",
        ),
        (
            "Energy policy, electricity, grid storage and heat pumps. No sports.",
            "gridline",
            "power|storage|skerry",
        ),
        ("Software releases, open source and databases", "commit-log", "open|data|software|model"),
        ("Noticias de deportes: copa, goles y jugadores", "marcador", "-"),
    ],
)
def test_the_right_feed_comes_first_and_the_rest_stays_low(
    enricher: OfflineEnricher, criteria: str, feed: str, known_elsewhere: str
) -> None:
    wanted = [Criteria(1, 1, criteria)]
    on_topic, off_topic = [], []
    for name, article in articles():
        value = enricher.score(article, wanted)[0].value
        if name == feed:
            on_topic.append(value)
        elif not re.search(known_elsewhere, f"{article.title} {article.text}", re.IGNORECASE):
            off_topic.append(value)
    pairs = [(on, off) for on in on_topic for off in off_topic]

    print(sorted(on_topic), sorted(off_topic))
    assert sum(on > off for on, off in pairs) / len(pairs) > 0.8
    assert max(on_topic) >= 60
    assert sorted(off_topic)[int(0.9 * len(off_topic))] <= 25
    assert len(set(off_topic)) >= 5
