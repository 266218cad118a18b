"""Keeps a queue fed: claims no more rows than will soon begin, and enqueues their ids.

A claimed row cannot give way to a more urgent one, and no other process can take it. So
claims are for workers that are free; ahead of them only where jobs are so short that the
next claim would come too late for the next worker. With no runner here, only free room in the
queue counts.
"""

from __future__ import annotations

import threading
import time
from datetime import timedelta

from morningdeck.engine.leases import Holder
from morningdeck.logs import log
from morningdeck.ports.engine import JobQueue, Runner
from morningdeck.work import Stage

AHEAD_SECONDS = 0.2
"""As many are claimed ahead as would begin within this time."""
STALE_SECONDS = 1.0
"""Claims that wait longer go back: the jobs before them are longer than those of late."""


class Feeder:
    """One feed at a time: ticks and wake-ups wait for each other."""

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
