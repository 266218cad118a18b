"""A search by meaning over two hundred thousand items: how long it takes, and how much memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import insert, literal, select

from morningdeck.actions.search import ByMeaning
from morningdeck.asked.parse import parse_query
from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.model.finding import SearchQuery
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import item_likenesses, items, sources, stories, subscriptions
from morningdeck.store.views.meant import MOST_MEANT, MeantItems
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.stories.meaning import Meaning
from tests.benchmarks import crowd
from tests.benchmarks.grounds import KINDS, fresh_database
from tests.benchmarks.report import Report
from tests.benchmarks.timing import medians, seconds
from tests.factories import make_user

ASKED = ("crude oil prices", "unemployment", "a port strike", "coffee harvest", "steel tariffs")
A_SLICE_HOLDS = 20_000_000
BELOW_SECONDS = 2.0
PUT = 5_000
NEAR_EACH, NEAR = 4, 0.4
"""One item in so many is about something that is asked for: a twentieth of all is near."""


def run(report: Report) -> None:
    count = 2_000 if report.quick else MOST_MEANT
    embedder = WordEmbedder()
    vectors = _vectors(count, embedder)
    for kind in KINDS:
        with fresh_database(kind) as database:
            _measure(report, database, embedder, vectors)


def _measure(
    report: Report, database: Database, embedder: WordEmbedder, vectors: NDArray[np.int8]
) -> None:
    count = len(vectors)
    user_id = _reader(database, vectors)
    searching = ByMeaning(MeantItems(database), FulltextIndex(database), lambda: embedder, Meaning)
    queries = [SearchQuery(user_id, parse_query(text), sort="meaning") for text in ASKED]
    in_memory = vectors.astype(np.float32)
    asked = iter(queries * 100)

    def rival() -> float:
        (vector,) = embedder.embed([ASKED[0]])
        return seconds(lambda: np.argsort(-(in_memory @ np.frombuffer(vector, "<f4"))))

    ours, theirs = medians(
        2 if report.quick else 5, lambda: seconds(partial(searching.search, next(asked))), rival
    )
    what = f"search by meaning in {count:,} items, {database.kind}"
    report.time(what, ours, below=BELOW_SECONDS, beside=theirs, name="vectors in memory")
    tracemalloc.start()
    total = searching.search(queries[0]).total
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    report.say(f"{total:,} of them are near to {ASKED[0]!r}")
    what = f"memory of a search by meaning in {count:,} items, {database.kind}"
    name = "vectors in memory"
    report.memory(what, most, below=A_SLICE_HOLDS, beside=in_memory.nbytes, name=name)


def _vectors(count: int, embedder: WordEmbedder) -> NDArray[np.int8]:
    """As many directions as there are items, some of them near to what is asked."""
    chance = np.random.default_rng(7)
    numbers = chance.normal(size=(count, DIMENSIONS)).astype(np.float32)
    numbers /= np.linalg.norm(numbers, axis=1, keepdims=True)
    meant = [np.frombuffer(one, "<f4") for one in embedder.embed(ASKED)]
    for place in range(0, count, NEAR_EACH):
        numbers[place] += NEAR * meant[place // NEAR_EACH % len(meant)]
    return (numbers * 127).clip(-127, 127).astype(np.int8)


def _reader(database: Database, vectors: NDArray[np.int8]) -> int:
    """Somebody who reads everything."""
    crowd.fill(database, len(vectors), status="DONE", enriched_by="offline")
    user_id = make_user(database)
    everything = select(literal(user_id), sources.c.id)
    with database.write() as connection:
        connection.execute(insert(subscriptions).from_select(["user_id", "source_id"], everything))
        connection.execute(insert(stories), [{"id": 1}])
        ids = list(connection.scalars(select(items.c.id).order_by(items.c.id)))
    rows = list(_rows(ids, vectors))
    for start in range(0, len(rows), PUT):
        with database.write() as connection:
            connection.execute(insert(item_likenesses), rows[start : start + PUT])
    if not database.exclusive:
        crowd.settle_down(database)
    return user_id


def _rows(ids: list[int], vectors: NDArray[np.int8]) -> Iterator[dict[str, object]]:
    now = datetime.now(UTC)
    for item_id, vector in zip(ids, vectors, strict=True):
        yield {"item_id": item_id, "story_id": 1, "first_seen_at": now, "vector": vector.tobytes()}
