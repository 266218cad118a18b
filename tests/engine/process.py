"""One process of a node, made of real parts: all that an engine needs, but its verbs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from morningdeck.engine.engine import Engine
from morningdeck.engine.feeders import Feeder
from morningdeck.engine.lanes import Lane
from morningdeck.engine.leases import Heartbeat, Holder, Leases
from morningdeck.engine.loop import Loop
from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.engine.on_demand import OnDemand
from morningdeck.engine.sweep import Sender, Sweep
from morningdeck.engine.worker import StageRules, Worker
from morningdeck.errors import TransientError
from morningdeck.ports.engine import Clock, JobQueue, LossRule, Runner, Verb
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.results import SAVERS
from morningdeck.work import Job, Rest, RetryPolicy, Settlement, Stage
from tests.conftest import NOW

LEASE = timedelta(seconds=90)
NEVER = 3600.0
"""Seconds between ticks that no test lives to see: only wake-ups count."""
POLL = 0.02
POLICY = RetryPolicy((timedelta(minutes=1), timedelta(minutes=5)), jitter=0.0)


def tomorrow(job: Job) -> datetime:
    return NOW + timedelta(days=1)


class LeavingStore(SqlJobStore):
    """A real store whose database is away for the next `away` calls."""

    away = 0
    trouble: BaseException = TransientError("database: away")

    def _reach(self) -> None:
        if self.away:
            self.away -= 1
            raise self.trouble

    def claim(
        self, stage: Stage, limit: int, owner: str, now: datetime, lease: timedelta | None = None
    ) -> tuple[int, ...]:
        self._reach()
        return super().claim(stage, limit, owner, now, lease)

    def start(self, stage: Stage, job_id: int, owner: str, now: datetime) -> Job | None:
        self._reach()
        return super().start(stage, job_id, owner, now)

    def settle(self, job: Job, owner: str, settlement: Settlement, now: datetime) -> bool:
        self._reach()
        return super().settle(job, owner, settlement, now)

    def release(self, stage: Stage, ids: Collection[int], owner: str, now: datetime) -> int:
        self._reach()
        return super().release(stage, ids, owner, now)

    def renew(
        self, stage: Stage, fences: Mapping[int, int | None], owner: str, now: datetime
    ) -> frozenset[int]:
        self._reach()
        return super().renew(stage, fences, owner, now)

    def recover(
        self,
        stage: Stage,
        now: datetime,
        settle: LossRule,
        *,
        node: str | None = None,
        owner: str = "",
    ) -> int:
        self._reach()
        return super().recover(stage, now, settle, node=node, owner=owner)


class Process:
    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        owner: str = "host/0:first",
        lease: timedelta = LEASE,
        deadline: timedelta = timedelta(minutes=10),
    ) -> None:
        self.clock = clock
        self.owner = owner
        self.deadline = deadline
        self.store = LeavingStore(database, SAVERS, lease=lease)
        self.leases = Leases(
            self.store,
            owner=owner,
            clock=clock,
            lease=lease,
            deadlines=dict.fromkeys(Stage, deadline),
        )
        self.holder = Holder(
            self.store, self.leases, clock, owner.partition(":")[0], owner, self._wake
        )
        self._engine: Engine | None = None
        self._loops: list[Loop] = []

    def worker(
        self,
        verb: Verb,
        stage: Stage = Stage.PROCESSING,
        *,
        rest: Rest = tomorrow,
        wake: Callable[[str], None] | None = None,
    ) -> Worker:
        return Worker(
            StageRules(stage, verb, POLICY, rest),
            replace(self.holder, wake=wake or self._wake),
        )

    def _wake(self, loop: str) -> None:
        if self._engine is not None:
            self._engine.wake(loop)

    def feeder(
        self,
        queue: JobQueue,
        runner: Runner,
        stage: Stage = Stage.PROCESSING,
        batch: int = 10,
        timer: Callable[[], float] = time.monotonic,
    ) -> Feeder:
        return Feeder(stage, queue, runner, self.holder, batch=batch, timer=timer)

    def lane(
        self,
        verb: Verb,
        stage: Stage = Stage.PROCESSING,
        *,
        workers: int = 2,
        capacity: int = 100,
        batch: int = 10,
        backlog_warning: int | None = None,
        queue: MemoryQueue | None = None,
        rest: Rest = tomorrow,
        timer: Callable[[], float] = time.monotonic,
    ) -> Lane:
        queue = queue or MemoryQueue(capacity)
        runner = ThreadRunner(stage.value, queue, workers=workers, poll_seconds=POLL)
        lane = Lane(
            self.feeder(queue, runner, stage, batch, timer),
            runner,
            self.worker(verb, stage, rest=rest),
            every_seconds=NEVER,
            backlog_warning=backlog_warning,
        )
        self._loops.append(lane)
        return lane

    def queue_up(self, lane: Lane, count: int) -> None:
        """Claims that wait behind those at work, as a feeder makes them for tiny jobs."""
        stage = Stage(lane.name)
        for row in self.store.claim(stage, count, self.owner, self.clock()):
            self.leases.hold(stage, row)
            assert lane.queue.enqueue(row)

    def sweep(self, verb: Verb) -> Sweep:
        worker = self.worker(verb, Stage.DELIVERY)
        sweep = Sweep(
            worker,
            self.holder,
            workers=2,
            every_seconds=NEVER,
            deadline=self.deadline,
        )
        self._loops.append(sweep)
        return sweep

    def on_demand(self, verb: Verb, stage: Stage = Stage.PROCESSING) -> OnDemand:
        heartbeat = partial(Heartbeat, self.leases, every_seconds=NEVER)
        return OnDemand(self.holder, {stage: self.worker(verb, stage)}, {stage: 2}, heartbeat)

    @staticmethod
    def _worker_of(loop: Lane | Sweep) -> Worker:
        return loop.worker if isinstance(loop, Sweep) else loop.working.worker

    def engine(
        self, *loops: Lane | Sweep, recovery_seconds: float = NEVER, beat_seconds: float = NEVER
    ) -> Engine:
        self._engine = Engine(
            loops,
            self.holder,
            workers={Stage(loop.name): self._worker_of(loop) for loop in loops},
            heartbeat=Heartbeat(self.leases, every_seconds=beat_seconds),
            recovery_seconds=recovery_seconds,
        )
        return self._engine

    def close(self) -> None:
        """Afterwards nobody uses its database, which may be closed."""
        self.store.away = 0
        if self._engine is not None:
            self._engine.stop(5.0)
        else:
            for loop in self._loops:
                loop.stop()
                loop.join(5.0)
        for thread in threading.enumerate():
            if isinstance(thread, Sender):  # one that took too long is waited for by no loop
                thread.join(5.0)
