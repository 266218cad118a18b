"""The real engine over real rows, with a verb and a clock of the test's own: no news in it."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta

from morningdeck.app import system_clock
from morningdeck.engine.engine import Engine
from morningdeck.engine.feeders import Feeder
from morningdeck.engine.lanes import Lane
from morningdeck.engine.leases import Heartbeat, Holder, Leases
from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.engine.worker import StageRules, Worker
from morningdeck.ports.engine import Clock, Verb
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.work import Done, Job, Outcome, RetryPolicy, Stage

LEASE = timedelta(seconds=90)
NODE = "rig/0"
FASTER = 20


@dataclass(frozen=True, slots=True)
class Rig:
    engine: Engine
    heartbeat: Heartbeat
    worker: Worker

    def wake(self) -> None:
        self.engine.wake(Stage.PROCESSING.value)


def rig(
    database: Database,
    verb: Verb,
    clock: Clock,
    *,
    batch: int = 50,
    workers: int = 4,
    recovery_seconds: float = 30,
) -> Rig:
    """One lane, items to be processed, as a new incarnation of always the same node."""
    store = SqlJobStore(database, {}, lease=LEASE)
    owner = f"{NODE}:{secrets.token_hex(6)}"
    leases = Leases(store, owner=owner, clock=clock, lease=LEASE, deadlines={})
    holder = Holder(store, leases, clock, NODE, owner, wake=lambda loop: None)
    worker = Worker(StageRules(Stage.PROCESSING, verb, RetryPolicy(())), holder)
    queue = MemoryQueue(1000)
    runner = ThreadRunner("processing", queue, workers=workers)
    feeder = Feeder(Stage.PROCESSING, queue, runner, holder, batch=batch)
    heartbeat = Heartbeat(leases, every_seconds=LEASE.total_seconds() / 4.5)
    engine = Engine(
        [Lane(feeder, runner, worker, every_seconds=60)],
        holder,
        workers={Stage.PROCESSING: worker},
        heartbeat=heartbeat,
        recovery_seconds=recovery_seconds,
    )
    return Rig(engine, heartbeat, worker)


def work_off(database_url: str, poison: int, epoch: datetime) -> None:
    """Do all that waits; the job of that id kills its process each time.

    Since `epoch` the time passes faster, so that nobody waits for a minute.
    """

    def verb(job: Job) -> Outcome:
        if job.id == poison:
            os.kill(os.getpid(), signal.SIGKILL)
        return Done()

    def clock() -> datetime:
        return epoch + FASTER * (system_clock() - epoch)

    database = open_database(database_url)
    engine = rig(database, verb, clock).engine
    engine.tick(Stage.PROCESSING.value, 0.1)
    engine.start()
    engine.run_until_idle(threading.Event().wait, timedelta(hours=1))
    engine.stop(10)
    database.close()


if __name__ == "__main__":
    work_off(sys.argv[1], int(sys.argv[2]), datetime.fromisoformat(sys.argv[3]))
