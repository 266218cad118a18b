"""What the engine costs when the work itself costs nothing: claim, start, settle.

Beside it the bare driver doing the very same statements with the same durability, and
two job engines that a user would pick, each keeping what became of every job.
"""

from __future__ import annotations

import queue
import threading
import time
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import delete

from morningdeck.engine.feeders import Feeder
from morningdeck.engine.lanes import Lane
from morningdeck.engine.leases import Holder, Leases
from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.engine.worker import StageRules, Worker
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.queue.stages import STAGES
from morningdeck.store.queue.statements import settling, starting
from morningdeck.store.tables.news import sources
from morningdeck.work import Done, RetryPolicy, Stage
from tests.benchmarks import peers
from tests.benchmarks.grounds import KINDS, Bare, Sent, bare, fresh_database, sent_claim
from tests.benchmarks.report import Report
from tests.benchmarks.running import WATCHED_SECONDS
from tests.benchmarks.timing import medians
from tests.factories import make_items, make_source
from tests.waiting import until

THREADS = 8
BATCH = 50
OWNER = "bench:1"
STAGE = Stage.PROCESSING
LEASE = timedelta(seconds=90)
ENDING = {"new_due_at": None, "new_failures": 0, "new_losses": 0, "new_error": None}


def run(report: Report) -> None:
    count, rounds = (60, 1) if report.quick else (3_000, 7)
    for kind in KINDS:
        with fresh_database(kind) as database, bare(database) as driver:
            peer = peers.of(kind)
            ours, loop, *theirs = medians(
                rounds,
                partial(lane_rate, database, count),
                partial(_loop, driver, database, count),
                *([partial(peer[0], count, THREADS)] if peer else []),
            )
            what = f"jobs without work, {THREADS} threads, {kind}"
            report.rate(what, ours, share=0.6, beside=loop, name="bare driver, same SQL")
            if peer:
                report.rate(what, ours, share=1.0, beside=theirs[0], name=peer[1])


def now() -> datetime:
    return datetime.now(UTC)


def fill(database: Database, count: int) -> None:
    with database.write() as connection:
        connection.execute(delete(sources))  # and their items
    make_items(database, make_source(database), count)


def lane_rate(database: Database, count: int) -> float:
    fill(database, count)
    work = SqlJobStore(database, {}, lease=LEASE)
    leases = Leases(work, owner=OWNER, clock=now, lease=LEASE, deadlines={})
    holder = Holder(work, leases, now, "bench", OWNER, wake=lambda loop: None)
    worker = Worker(StageRules(STAGE, lambda job: Done(), RetryPolicy(())), holder)
    queue = MemoryQueue(1000)
    runner = ThreadRunner("bench", queue, workers=THREADS)
    feeder = Feeder(STAGE, queue, runner, holder, batch=BATCH)
    lane = Lane(feeder, runner, worker, every_seconds=60)
    began = time.perf_counter()
    lane.start()
    until(lambda: worker.outcomes["DONE"] >= count, WATCHED_SECONDS, pause_seconds=0.001)
    taken = time.perf_counter() - began
    lane.stop()
    lane.join(5)
    return count / taken


def _claim(database: Database) -> Sent:
    """The statement with which our feeder claims."""
    return sent_claim(database, STAGE, BATCH, OWNER, now(), LEASE)


def _loop(driver: Bare, database: Database, count: int) -> float:
    fill(database, BATCH)
    claim = _claim(database)
    fill(database, count)
    start = starting(STAGES[STAGE]).on(database.dialect)
    settle = settling(STAGES[STAGE], "DONE").on(database.dialect)
    at = {"job_id": 0, "fence": 1, "owner": OWNER, "now": now(), "until": now() + LEASE}
    first, second = start.parameters(at), settle.parameters({**at, **ENDING})
    ids: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    hungry = threading.Semaphore(0)

    def work() -> None:
        for job_id in iter(ids.get, None):
            mine = {"job_id": job_id}
            ((fence, _, _),) = driver.run(start.sql, {**first, **mine})
            assert driver.run(settle.sql, {**second, **mine, "fence": fence})
            hungry.release()

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    claimed = 0
    while claimed < count:
        for job_id, *_ in driver.run(claim.sql, claim.values):
            ids.put(job_id)
            claimed += 1
        for _ in range(BATCH // 2 if claimed > BATCH else 0):
            assert hungry.acquire(timeout=WATCHED_SECONDS), "its threads have failed"
    for _ in threads:
        ids.put(None)
    for thread in threads:
        thread.join()
    return count / (time.perf_counter() - began)
