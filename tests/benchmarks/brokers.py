"""Work through a broker: how much a second, and how soon what is ready begins.

On one, two and four worker processes of eight threads for each broker. Beside it, in the same
run: Celery's own worker, which acknowledges late and does the same nothing without a
database; the same with one durable compare-and-set, which is the least that a job costs which
must not be done twice; and the queue in memory. All have worked a little before they are timed,
and tell themselves how much they have done.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count as numbers_from

from sqlalchemy import text

from morningdeck.engine.broker_feeder import BrokerFeeder
from morningdeck.engine.celery_queue import CeleryQueue, connecting
from morningdeck.engine.lanes import Feeding
from morningdeck.store.database.connect import Database
from tests.benchmarks.broker_worker import LEASE, PLAIN_QUEUE, STAGE, holder, plain_app
from tests.benchmarks.grounds import fresh_database
from tests.benchmarks.overhead import fill, lane_rate
from tests.benchmarks.report import Report
from tests.benchmarks.timing import percentile
from tests.factories import make_item, make_source
from tests.servers.brokers import BROKERS, Broker, broker
from tests.waiting import until

SHARE = 0.6
MANY, FEW = 6_000, {"sqs": 300}
WARMING = 0.1
"""So much of it before the clock begins."""
WATCHED_SECONDS = 300.0
PROCESSES = (1, 2, 4)
Measured = tuple[float, list[float]]


def run(report: Report) -> None:
    with fresh_database("postgresql") as database:
        memory = lane_rate(database, 60 if report.quick else 3_000)
        report.say(f"the queue in memory: {memory:,.0f} jobs/s in one process")
        for kind in ("redis", "rabbitmq") if report.quick else BROKERS:
            with broker(kind) as server:
                for processes in (1,) if report.quick else PROCESSES:
                    _compare(report, database, kind, server, processes)


def _compare(report: Report, database: Database, kind: str, server: Broker, processes: int) -> None:
    count = 60 if report.quick else FEW.get(kind, MANY)
    of = (server, processes, count, 3 if report.quick else 40)
    what = f"{kind}, {processes} x 8 threads"
    theirs, their_waits = _plain(*of)
    least, _ = _checked(database, *of)
    ours, our_waits = _ours(database, *of)
    done = f"jobs without work, {what}"
    report.rate(done, ours, share=SHARE, beside=theirs, name="plain Celery, late")
    report.rate(done, ours, share=SHARE, beside=least, name="the same, one compare-and-set")
    report.time(
        f"ready to started, p95, {what}",
        percentile(our_waits, 95),
        below=0.250,
        beside=max(percentile(their_waits, 95), 1e-4),
        name="plain Celery, late",
    )


# ---- processes


@contextmanager
def _workers(count: int, *words: str) -> Iterator[Told]:
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.broker_worker", *words, f"bench/{number}"],
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
        yield Told(processes)
    finally:
        for process in processes:
            process.kill()
            process.communicate()


class Told:
    """What the workers say: how many each has done, and when its last one began."""

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


def _measured(told: Told, count: int, rounds: int, give: Callable[[int], float]) -> Measured:
    """`give` gives them so much to do, and returns when that was ready."""

    def seconds(of: int) -> float:
        before, began = told.done, give(of)
        until(lambda: told.done - before >= of, WATCHED_SECONDS)
        return time.time() - began

    def wait() -> float:
        before, ready_at = told.done, give(1)
        until(lambda: told.done > before, WATCHED_SECONDS)
        return told.last_began - ready_at

    seconds(max(1, int(count * WARMING)))
    rate = count / seconds(count)
    waits = []
    for _ in range(rounds):
        waits.append(wait())
        time.sleep(0.05)
    return rate, waits


# ---- ours


def _ours(database: Database, server: Broker, processes: int, count: int, rounds: int) -> Measured:
    server.empty(STAGE.value)
    url = _url(database)
    mine = holder(url, "bench/feeder:1")
    queue = CeleryQueue(
        STAGE, 1000, connecting(server.url), lambda cap: mine.jobs.queued(STAGE, cap), keep=LEASE
    )
    feeder = BrokerFeeder(STAGE, queue, mine, batch=50, lease=LEASE)
    feeding = Feeding(feeder, every_seconds=1)

    def give(of: int) -> float:
        if of == 1:
            source, ready_at = make_source(database), time.time()
            make_item(database, source)
        else:
            fill(database, of)
            ready_at = time.time()
        feeding.wake()
        return ready_at

    with _workers(processes, "ours", server.url, url) as told:
        feeding.start()
        measured = _measured(told, count, rounds, give)
        feeding.stop()
        feeding.join(5)
        queue.close()
    return measured


def _url(database: Database) -> str:
    return database.url.render_as_string(hide_password=False)


# ---- Celery's own


def _plain(server: Broker, processes: int, count: int, rounds: int) -> Measured:
    return _celery(server, processes, count, rounds, ("plain", server.url), "nothing")


def _checked(
    database: Database, server: Broker, processes: int, count: int, rounds: int
) -> Measured:
    with database.write() as connection:
        connection.execute(text("DROP TABLE IF EXISTS checked"))
        connection.execute(text("CREATE TABLE checked (id bigint PRIMARY KEY, done boolean)"))
        rows = "INSERT INTO checked SELECT id, false FROM generate_series(1, :most) AS id"
        connection.execute(text(rows), {"most": 2 * count + rounds})
    words = ("checked", server.url, _url(database))
    return _celery(server, processes, count, rounds, words, "check")


def _celery(
    server: Broker, processes: int, count: int, rounds: int, words: tuple[str, ...], task: str
) -> Measured:
    server.empty(PLAIN_QUEUE)
    app, numbers = plain_app(server.url), numbers_from(1)

    def give(of: int, by: object) -> float:
        ready_at = time.time()
        for _ in range(of):
            app.send_task(task, (next(numbers),), producer=by)
        return ready_at

    with _workers(processes, *words) as told, app.producer_pool.acquire() as by:
        return _measured(told, count, rounds, partial(give, by=by))
