"""Work through a broker: how much a second, and how soon what is ready begins.

On one, two and four worker processes of eight threads for each broker. Beside it, in the same
run: Celery's own worker, which acknowledges late and does the same nothing without a
database, and the queue in memory. What the database does for each of our jobs (its claim,
start and settlement survive any broker) is what they cost more.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import func, select

from morningdeck.engine.broker_feeder import BrokerFeeder
from morningdeck.engine.celery_queue import CeleryQueue, connecting
from morningdeck.engine.lanes import Feeding
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items
from tests.benchmarks.broker_worker import LEASE, PLAIN_QUEUE, STAGE, holder, plain_app
from tests.benchmarks.grounds import fresh_database
from tests.benchmarks.overhead import fill, lane_rate
from tests.benchmarks.report import Report
from tests.benchmarks.timing import percentile
from tests.factories import make_item, make_source, row_of
from tests.servers.brokers import BROKERS, Broker, broker
from tests.waiting import until

SHARE = 0.6
FEW = {"sqs": 300}
WATCHED_SECONDS = 300.0
PROCESSES = (1, 2, 4)


def run(report: Report) -> None:
    rounds = 3 if report.quick else 40
    with fresh_database("postgresql") as database:
        database_url = database.url.render_as_string(hide_password=False)
        memory = lane_rate(database, 60 if report.quick else 3_000)
        report.say(f"the queue in memory: {memory:,.0f} jobs/s in one process")
        for kind in ("redis", "rabbitmq") if report.quick else BROKERS:
            count = 60 if report.quick else FEW.get(kind, 3_000)
            with broker(kind) as server:
                for processes in (1,) if report.quick else PROCESSES:
                    what = f"{kind}, {processes} x 8 threads"
                    theirs, their_waits = _plain(server, processes, count, rounds)
                    ours, our_waits = _ours(
                        database, database_url, server, processes, count, rounds
                    )
                    report.rate(
                        f"jobs without work, {what}",
                        ours,
                        share=SHARE,
                        beside=theirs,
                        name="plain Celery, late",
                    )
                    report.time(
                        f"ready to started, p95, {what}",
                        percentile(our_waits, 95),
                        below=0.250,
                        beside=max(percentile(their_waits, 95), 1e-4),
                        name="plain Celery, late",
                    )


# ---- processes


@contextmanager
def _workers(count: int, *words: str) -> Iterator[list[subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "tests.benchmarks.broker_worker", *words]
    processes = [
        subprocess.Popen(
            [*command, *([f"bench/{number}"] if words[0] == "ours" else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for number in range(count)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert "ready" in process.stdout.readline(), "a worker has not begun"
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


# ---- ours


def _ours(
    database: Database, url: str, server: Broker, processes: int, count: int, rounds: int
) -> tuple[float, list[float]]:
    server.empty(STAGE.value)
    mine = holder(url, "bench/feeder:1")
    queue = CeleryQueue(
        STAGE, 1000, connecting(server.url), lambda cap: mine.jobs.queued(STAGE, cap), keep=LEASE
    )
    feeding = Feeding(
        BrokerFeeder(STAGE, queue, mine, batch=50, lease=LEASE),
        every_seconds=1,
    )
    fill(database, count)
    with _workers(processes, "ours", url, server.url):
        began = time.perf_counter()
        feeding.start()
        until(lambda: _done(database) >= count, WATCHED_SECONDS, pause_seconds=0.02)
        rate = count / (time.perf_counter() - began)
        waits = _waits(rounds, lambda number: _one_more(database, feeding, number))
        feeding.stop()
        feeding.join(5)
        queue.close()
    return rate, waits


def _done(database: Database) -> int:
    query = select(func.count()).select_from(items).where(items.c.status == "DONE")
    with database.read() as connection:
        return int(connection.scalar(query) or 0)


def _one_more(database: Database, feeding: Feeding, number: int) -> float:
    source = make_source(database)
    ready_at = datetime.now(UTC)
    item = make_item(database, source, guid=f"late {number} {ready_at}")
    feeding.wake()
    until(lambda: row_of(database, items, item).status == "DONE", WATCHED_SECONDS)
    started_at: datetime = row_of(database, items, item).started_at
    return (started_at - ready_at).total_seconds()


def _waits(rounds: int, once: Callable[[int], float]) -> list[float]:
    waits = []
    for number in range(rounds):
        waits.append(once(number))
        time.sleep(0.05)
    return waits


# ---- Celery's own


class Told:
    """What the plain workers say: how many each has done, and when its last one began."""

    def __init__(self, processes: list[subprocess.Popen[str]]) -> None:
        self._said = [(0, 0.0)] * len(processes)
        for number, process in enumerate(processes):
            threading.Thread(target=self._listen, args=(number, process), daemon=True).start()

    def _listen(self, number: int, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            done, began = line.split()
            self._said[number] = (int(done), float(began))

    @property
    def done(self) -> int:
        return sum(done for done, _began in self._said)

    @property
    def last_began(self) -> float:
        return max(began for _done, began in self._said)


def _plain(server: Broker, processes: int, count: int, rounds: int) -> tuple[float, list[float]]:
    server.empty(PLAIN_QUEUE)
    app = plain_app(server.url)
    with _workers(processes, "plain", server.url) as workers, app.producer_pool.acquire() as by:
        told = Told(workers)

        def once(number: int) -> float:
            sent_at, before = time.time(), told.done
            app.send_task("nothing", producer=by)
            until(lambda: told.done > before, WATCHED_SECONDS)
            return told.last_began - sent_at

        once(-1)
        began, before = time.perf_counter(), told.done
        for _ in range(count):
            app.send_task("nothing", producer=by)
        until(lambda: told.done - before >= count, WATCHED_SECONDS, pause_seconds=0.02)
        rate = count / (time.perf_counter() - began)
        return rate, _waits(rounds, once)
