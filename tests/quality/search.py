"""Search: 60 judged queries over newswire, headlines and the demo's feeds, nDCG of the first ten.

What is relevant comes from labels and plain facts (`search_queries.txt`), never from what a search
has found. The rival is SQLite's FTS5 as it comes: title and text, its own tokeniser, its own BM25,
all words or, where that finds more that is relevant first, any of them.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from morningdeck.asked.parse import parse_query
from morningdeck.enrichers.language import detect_language
from morningdeck.model.finding import SearchQuery
from morningdeck.ports.verbs import SearchIndex
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.indexed import index_items
from morningdeck.store.tables.news import item_texts, items
from morningdeck.store.views.search_index import FulltextIndex
from tests.benchmarks.grounds import fresh_database
from tests.conftest import CORPORA, NOW
from tests.factories import make_source, make_subscription, make_user
from tests.quality.figures import Figures
from tests.quality.ranking import mean
from tests.quality.relevance import newswire
from tests.quality.stories import headlines
from tests.servers.indexed import IndexedDeck
from tests.stories.test_demo_feeds import entries


@runtime_checkable
class Filled(Protocol):
    """Its index is beside the database, and is filled once everything is stored."""

    @property
    def index(self) -> SearchIndex: ...

    def fill(self) -> None: ...


Opening = Callable[[Database], SearchIndex | Filled]

FIRST, GOAL = 10, 0.80
INDEXES: dict[str, tuple[str, Opening]] = {
    "SQLite": ("sqlite", FulltextIndex),
    "PostgreSQL": ("postgresql", FulltextIndex),
    "Meilisearch": ("sqlite", IndexedDeck),
}
"""Each with the kind of the database beside it."""

Order = Callable[[str], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Title and text of each item, and which are relevant by the key of a judged query."""

    texts: Sequence[tuple[str, str]]
    relevant: Callable[[str], Collection[int]]


@dataclass(frozen=True, slots=True)
class Judged:
    corpus: str
    query: str
    key: str


def run(figures: Figures) -> None:
    corpora, judged = labelled_corpora(), judged_queries()
    assert len(judged) == 60
    found = {
        name: found_by(corpora, judged, kind, open_index)
        for name, (kind, open_index) in INDEXES.items()
    }
    rivals = [plain_fts5(corpora, judged, joint) for joint in (" ", " OR ")]
    plain = max(rivals, key=lambda gains: mean(list(gains.values())))
    for one in judged:
        told = ", ".join(f"{name} {gains[one]:.3f}" for name, gains in found.items())
        figures.say(f"{one.corpus:9} {one.query:28} {told}, plain {plain[one]:.3f}")
    for name, gains in found.items():
        for corpus in corpora:
            of = [one for one in judged if one.corpus == corpus]
            figures.beside(
                f"search, {corpus}, nDCG@10, {name}",
                mean([gains[one] for one in of]),
                rival=mean([plain[one] for one in of]),
                name="plain FTS5",
            )
        rival = mean(list(plain.values()))
        figures.at_least(
            f"search, 60 judged queries, nDCG@10, {name}",
            mean(list(gains.values())),
            max(GOAL, rival),
            rival=rival,
            name="plain FTS5",
        )


def judged_queries() -> list[Judged]:
    lines = Path(__file__).with_name("search_queries.txt").read_text(encoding="utf-8").splitlines()
    return [Judged(*line.split(" | ")) for line in lines if line and not line.startswith("#")]


def labelled_corpora() -> dict[str, Corpus]:
    news, rows, demo = newswire(), headlines(CORPORA), list(entries())
    places = {key: place for place, key in enumerate(news.articles)}
    stories: dict[str, set[int]] = defaultdict(set)
    for place, row in enumerate(rows):
        stories[row["story"]].add(place)
    story_of = {row["title"]: row["story"] for row in rows}
    names = [page.rpartition("/")[2].removesuffix(".html") for *_, page in demo]
    return {
        "newswire": Corpus(
            [(article.title, article.text) for article in news.articles.values()],
            lambda key: {places[one] for one in news.relevant[key]},
        ),
        "headlines": Corpus(
            [(row["title"], "") for row in rows], lambda key: stories[story_of[key]]
        ),
        "demo": Corpus(
            [(title, text) for _, title, text, _ in demo],
            lambda key: {place for place, name in enumerate(names) if name in key.split()},
        ),
    }


def gain(order: Sequence[int], relevant: Collection[int]) -> float:
    """nDCG of the first ten, where an item is relevant or not."""
    assert relevant, "a query without anything to find"
    best = sum(1 / math.log2(place + 2) for place in range(min(FIRST, len(relevant))))
    there = (place for place, one in enumerate(order[:FIRST]) if one in relevant)
    return sum(1 / math.log2(place + 2) for place in there) / best


def _gains(
    corpora: Mapping[str, Corpus], judged: Sequence[Judged], order: Callable[[str], Order]
) -> dict[Judged, float]:
    orders = {name: order(name) for name in corpora}
    return {
        one: gain(orders[one.corpus](one.query), corpora[one.corpus].relevant(one.key))
        for one in judged
    }


# ---- ours


def found_by(
    corpora: Mapping[str, Corpus],
    judged: Sequence[Judged],
    kind: str,
    open_index: Opening,
) -> dict[Judged, float]:
    """All corpora in one deck, each read by somebody else."""
    with fresh_database(kind) as database:
        opened = open_index(database)
        index = opened.index if isinstance(opened, Filled) else opened

        def order(name: str) -> Order:
            reader, place_of = _store(database, corpora[name])

            def ask(query: str) -> list[int]:
                asked = SearchQuery(reader, parse_query(query), limit=FIRST)
                answer = index.search(asked)
                assert not answer.degraded
                return [place_of[hit.id] for hit in answer.hits]

            return ask

        orders = {name: order(name) for name in corpora}
        if isinstance(opened, Filled):
            opened.fill()
        return _gains(corpora, judged, orders.__getitem__)


def _store(database: Database, corpus: Corpus) -> tuple[int, dict[int, int]]:
    reader, source = make_user(database), make_source(database)
    make_subscription(database, reader, source)
    rows = [
        {
            "source_id": source,
            "guid": f"{place}",
            "title": title,
            "first_seen_at": NOW,
            "content_hash": "",
            "status": "DONE",
            "search_mark": 1,
            "language": detect_language(f"{title}\n{text}"),
        }
        for place, (title, text) in enumerate(corpus.texts)
    ]
    adding = items.insert().returning(items.c.id, sort_by_parameter_order=True)
    with database.write() as connection:
        ids = list(connection.scalars(adding, rows))
        texts = [
            {"item_id": one, "clean_content": text}
            for one, (_, text) in zip(ids, corpus.texts, strict=True)
        ]
        connection.execute(item_texts.insert(), texts)
        index_items(connection, ids)
    return reader, {one: place for place, one in enumerate(ids)}


# ---- the rival


def plain_fts5(
    corpora: Mapping[str, Corpus], judged: Sequence[Judged], joint: str
) -> dict[Judged, float]:
    def order(name: str) -> Order:
        plain = sqlite3.connect(":memory:")
        plain.execute("CREATE VIRTUAL TABLE plain USING fts5(title, text)")
        adding = "INSERT INTO plain (rowid, title, text) VALUES (?, ?, ?)"
        plain.executemany(adding, [(n, *texts) for n, texts in enumerate(corpora[name].texts)])
        asking = f"SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT {FIRST}"

        def ask(query: str) -> list[int]:
            parts = re.findall(r'"[^"]+"|[^\s"]+', query)
            words = joint.join(part if part[0] == '"' else f'"{part}"' for part in parts)
            return [row[0] for row in plain.execute(asking, (words,))]

        return ask

    return _gains(corpora, judged, order)
