"""What each stage costs on PostgreSQL, for a plan on paper (docs/scaling.md): processor time,
transactions and bytes written, for each source, item and briefing, by `run --once` of that stage.

By itself, `python -m tests.benchmarks.scaling`, as its figures are held against nothing.
"""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg2

from tests.benchmarks.grounds import empty_url
from tests.benchmarks.report import Report
from tests.faults.daemon import Daemon
from tests.faults.feeds import serving
from tests.faults.newsroom import newsroom

WATCHED_SECONDS = 900.0
STAGES = ("fetch", "processing", "briefing")


@dataclass(frozen=True, slots=True)
class Spent:
    cpu_seconds: float
    transactions: int
    wal_bytes: int


def run(report: Report) -> None:
    feeds, entries, briefings = (4, 2, 2) if report.quick else (100, 10, 20)
    with (
        tempfile.TemporaryDirectory(prefix="morningdeck-bench-") as folder,
        empty_url("postgresql") as url,
        serving(feeds) as news,
        newsroom(url, news, Path(folder) / "outbox") as room,
    ):
        room.add_briefings(briefings)
        news.publish(entries)
        measure = Measure(Path(folder), url)
        idle = measure.stages()

        def say(what: str, count: int, *stages: str) -> None:
            spent = measure.stages(*stages)
            report.say(
                f"{what}: {(spent.cpu_seconds - idle.cpu_seconds) / count * 1000:.1f} ms of"
                f" processor, {(spent.transactions - idle.transactions) / count:.1f} transactions,"
                f" {(spent.wal_bytes - idle.wal_bytes) / count / 1024:.1f} kB of log"
            )

        say(f"a source with {entries} new items", feeds, "fetch")
        _each(room.fetch_all, lambda: say("a source with nothing new", feeds, "fetch"))
        say("an item, enriched and scored offline", feeds * entries, "processing")
        _each(room.brief_all, lambda: say("a briefing to one file", briefings, "briefing"))
        _sizes(report, url, feeds * entries)
        report.say(f"the largest process: {measure.largest_mb:.0f} MB")


def _each(*works: Callable[[], object]) -> None:
    for work in works:
        work()


class Measure:
    def __init__(self, folder: Path, url: str) -> None:
        self._folder, self._url = folder, url
        self.largest_mb = 0.0

    def stages(self, *enabled: str) -> Spent:
        """What one `run --once` of these stages takes in all."""
        before = self._so_far()
        switched: dict[str, Any] = {f"{stage}__enabled": stage in enabled for stage in STAGES}
        daemon = Daemon(
            self._folder / "deck",
            self._url,
            http__requests_per_host_second=0,
            topics__enabled=False,
            **switched,
        )
        assert daemon.start("--once").ended(WATCHED_SECONDS) == 0
        after = self._so_far()
        self.largest_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        daemon.cut()
        return Spent(after[0] - before[0], after[1] - before[1], after[2] - before[2])

    def _so_far(self) -> tuple[float, int, int]:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        with psycopg2.connect(self._url.replace("+psycopg2", "")) as connection:
            cursor = connection.cursor()
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT xact_commit, pg_current_wal_lsn() - '0/0' FROM pg_stat_database"
                " WHERE datname = current_database()"
            )
            commits, written = cursor.fetchone() or (0, 0)
        return used.ru_utime + used.ru_stime, int(commits), int(written)


def _sizes(report: Report, url: str, items: int) -> None:
    with psycopg2.connect(url.replace("+psycopg2", "")) as connection:
        cursor = connection.cursor()
        cursor.execute("SELECT pg_database_size(current_database())")
        (size,) = cursor.fetchone() or (0,)
    each = size / items / 1024
    report.say(f"the database: {size >> 20} MB with {items:,} items, {each:.1f} kB for each")


if __name__ == "__main__":
    run(Report())
