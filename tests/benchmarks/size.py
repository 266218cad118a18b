"""`python -m tests.benchmarks.size [ITEMS]`: PostgreSQL with two million items, outside of CI.

Claims, looks and counts beside what waits, and retention of a tenth of all: how long any of
its transactions was open, which is the most that anybody can have waited for it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from statistics import median

from sqlalchemy import func, select, text, update

from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.news import items
from morningdeck.store.views.overview import Overview
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.work import Stage
from tests.benchmarks import crowd
from tests.benchmarks.grounds import fresh_database
from tests.benchmarks.timing import seconds

TWO_MILLION = 2_000_000
LOOK_SECONDS = 0.005
STAGE = Stage.PROCESSING
OPEN = text(
    "SELECT max(extract(epoch FROM clock_timestamp() - xact_start)) FROM pg_stat_activity"
    " WHERE backend_xid IS NOT NULL AND datname = current_database()"
    " AND backend_type = 'client backend'"
)


def main(count: int) -> None:
    now = datetime.now(UTC)
    with fresh_database("postgresql") as database:
        body = "Two sentences of a body that is short. This is the second one."
        filling = seconds(lambda: crowd.fill(database, count, summary=body))
        print(f"{count:,} items in {filling:.0f} s")
        store = SqlJobStore(database, {}, lease=timedelta(seconds=90))
        overview = Overview(database)
        for name, work in (
            ("claim 100", lambda: store.claim(STAGE, 100, "bench:1", now)),
            ("when is the next due", lambda: store.next_due_at(STAGE, now)),
            ("count what waits, up to 10,001", lambda: store.waiting(STAGE, now, 10_001)),
            ("count what is queued, up to 1,000", lambda: store.queued(STAGE, 1000)),
            ("a look at the queue", lambda: overview.queue(STAGE, now, capacity=9, workers=4)),
        ):
            print(f"{name}: {median(seconds(work) for _ in range(9)) * 1000:.1f} ms")
        _age(database, count, now - timedelta(days=400))
        with longest_transaction(database) as longest:
            taken = seconds(lambda: _retain(database, now))
        print(f"retention of {count // 10:,}: {taken:.1f} s, longest open {max(longest):.3f} s")


def _age(database: Database, count: int, seen_at: datetime) -> None:
    first = select(func.min(items.c.id)).scalar_subquery()
    for start in range(0, count // 10, crowd.CHUNK):
        end = min(start + crowd.CHUNK, count // 10)
        old = items.c.id.between(first + start, first + end - 1)
        with database.write() as connection:
            values = {"status": "DONE", "first_seen_at": seen_at}
            connection.execute(update(items).where(old).values(**values))
    crowd.settle_down(database)


def _retain(database: Database, now: datetime) -> None:
    print(Retention(database).apply(Keep(items=timedelta(days=365)), now))


@contextmanager
def longest_transaction(database: Database) -> Iterator[list[float]]:
    seen, over = [0.0], threading.Event()

    def look() -> None:
        while not over.is_set():
            with database.read() as connection:
                seen.append(float(connection.scalar(OPEN) or 0))
            time.sleep(LOOK_SECONDS)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else TWO_MILLION)
