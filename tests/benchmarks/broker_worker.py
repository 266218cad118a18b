"""A worker of the broker benchmark, in a process of its own; what its jobs do is nothing.

    ours DATABASE BROKER NAME   as `morningdeck worker` serves one stage
    plain BROKER                Celery's own worker, acknowledging late, as most run it

Each prints a line once it is ready; the plain one also how many it has done, and when each began.
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
from morningdeck.work import Done, RetryPolicy, Stage

THREADS = 8
STAGE = Stage.PROCESSING
LEASE = timedelta(seconds=90)
PLAIN_QUEUE = "plain"
TOLD_SECONDS = 0.02


def holder(database_url: str, owner: str) -> Holder:
    def clock() -> datetime:
        return datetime.now(UTC)

    store = SqlJobStore(open_database(database_url, pool_size=THREADS + 4), {}, lease=LEASE)
    leases = Leases(store, owner=owner, clock=clock, lease=LEASE, deadlines={})
    return Holder(store, leases, clock, owner.partition(":")[0], owner, lambda loop: None)


def ours(database_url: str, broker_url: str, name: str) -> None:
    logs.configure("WARNING")
    mine = holder(database_url, f"{name}:bench")
    worker = Worker(StageRules(STAGE, lambda job: Done(), RetryPolicy(())), mine)
    connect = connecting(broker_url, long_poll_seconds=1)
    Working(CeleryRunner(connect, STAGE, workers=THREADS), worker).start()
    print("ready", flush=True)
    sys.stdin.read()


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


def plain(broker_url: str) -> None:
    app, began = plain_app(broker_url), list[float]()

    @app.task(name="nothing")  # type: ignore[untyped-decorator]
    def nothing() -> None:
        began.append(time.time())

    def tell() -> None:
        told = 0
        while True:
            time.sleep(TOLD_SECONDS)
            if len(began) > told:
                told = len(began)
                print(f"{told} {began[told - 1]}", file=sys.__stdout__, flush=True)

    def ready(**_: object) -> None:
        print("ready", file=sys.__stdout__, flush=True)
        threading.Thread(target=tell, daemon=True).start()

    worker_ready.connect(ready, weak=False)
    words = f"--quiet worker -P threads -c {THREADS} -l ERROR --without-gossip --without-mingle"
    app.worker_main(words.split())


KINDS_OF_WORKER: dict[str, Callable[..., None]] = {"ours": ours, "plain": plain}

if __name__ == "__main__":
    KINDS_OF_WORKER[sys.argv[1]](*sys.argv[2:])
