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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count as numbers_from

from sqlalchemy import text

from morningdeck.engine.broker_feeder import BrokerFeeder
from morningdeck.engine.celery_queue import CeleryQueue, connecting
from morningdeck.engine.lanes import Feeding
from morningdeck.store.database.connect import Database
from tests.benchmarks.broker_worker import LEASE, PLAIN_QUEUE, STAGE, holder, plain_app
from tests.benchmarks.cost import cpu_seconds
from tests.benchmarks.grounds import fresh_database, postgres_server
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
Spent = Mapping[str, float]
"""Seconds of processor time: who spent them."""


@dataclass(frozen=True, slots=True)
class Measured:
    rate: float
    waits: Sequence[float]
    spent: Spent
    """For a job."""


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
    theirs, least, ours = _plain(*of), _checked(database, *of), _ours(database, *of)
    done = f"jobs without work, {what}"
    report.rate(done, ours.rate, share=SHARE, beside=theirs.rate, name="plain Celery, late")
    name = "the same, one compare-and-set"
    report.rate(done, ours.rate, share=SHARE, beside=least.rate, name=name)
    report.time(
        f"ready to started, p95, {what}",
        percentile(ours.waits, 95),
        below=0.250,
        beside=max(percentile(theirs.waits, 95), 1e-4),
        name="plain Celery, late",
    )
    for who, one in (("ours", ours), ("plain Celery", theirs), (name, least)):
        parts = ", ".join(f"{part} {taken * 1000:.2f}" for part, taken in one.spent.items())
        together = sum(one.spent.values()) * 1000
        report.say(f"{what}, {who}: ms of processor a job: {parts}, together {together:.2f}")


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
        self.pids = [process.pid for process in processes]
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


def _spent(told: Told, server: Broker) -> dict[str, float]:
    """So far."""
    return {
        "worker": cpu_seconds(told.pids),
        "feeder": time.process_time(),
        "database": cpu_seconds([postgres_server().pid]),
        "broker": cpu_seconds(server.pids),
    }


def _measured(
    told: Told,
    server: Broker,
    count: int,
    rounds: int,
    give: Callable[[int], float],
    prepare: Callable[[int], object] = lambda of: None,
) -> Measured:
    """`give` gives them so much to do, and returns when that was ready; what it takes to
    `prepare` that counts for nobody.
    """

    def work(of: int) -> tuple[float, Spent]:
        before = told.done
        prepare(of)
        so_far, began = _spent(told, server), give(of)
        until(lambda: told.done - before >= of, WATCHED_SECONDS)
        taken, after = time.time() - began, _spent(told, server)
        return taken, {part: (after[part] - so_far[part]) / of for part in after}

    def wait() -> float:
        before, ready_at = told.done, give(1)
        until(lambda: told.done > before, WATCHED_SECONDS)
        return told.last_began - ready_at

    work(max(2, int(count * WARMING)))
    taken, spent = work(count)
    waits = []
    for _ in range(rounds):
        waits.append(wait())
        time.sleep(0.05)
    return Measured(count / taken, waits, spent)


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
        ready_at = time.time()
        if of == 1:
            make_item(database, make_source(database))
        feeding.wake()
        return ready_at

    def prepare(of: int) -> None:
        if of > 1:
            fill(database, of)

    with _workers(processes, "ours", server.url, url) as told:
        feeding.start()
        measured = _measured(told, server, count, rounds, give, prepare)
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
        return _measured(told, server, count, rounds, partial(give, by=by))
