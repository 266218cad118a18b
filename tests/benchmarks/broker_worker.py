"""A worker of the broker benchmark, in a process of its own; what its jobs do is nothing.

    ours BROKER DATABASE NAME      as `morningdeck worker` serves one stage
    plain BROKER NAME              Celery's own worker, acknowledging late, as most run it
    checked BROKER DATABASE NAME   the same, but that a row says whether it was done already

Each prints a line once it is ready, then how many it has done, and when the last one began.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from celery import Celery
from celery.signals import worker_ready

from morningdeck import logs
from morningdeck.engine.celery_queue import connecting
from morningdeck.engine.celery_runner import CeleryRunner
from morningdeck.engine.lanes import Working
from morningdeck.engine.leases import Holder, Leases
from morningdeck.engine.worker import StageRules, Worker
from morningdeck.store.database.connect import open_database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.work import Done, Job, Outcome, RetryPolicy, Stage
from tests.benchmarks.grounds import BarePostgresql

THREADS = 8
STAGE = Stage.PROCESSING
LEASE = timedelta(seconds=90)
PLAIN_QUEUE = "plain"
TOLD_SECONDS = 0.02
CHECK = "UPDATE checked SET done = true WHERE id = %(number)s AND NOT done"


def _tell(done: Callable[[], int], began: list[float]) -> None:
    """Beside the work."""

    def loop() -> None:
        told = 0
        while True:
            time.sleep(TOLD_SECONDS)
            if (now := done()) > told:
                told = now
                print(f"{told} {began[-1]}", file=sys.__stdout__, flush=True)

    print("ready", file=sys.__stdout__, flush=True)
    threading.Thread(target=loop, daemon=True).start()


# ---- ours


def holder(database_url: str, owner: str) -> Holder:
    def clock() -> datetime:
        return datetime.now(UTC)

    store = SqlJobStore(open_database(database_url, pool_size=THREADS + 4), {}, lease=LEASE)
    leases = Leases(store, owner=owner, clock=clock, lease=LEASE, deadlines={})
    return Holder(store, leases, clock, owner.partition(":")[0], owner, lambda loop: None)


def ours(broker_url: str, database_url: str, name: str) -> None:
    logs.configure("WARNING")
    began: list[float] = []

    def nothing(job: Job) -> Outcome:
        began.append(time.time())
        return Done()

    worker = Worker(StageRules(STAGE, nothing, RetryPolicy(())), holder(database_url, f"{name}:1"))
    connect = connecting(broker_url, long_poll_seconds=1)
    Working(CeleryRunner(connect, STAGE, workers=THREADS), worker).start()
    _tell(lambda: worker.outcomes["DONE"], began)
    sys.stdin.read()


# ---- Celery's own


def plain_app(broker_url: str) -> Celery:
    app = Celery("plain", broker=broker_url)
    app.conf.update(
        task_acks_late=True,
        task_ignore_result=True,
        task_default_queue=PLAIN_QUEUE,
        worker_enable_remote_control=False,
        broker_transport_options={"wait_time_seconds": 1} if broker_url[:3] == "sqs" else {},
    )
    return app


def plain(broker_url: str, name: str) -> None:
    app, began = plain_app(broker_url), list[float]()

    @app.task(name="nothing")  # type: ignore[untyped-decorator]
    def nothing(number: int) -> None:
        began.append(time.time())

    _serve(app, lambda: len(began), began)


def checked(broker_url: str, database_url: str, name: str) -> None:
    app, began, done = plain_app(broker_url), list[float](), list[int]()
    driver = BarePostgresql(open_database(database_url))

    @app.task(name="check")  # type: ignore[untyped-decorator]
    def check(number: int) -> None:
        began.append(time.time())
        assert driver.run(CHECK, {"number": number}), "done already"
        done.append(number)

    _serve(app, lambda: len(done), began)


def _serve(app: Celery, done: Callable[[], int], began: list[float]) -> None:
    worker_ready.connect(lambda **_: _tell(done, began), weak=False)
    words = f"--quiet worker -P threads -c {THREADS} -l ERROR --without-gossip --without-mingle"
    app.worker_main(words.split())


KINDS_OF_WORKER: dict[str, Callable[..., None]] = {"ours": ours, "plain": plain, "checked": checked}

if __name__ == "__main__":
    KINDS_OF_WORKER[sys.argv[1]](*sys.argv[2:])
