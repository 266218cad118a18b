"""What an item costs without a model: enriched by itself, and the whole way from its feed to DONE.

    Site --feeds--> fetch, parse, store --> story, profile, enrichment, scores --> DONE
    (its own process)          (whole.py: a daemon in a process of its own)

Beside it what a script would do: lead sentences and BM25; a loop that reads each feed, enriches
each item and commits it.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.enrichers.offline import OfflineEnricher
from morningdeck.enrichers.relevance import Relevance
from morningdeck.model.making import Article, Criteria
from morningdeck.parsing.feeds import parse_feed
from tests.benchmarks.cost import Cost, measure
from tests.benchmarks.grounds import KINDS, empty_url
from tests.benchmarks.known import reader_of
from tests.benchmarks.report import Report
from tests.benchmarks.scripted import Scripted
from tests.benchmarks.site import ENTRIES, Site
from tests.benchmarks.whole import LATER
from tests.conftest import CORPORA
from tests.quality.articles import of_pages
from tests.quality.bm25 import PlainBM25
from tests.quality.relevance import newswire

ALONE_SECONDS = 1 / 200
WHOLE_SECONDS = 1 / 150
MOST_BYTES = 200_000_000
WINDOWS = (1_000, 10_000, 100_000)
FEEDS = 35
"""With as many articles as the newswire has; the first one is not counted, all is loaded then."""
WISHES = 3
LATENCY_SECONDS = 0.5
PLACES = ((4, 4), (32, 32), (32, 40), (128, 128))
"""How many questions the model takes at once, and how many workers there are to ask it."""


def run(report: Report) -> None:
    if not CORPORA.is_dir():
        report.share("items to enrich, without the corpora", 0, most=1, name="not measured")
        return
    _alone(report)
    feeds = 3 if report.quick else FEEDS
    with Site(feeds, newswire=True) as site:
        loop = _loop(site.urls)
        for kind in KINDS:
            for window in (200,) if report.quick else WINDOWS:
                _whole(report, kind, window, site.urls, loop)
        if not report.quick:
            _with_model(report, site.urls)


# ---- enrichment alone


def _alone(report: Report) -> None:
    wishes = _criteria()
    embedder = WordEmbedder()
    ours = OfflineEnricher(embedder, Relevance(embedder))
    count = 10 if report.quick else 600
    pages = [told.article for told in islice(of_pages(CORPORA), count // 5)]
    news = list(newswire().articles.values())[:count]
    for name, articles in (("newswire", news), ("web pages", pages)):
        _seconds_each(lambda one: ours.enrich(one, wishes), articles[:10])
        taken = _seconds_each(lambda one: ours.enrich(one, wishes), articles)
        rival = _rival(articles, wishes)
        length = sum(len(one.text) for one in articles) / len(articles)
        report.say(f"{name}, {length:,.0f} characters: {1 / taken:.0f} items/s offline on a core")
        what = f"item enriched offline, {name}, processor time"
        report.time(what, taken, below=ALONE_SECONDS, beside=rival, name="lead sentences, BM25")


def _criteria() -> tuple[Criteria, ...]:
    told = list(newswire().wishes.values())[:WISHES]
    return tuple(Criteria(number, 1, text, user_id=1) for number, text in enumerate(told, 1))


def _seconds_each(enrich: Callable[[Article], object], articles: Sequence[Article]) -> float:
    began = time.thread_time()
    for article in articles:
        enrich(article)
    return (time.thread_time() - began) / len(articles)


def _rival(articles: Sequence[Article], wishes: Sequence[Criteria]) -> float:
    began = time.thread_time()
    known = PlainBM25([f"{one.title}\n{one.text}" for one in articles])
    for wish in wishes:
        known.scores(wish.text)
    for one in articles:
        ". ".join(one.text.split(". ")[:3])
    return (time.thread_time() - began) / len(articles)


# ---- the whole way


def _loop(urls: Sequence[str]) -> float:
    """Seconds an item, by a script without anything that a daemon has to care for."""
    wishes, embedder = _criteria(), WordEmbedder()
    enricher = OfflineEnricher(embedder, Relevance(embedder))
    with tempfile.TemporaryDirectory(prefix="morningdeck-bench-") as folder:
        database = sqlite3.connect(Path(folder) / "loop.db", isolation_level=None)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE items (title, text, enrichment)")
        count = 0
        began = time.perf_counter()
        for url in urls:
            for entry in parse_feed(_body(url)).entries:
                made = enricher.enrich(Article(entry.title, entry.text), wishes)
                row = (entry.title, entry.text, repr(made))
                database.execute("INSERT INTO items VALUES (?, ?, ?)", row)
                count += 1
        database.close()
        return (time.perf_counter() - began) / count


def _body(url: str) -> bytes:
    parts = urlsplit(url)
    connection = HTTPConnection(parts.netloc)
    connection.request("GET", parts.path)
    body = connection.getresponse().read()
    connection.close()
    return body


def _whole(report: Report, kind: str, window: int, urls: Sequence[str], loop: float) -> None:
    with _settings(kind, {"enricher": {"kind": "offline"}}) as given:
        reader_of(given, WISHES, window)
        idle, cost = _taken_in(given, urls)
    count = int((1 - LATER) * (len(urls) - 1) * ENTRIES)
    each = cost.wall_seconds / count
    report.say(
        f"{1 / each:.0f} items/s from feed to DONE, {cost.cpu_seconds / count * 1000:.1f} ms of"
        f" processor time each, {cost.own_cpu_seconds / count * 1000:.1f} of them in the daemon's"
        f" own process, {window:,} in the window, {kind}"
    )
    what = f"item from feed to DONE, {window:,} in the window, {kind}"
    report.time(what, each, below=WHOLE_SECONDS, beside=loop, name="plain loop, no engine")
    what = f"daemon with children, {window:,} in the window, {kind}"
    report.memory(
        what, cost.peak_bytes, below=MOST_BYTES, beside=idle, name="before the first item"
    )


def _with_model(report: Report, urls: Sequence[str]) -> None:
    """Told only: what processing costs beside the model's calls goes through one interpreter.

    It is the calls that are counted, as an item of a known story makes none, and only those of the
    middle: at first the feeds are read, at last workers have nothing left.
    """
    with Scripted(LATENCY_SECONDS) as model:
        for places, workers in PLACES:
            some = urls if places > 4 else urls[:5]
            enricher = {
                "kind": "openai",
                "base_url": model.base_url,
                "max_concurrency": places,
                "daily_budget_usd": 1_000,
            }
            more = {"enricher": enricher, "processing": {"workers": workers}}
            with _settings("sqlite", more) as given:
                reader_of(given, WISHES, 0)
                before = len(model.calls())
                _, cost = _taken_in(given, some)
            count = (len(some) - 1) * ENTRIES
            calls = sorted(model.calls()[before:])
            own = 1000 * cost.own_cpu_seconds / count
            report.say(
                f"{count} items, {len(calls)} calls, {own:.1f} ms of processor time in the daemon's"
                " own process for an item"
            )
            what = f"calls on the way from feed to DONE, model of {LATENCY_SECONDS:g} s"
            ideal = places / LATENCY_SECONDS
            report.rate(
                f"{what}, {workers} workers, {places} at once",
                _rate_of_middle(calls),
                share=0,
                beside=ideal,
                name="places / latency",
            )


def _rate_of_middle(moments: Sequence[float]) -> float:
    first, last = len(moments) // 5, len(moments) * 4 // 5
    return (last - first) / (moments[last] - moments[first])


@contextmanager
def _settings(kind: str, more: dict[str, Any]) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="morningdeck-bench-") as folder, empty_url(kind) as url:
        fetch = {"first_import_items": ENTRIES}
        yield {"data_dir": folder, "database": {"url": url}, "fetch": fetch, **more}


def _taken_in(given: dict[str, Any], urls: Sequence[str]) -> tuple[int, Cost]:
    """The memory of the daemon before its first item, and what all feeds but the first cost."""
    daemon = [sys.executable, "-m", "tests.benchmarks.whole", json.dumps(given)]
    with subprocess.Popen(
        daemon,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:

        def take_in(some: Iterable[str]) -> None:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(" ".join(some) + "\n")
            process.stdin.flush()
            if not process.stdout.readline():
                raise RuntimeError(f"the daemon is gone, status {process.wait()}")

        def pids() -> list[int]:
            return [process.pid]

        take_in(())
        idle = measure(lambda: time.sleep(0.3), pids).peak_bytes
        take_in(urls[:1])
        take_in(())
        cost = measure(lambda: take_in(urls[1:]), pids)
        assert process.stdin is not None
        process.stdin.close()
    return idle, cost
