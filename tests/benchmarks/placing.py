"""What it costs to find an item's story, with a hundred thousand in the window.

A tenth of them are look-alikes: headlines of a daily service that differ in a few numbers.
"""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime
from time import perf_counter, thread_time

import numpy as np
from sqlalchemy import insert

from morningdeck.enrichers.embedding import DIMENSIONS
from morningdeck.model.making import Likeness
from morningdeck.store.rows.stories import SqlStoryRows
from morningdeck.store.tables.news import stories
from morningdeck.stories.likeness import likeness
from morningdeck.stories.window import RecentStories
from tests.benchmarks.grounds import KINDS, fresh_database
from tests.benchmarks.report import Report
from tests.benchmarks.timing import percentile
from tests.factories import make_items, make_source

KNOWN, NEW = 100_000, 1_000
LOOK_ALIKE = 10
"""One in so many."""
BYTES_PER_ITEM = 700
PLACED_SECONDS = 0.002
VOCABULARY = 60_000


def run(report: Report) -> None:
    known = 2_000 if report.quick else KNOWN
    new = 50 if report.quick else NEW
    told = likenesses(known + new)
    tracemalloc.start()
    window = RecentStories(dimensions=DIMENSIONS, most=2 * KNOWN)
    began = perf_counter()
    for number in range(known):
        window.add(number + 1, number + 1, _now(), next(told))
    report.say(f"{known} added in {perf_counter() - began:.1f} s")
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    vectors = known * DIMENSIONS * 4
    limit = known * BYTES_PER_ITEM
    what = f"window of {known:,} items"
    report.memory(what, size, below=limit, beside=vectors, name="its vectors alone, float32")
    coming = list(told)
    _matching(report, window, coming, known)
    for kind in KINDS:
        _placing(report, kind, window, coming, known)


def _matching(report: Report, window: RecentStories, coming: list[Likeness], known: int) -> None:
    rival = np.random.default_rng(1).normal(size=(known, DIMENSIONS)).astype(np.float32)
    times, theirs = [], []
    for one in coming:
        began = thread_time()
        window.match(one)
        times.append(thread_time() - began)
        began = thread_time()
        (rival @ rival[0]).argmax()
        theirs.append(thread_time() - began)
    what = f"story found among {known:,}, processor time, p95"
    beside, name = percentile(theirs, 95), "all vectors compared"
    report.time(what, percentile(times, 95), below=PLACED_SECONDS, beside=beside, name=name)


def _placing(
    report: Report, kind: str, window: RecentStories, coming: list[Likeness], known: int
) -> None:
    """With the statements, in one transaction each."""
    with fresh_database(kind) as database:
        ids = make_items(database, make_source(database), len(coming))
        with database.write() as connection:
            rows = [{"id": number + 1, "subject_id": number + 1} for number in range(known)]
            connection.execute(insert(stories), rows)
            if not database.exclusive:
                connection.exec_driver_sql(f"ALTER SEQUENCE stories_id_seq RESTART {known + 1}")
        own = deepcopy(window)
        table = SqlStoryRows(database, lambda: own)
        times = []
        for item, one in zip(ids, coming, strict=True):
            began = perf_counter()
            table.assign(item, one, _now())
            times.append(perf_counter() - began)
        what = f"item placed in its story, p95, {database.kind}"
        middle = percentile(times, 50)
        report.time(
            what, percentile(times, 95), below=2 * PLACED_SECONDS, beside=middle, name="median"
        )


def _now() -> datetime:
    return datetime.now(UTC)


def likenesses(count: int) -> Iterator[Likeness]:
    """Words as common as in a language: the n-th is n times rarer than the first."""
    chance, numbers = random.Random(7), np.random.default_rng(7)
    for number in range(count):
        vector = numbers.normal(size=DIMENSIONS).astype("<f4")
        vector /= np.linalg.norm(vector)
        if number % LOOK_ALIKE:
            words = (int(VOCABULARY ** chance.random()) for _ in range(chance.randint(6, 12)))
            title = " ".join(map(_word, words))
        else:
            title = f"Exchange rates of day {number}: one euro is {chance.random():.4f} dollars"
        yield likeness(title, "", f"https://news.example/{number}", vector.tobytes())


def _word(number: int) -> str:
    return "".join(chr(ord("a") + number // 26**place % 26) for place in range(4))
