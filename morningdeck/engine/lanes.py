"""A lane: the way of one stage from rows that wait to jobs that are settled.

    Feeder     claims what is due, as far as there is room, and puts it into the queue
    Feeding    has the feeder do so when woken or when it is time
    Working    serves the queue: each id from its start to its settlement

A lane in one process has both. With a broker in between, daemons have the first half and
workers elsewhere the second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from morningdeck.engine.leases import Holder
from morningdeck.engine.loop import Dispatcher, is_due, seconds_until_due
from morningdeck.engine.worker import Worker
from morningdeck.logs import log
from morningdeck.ports.engine import JobQueue, Runner
from morningdeck.work import Stage

AHEAD_SECONDS = 0.2
"""As many are claimed ahead as would begin within this time."""
STALE_SECONDS = 1.0
"""Claims that wait longer go back: the jobs before them are longer than those of late."""
WATCH_SECONDS = 1.0
"""Counting a long backlog costs as much as a claim or two."""
NEVER = datetime.max.replace(tzinfo=UTC)


class Feeder:
    """Claims no more rows than will soon begin. One feed at a time: ticks and wake-ups wait for
    each other.

    A claimed row cannot give way to a more urgent one, and no other process can take it. So
    claims are for workers that are free; ahead of them only where jobs are so short that the
    next claim would come too late for the next worker. With no runner here, only free room in
    the queue counts.
    """

    def __init__(
        self,
        stage: Stage,
        queue: JobQueue,
        runner: Runner | None,
        holder: Holder,
        *,
        batch: int,
        lease: timedelta | None = None,
    ) -> None:
        """With a `lease` of its own where claims may wait for long, as in a broker."""
        self.stage = stage
        self.queue = queue
        self._runner = runner
        self.holder = holder
        self._batch = batch
        self._lease = lease
        if runner is not None:
            holder.leases.serve(stage, runner.is_served)
            self._furthest = max(batch, 2 * runner.workers)
        self._ahead = 0
        self._enqueued = 0
        self._claimed_at = self._measured_at = time.monotonic()
        self._begun_then = 0
        self._feeding = threading.Lock()
        self._was_full = False
        self._stopped = False
        self.more = False
        """There may be more than was claimed: a worker that makes room should wake the feeder."""

    def feed(self) -> int:
        """Claim what is due, as far as there is room; returns how much was claimed."""
        fed = 0
        with self._feeding:
            self.more = True  # before the claim: workers may have emptied the queue right after
            if self._runner is not None:
                self._measure(self._runner.workers)
                self._give_back_stale()
            while not self._stopped and (room := self._room()) > 0:
                claimed, refused = self._claim(room)
                fed += claimed
                if refused:
                    break
                if claimed < room:
                    self.more = False
                    break
        return fed

    def _measure(self, workers: int) -> None:
        """How far ahead to claim: as many as have begun lately in `AHEAD_SECONDS`."""
        now, begun = time.monotonic(), self._enqueued - self.queue.size()
        seconds, count = now - self._measured_at, begun - self._begun_then
        if seconds < AHEAD_SECONDS and count <= 2 * workers:
            return  # too little to tell
        soon = int(count * AHEAD_SECONDS / max(seconds, 1e-6))
        if count <= workers:
            soon = 0  # one job for each worker: long ones may just have ended together
        # halved at most, as the whole machine may have stood still for a moment
        self._ahead = min(self._furthest, max(soon, self._ahead // 2))
        self._measured_at, self._begun_then = now, begun

    def _give_back_stale(self) -> None:
        if time.monotonic() - self._claimed_at < STALE_SECONDS:
            return
        stale = self.queue.withdraw()
        if stale:
            self._ahead = 0
        self._enqueued -= len(stale)
        self.give_back(stale)

    def _space(self) -> int:
        if self._runner is None:
            return self.queue.capacity - self.queue.size()
        free = self._runner.workers - self._runner.in_work()
        return free + self._ahead - self.queue.size()

    def _room(self) -> int:
        self._warn_when_full()
        if self._runner is not None and not self._runner.is_served():
            return 0
        return min(self._batch, self._space(), self.queue.capacity - self.queue.size())

    def _warn_when_full(self) -> None:
        full = not self.queue.can_accept()
        if full and not self._was_full:
            log.warning("queue_full", stage=self.stage.value, capacity=self.queue.capacity)
        self._was_full = full

    def _claim(self, room: int) -> tuple[int, int]:
        """How many ids went into the queue, and how many it would not take after all."""
        mine = self.holder
        ids = mine.jobs.claim(self.stage, room, mine.owner, mine.clock(), self._lease)
        self._claimed_at = time.monotonic()
        refused = []
        for job_id in ids:
            mine.leases.hold(self.stage, job_id)  # before a worker can start it
            if not self.queue.enqueue(job_id):
                refused.append(job_id)
        if refused:
            self.give_back(tuple(refused))
        self._enqueued += len(ids) - len(refused)
        return len(ids) - len(refused), len(refused)

    def wants_more(self) -> bool:
        """True when so much is done that the next batch should be claimed."""
        return self._space() > self._ahead // 2

    def stop(self) -> None:
        """Claim no more and give back at once what no worker has taken."""
        self._stopped = True
        with self._feeding:
            self.give_back(self.queue.withdraw())

    def give_back(self, ids: tuple[int, ...]) -> None:
        mine = self.holder
        for job_id in ids:
            mine.leases.drop(self.stage, job_id)
        if ids:
            mine.jobs.release(self.stage, ids, mine.owner, mine.clock())


class Feeding(Dispatcher):
    """`counts` are told with each cycle that did something."""

    def __init__(
        self,
        feeder: Feeder,
        *,
        every_seconds: float,
        backlog_warning: int | None = None,
        counts: Callable[[], Mapping[str, int]] = dict,
    ) -> None:
        super().__init__(feeder.stage.value, self._round, every_seconds=every_seconds)
        self.queue: JobQueue = feeder.queue
        self._stage = feeder.stage
        self._feeder = feeder
        self._holder = feeder.holder
        self._counts = counts
        self._backlog_warning = backlog_warning
        self._warned = False
        self._watches_at = 0.0
        self._looks_at = NEVER
        """When the next round comes by itself."""

    def on_settled(self, due_at: datetime | None) -> None:
        """A job has ended, and its row is due again at this time."""
        if due_at is not None and due_at < self._looks_at:
            self.wake()

    def freed(self) -> None:
        """A worker has nothing to do any more."""
        if self._feeder.more and self._feeder.wants_more():
            self.wake()

    def _round(self) -> float | None:
        self._looks_at = NEVER  # what falls due while this round is on causes another
        pause = self._feed()
        wait = timedelta(seconds=self._every_seconds if pause is None else pause)
        self._looks_at = self._holder.clock() + wait
        return pause

    def _feed(self) -> float | None:
        fed = self._feeder.feed()
        if fed:
            counts = {"claimed": fed, "queued": self.queue.size(), **self._counts()}
            log.info("feeder_cycle", stage=self.name, **counts)
        self._watch_backlog()
        if not self._feeder.more:
            return seconds_until_due(self._holder, self._stage)
        return STALE_SECONDS if self.queue.size() else None

    def _watch_backlog(self) -> None:
        now = time.monotonic()
        if self._backlog_warning is None or now < self._watches_at:
            return
        self._watches_at = now + WATCH_SECONDS
        mine, cap = self._holder, self._backlog_warning + 1
        waiting = mine.jobs.waiting(self._stage, mine.clock(), cap)
        high = waiting > self._backlog_warning
        if high and not self._warned:
            log.warning("Enrichment queue backlog high", waiting=waiting)
        self._warned = high

    def stop(self) -> None:
        super().stop()
        self._feeder.stop()

    def busy(self, horizon: datetime) -> bool:
        if is_due(self._holder, self._stage, horizon):
            return True
        # in the order in which an id travels, so that it is not missed on its way
        return self.in_round or self.queue.size() > 0


class Working:
    """`on_settled` hears of each job when its row is due again, `freed` of each idle worker."""

    def __init__(
        self,
        runner: Runner,
        worker: Worker,
        *,
        on_settled: Callable[[datetime | None], None] = lambda due_at: None,
        freed: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = worker.stage.value
        self.runner = runner
        self.worker = worker
        self._on_settled = on_settled
        self._freed = freed

    def counts(self) -> Mapping[str, int]:
        outcomes = sorted(self.worker.outcomes.items())
        return {"running": self.runner.in_work(), **{k.lower(): n for k, n in outcomes}}

    def start(self) -> None:
        run = partial(self.worker.run, on_settled=self._on_settled)
        self.runner.start(run, self._freed)

    def wake(self) -> None:
        """An id in the queue is all that wakes a worker."""

    def stop(self) -> None:
        self.runner.stop()

    def join(self, timeout: float) -> bool:
        return self.runner.join(timeout)

    def busy(self, horizon: datetime) -> bool:
        return self.runner.in_work() > 0


class Lane(Feeding):
    """Feeding and working of one stage in one process."""

    def __init__(
        self,
        feeder: Feeder,
        runner: Runner,
        worker: Worker,
        *,
        every_seconds: float,
        backlog_warning: int | None = None,
    ) -> None:
        self.working = Working(runner, worker, on_settled=self.on_settled, freed=self.freed)
        super().__init__(
            feeder,
            every_seconds=every_seconds,
            backlog_warning=backlog_warning,
            counts=self.working.counts,
        )

    def start(self) -> None:
        self.working.start()
        super().start()

    def stop(self) -> None:
        try:
            super().stop()
        finally:  # a database that is away keeps nobody from stopping
            self.working.stop()

    def join(self, timeout: float) -> bool:
        patience = time.monotonic() + timeout
        fed = super().join(timeout)
        return self.working.join(max(0.0, patience - time.monotonic())) and fed

    def busy(self, horizon: datetime) -> bool:
        return super().busy(horizon) or self.working.busy(horizon)
