"""How soon work begins on an idle system: a whole application and a feed on loopback."""

from __future__ import annotations

import queue
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Row, and_, select, update

from morningdeck.app import App
from morningdeck.model.wanting import NewSource
from morningdeck.store.tables.news import items, sources
from tests.benchmarks import crowd
from tests.benchmarks.grounds import KINDS, empty_url
from tests.benchmarks.million import MILLION
from tests.benchmarks.report import Report
from tests.benchmarks.running import LOOK_SECONDS, running_app
from tests.benchmarks.timing import percentile
from tests.servers.feeds import FeedServer, News
from tests.waiting import until

SHOWN = (50, 95, 99)


def run(report: Report) -> None:
    rounds = 3 if report.quick else 100
    handed = _handed_over(rounds)
    for kind in KINDS:
        with FeedServer() as feeds, _idle_app(kind, feeds) as (app, source_id):
            found, began = _measure(app, feeds, source_id, rounds)
            _tell(report, f"idle, {kind}", found, began, handed)
            crowd.fill(app.store.database, 4_000 if report.quick else MILLION, due_at=_next_year())
            crowded_found, crowded_began = _measure(app, feeds, source_id, rounds)
        what = f"1,000,000 waiting, {kind}"
        _tell(report, what, crowded_found, crowded_began, handed)
        for name, one, other in (
            ("new item to worker", found, crowded_found),
            ("claim to start", began, crowded_began),
        ):
            report.no_slower(
                f"{name}, p50, {what}",
                percentile(other, 50),
                times=2,
                beside=percentile(one, 50),
                name="idle",
            )


def _tell(
    report: Report, what: str, found: list[float], began: list[float], handed: list[float]
) -> None:
    name = "bare queue.Queue"
    for percent in SHOWN[:2]:
        beside = percentile(handed, percent)
        taken = percentile(found, percent)
        said = f"new item to worker, p{percent}, {what}"
        report.time(said, taken, below=0.250, beside=beside, name=name)
    for percent in (50, 99):
        beside = percentile(handed, percent)
        taken = percentile(began, percent)
        said = f"claim to start, p{percent}, {what}"
        report.time(said, taken, below=0.010, beside=beside, name=name)


def _next_year() -> datetime:
    return datetime.now(UTC) + timedelta(days=365)


@contextmanager
def _idle_app(kind: str, feeds: FeedServer) -> Iterator[tuple[App, int]]:
    with (
        tempfile.TemporaryDirectory(prefix="morningdeck-bench-") as folder,
        empty_url(kind) as url,
        running_app({"data_dir": Path(folder), "database": {"url": url}}) as app,
    ):
        yield app, _subscribe(app, feeds)


def _subscribe(app: App, feeds: FeedServer) -> int:
    """A source that has been read once: the child process and the weights are there."""
    address = feeds.publish("/feed.xml", "Harbour", [News("Start", "The harbour opens.")])
    (user, *_) = app.store.users.list()
    now = app.clock()
    source = app.store.subscriptions.subscribe(user.id, NewSource(address), now=now)
    app.wake("fetch")
    _started(app, source.id, "Start")
    return source.id


def _measure(
    app: App, feeds: FeedServer, source_id: int, rounds: int
) -> tuple[list[float], list[float]]:
    """By the row's own times: from being seen, and from being claimed, to its start."""
    found, began = [], []
    for number in range(rounds):
        title = f"Ships, part {number} of {time.monotonic_ns()}"
        feeds.publish("/feed.xml", "Harbour", [News(title, f"Ship {title} is in.")])
        with app.store.database.write() as connection:
            connection.execute(
                update(sources).where(sources.c.id == source_id).values(due_at=app.clock())
            )
        app.wake("fetch")
        seen_at, queued_at, started_at = _started(app, source_id, title)
        found.append((started_at - seen_at).total_seconds())
        began.append((started_at - queued_at).total_seconds())
    return found, began


def _started(app: App, source_id: int, title: str) -> tuple[datetime, datetime, datetime]:
    """Wait until that item is done and the system is idle again.

    By way of an index: a look through a million rows would keep the machine busy itself.
    """
    columns = (items.c.first_seen_at, items.c.queued_at, items.c.started_at)
    here = and_(items.c.source_id == source_id, items.c.title == title)
    query = select(*columns).where(here, items.c.status == "DONE")
    query = query.order_by(items.c.first_seen_at.desc()).limit(1)
    found: list[Row[datetime, datetime, datetime]] = []

    def look() -> bool:
        with app.store.database.read() as connection:
            found.extend(connection.execute(query).all())
        return bool(found)

    until(look, pause_seconds=LOOK_SECONDS)
    return found[0].first_seen_at, found[0].queued_at, found[0].started_at


def _handed_over(rounds: int) -> list[float]:
    """The least there is: an object through a queue to a thread that waits for it."""
    waiting: queue.Queue[float | None] = queue.Queue()
    taken: list[float] = []

    def take() -> None:
        while (put_at := waiting.get()) is not None:
            taken.append(time.perf_counter() - put_at)

    thread = threading.Thread(target=take)
    thread.start()
    for _ in range(rounds):
        waiting.put(time.perf_counter())
        time.sleep(0.005)
    waiting.put(None)
    thread.join()
    return taken
