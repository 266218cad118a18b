"""A model that takes half a second, asked by many workers under a budget.

Beside it the ideal: as many questions at once as there are workers, and nothing in between.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

from morningdeck.adapters import Adapters
from morningdeck.app import open_app
from morningdeck.model.asking import Purpose, Question
from morningdeck.model.making import Article, Criteria
from morningdeck.noting.parts import spare_processor
from morningdeck.process import noted
from morningdeck.settings.sections import Settings
from tests.benchmarks.grounds import KINDS, empty_url
from tests.benchmarks.report import Report
from tests.benchmarks.scripted import Scripted
from tests.conftest import CORPORA
from tests.quality.relevance import newswire

LATENCY_SECONDS = 0.5
WORKERS = (4, 32, 128)
SHARE = 0.95
WISH = Criteria(1, 1, "Offshore wind, grid storage and heat pumps.", user_id=1)
SUMMARY = {"type": "string", "maxLength": 600}
SCHEMA = {"type": "object", "properties": {"summary": SUMMARY}, "required": ["summary"]}
WORDS = ("harbour", "ship", "turbine", "market", "council", "budget", "storm", "museum", "river")
_numbers = itertools.count()


def run(report: Report) -> None:
    calls, counts = (1, WORKERS[:1]) if report.quick else (12, WORKERS)
    with Scripted(LATENCY_SECONDS) as model:
        for kind in KINDS:
            for workers in counts:
                with adapters(kind, model.base_url, workers) as using:
                    for what, ask in (("questions", _ask), ("items to enrich", _enrich)):
                        rate, processor_seconds = _measured(using, workers, calls, ask)
                        one = what.partition(" ")[0].removesuffix("s")
                        report.say(
                            f"{1000 * processor_seconds:.1f} ms of processor time each {one}"
                        )
                        named = f"{what}, model of {LATENCY_SECONDS:g} s, {workers} workers, {kind}"
                        ideal = workers / LATENCY_SECONDS
                        report.rate(
                            named, rate, share=SHARE, beside=ideal, name="workers / latency"
                        )


@contextmanager
def adapters(kind: str, base_url: str, workers: int) -> Iterator[Adapters]:
    enricher = {
        "kind": "openai",
        "base_url": base_url,
        "max_concurrency": workers,
        "daily_budget_usd": 1_000,
    }
    with tempfile.TemporaryDirectory(prefix="morningdeck-bench-") as folder, empty_url(kind) as url:
        given = {
            "data_dir": Path(folder),
            "database": {"url": url, "pool_size": 20},
            "enricher": enricher,
        }
        with open_app(Settings.model_validate(given)) as app:
            app.adapters.note_takers.has_child = spare_processor()
            yield app.adapters


def _measured(
    using: Adapters, workers: int, calls: int, ask: Callable[[Adapters], None]
) -> tuple[float, float]:
    """Calls a second, and processor time of this process for each.

    The first of each worker is not counted, as much is loaded then.
    """

    def work(_: int) -> None:
        for _ in range(calls):
            ask(using)

    with ThreadPoolExecutor(workers) as threads:
        list(threads.map(lambda _: ask(using), range(workers)))
        began, spent = time.perf_counter(), time.process_time()
        list(threads.map(work, range(workers)))
        taken, spent = time.perf_counter() - began, time.process_time() - spent
    return workers * calls / taken, spent / (workers * calls)


def _ask(using: Adapters) -> None:
    assert using.model is not None
    article = _article()
    question = Question(
        purpose=Purpose.ENRICH,
        instructions="Summarise the article.",
        around=(f"Title: {article.title}\n", ""),
        text=article.text,
        schema=SCHEMA,
        tokens_out=300,
    )
    using.model.ask(question)


def _enrich(using: Adapters) -> None:
    """As `process` does, which takes notes whoever enriches."""
    article = _article()
    notes = using.note_takers.notes.take(article, article.url, place=True, tell=True)
    article = noted(article, notes)
    assert using.enricher.enrich(article, (WISH,)).by != "offline"


def _article() -> Article:
    """Like no other."""
    number = next(_numbers)
    known = _texts()
    text = known[number % len(known)]
    return Article(f"Offshore wind {number}", f"{text}\nOffshore wind and grid storage, {number}.")


@cache
def _texts() -> Sequence[str]:
    """Newswire, or where that is not to be had, words in no order."""
    if CORPORA.is_dir():
        return [article.text for article in newswire().articles.values()]
    chance = Random(1)
    return [". ".join(" ".join(chance.choices(WORDS, k=15)) for _ in range(12)) for _ in range(99)]
