"""Feeders: they claim what is due, as far as there is room, and put it into a queue."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from morningdeck.engine.leases import Holder
from morningdeck.logs import log
from morningdeck.ports.engine import JobQueue, Runner
from morningdeck.work import Stage

AHEAD_SECONDS = 0.2
"""As many are claimed ahead as would begin within this time."""
STALE_SECONDS = 1.0
"""Claims that wait longer go back: the jobs before them are longer than those of late."""


class Claimer:
    """What all feeders have in common. One feed at a time: ticks and wake-ups wait for each other.

    A claimed row cannot give way to a more urgent one, and no other process can take it. So
    none claims more than will soon begin; how much that is, each finds out in its own way.
    """

    def __init__(self, stage: Stage, queue: JobQueue, holder: Holder, *, batch: int) -> None:
        self.stage = stage
        self.queue = queue
        self.holder = holder
        self.owner = holder.owner
        """What stands in its claims."""
        self._batch = batch
        self._feeding = threading.Lock()
        self._was_full = False
        self._stopped = False
        self.more = False
        """There may be more than was claimed: when there is room, the feeder should be woken."""

    def feed(self) -> int:
        """Claim what is due, as far as there is room; returns how much was claimed."""
        fed = 0
        with self._feeding:
            self.more = True  # before the claim: workers may have emptied the queue right after
            self._look()
            while not self._stopped and (room := self._room()) > 0:
                claimed, refused = self._claim(room)
                fed += claimed
                if refused:
                    break
                if claimed < room:
                    self.more = False
                    break
        return fed

    def _look(self) -> None:
        """Before each feed."""

    def _room(self) -> int:
        """For how many claims."""
        raise NotImplementedError

    def _claim(self, room: int) -> tuple[int, int]:
        """How many ids went into the queue, and how many it would not take after all."""
        raise NotImplementedError

    def pause(self) -> float | None:
        """How soon to look again while there is `more`; None: not before somebody wakes us."""
        raise NotImplementedError

    def busy(self) -> bool:
        """Is anything on its way, or at work where nobody here sees it?"""
        return self.queue.size() > 0

    def queued(self) -> int:
        """How many ids are in the queue, as of the last feed."""
        return self.queue.size()

    def _warn_when_full(self) -> None:
        full = self.queued() >= self.queue.capacity
        if full and not self._was_full:
            log.warning("queue_full", stage=self.stage.value, capacity=self.queue.capacity)
        self._was_full = full

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
            mine.jobs.release(self.stage, ids, self.owner, mine.clock())


class Feeder(Claimer):
    """For the workers of this process: claims for those that are free, ahead of them only where
    jobs are so short that the next claim would come too late for the next worker.
    """

    def __init__(
        self,
        stage: Stage,
        queue: JobQueue,
        runner: Runner,
        holder: Holder,
        *,
        batch: int,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(stage, queue, holder, batch=batch)
        self._runner = runner
        self._timer = timer
        holder.leases.serve(stage, runner.is_served)
        self._furthest = max(batch, 2 * runner.workers)
        self._ahead = 0
        self._enqueued = 0
        self._claimed_at = self._measured_at = self._timer()
        self._begun_then = 0

    def _look(self) -> None:
        self._measure(self._runner.workers)
        self._give_back_stale()

    def _measure(self, workers: int) -> None:
        """How far ahead to claim: as many as have begun lately in `AHEAD_SECONDS`."""
        now, begun = self._timer(), self._enqueued - self.queue.size()
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
        if self._timer() - self._claimed_at < STALE_SECONDS:
            return
        stale = self.queue.withdraw()
        if stale:
            self._ahead = 0
        self._enqueued -= len(stale)
        self.give_back(stale)

    def _space(self) -> int:
        free = self._runner.workers - self._runner.in_work()
        return free + self._ahead - self.queue.size()

    def _room(self) -> int:
        self._warn_when_full()
        if not self._runner.is_served():
            return 0
        return min(self._batch, self._space(), self.queue.capacity - self.queue.size())

    def _claim(self, room: int) -> tuple[int, int]:
        mine = self.holder
        ids = mine.jobs.claim(self.stage, room, self.owner, mine.clock())
        self._claimed_at = self._timer()
        for job_id in ids:
            mine.leases.hold(self.stage, job_id)  # before a worker can start it
        taken = self.queue.enqueue_all(ids)
        self.give_back(ids[taken:])
        self._enqueued += taken
        return taken, len(ids) - taken

    def wants_more(self) -> bool:
        """True when so much is done that the next batch should be claimed."""
        return self._space() > self._ahead // 2

    def pause(self) -> float | None:
        return STALE_SECONDS if self.queue.size() else None
