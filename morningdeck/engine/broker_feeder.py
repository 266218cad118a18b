"""Feeds a broker, behind which workers of other processes wait.

    claim, with a lease for the broker --> publish the ids --> a worker starts one: its claim now

Such a claim is in nobody's registry and renewed by nobody: a message that is lost with its
broker or its worker is found when the lease has run out. Its owner is no incarnation of a
node, so that a feeder which is started again does not take back, and publish once more, what
waits in the broker.

A broker hands out first what came first, while what is urgent and whose turn it is are decided
by the claim. So only a few messages are ahead of the workers: as many as begin between two
looks, whoever published them, counted in the database.
"""

from __future__ import annotations

import random
import time
from datetime import timedelta

from morningdeck.engine.feeders import AHEAD_SECONDS, Claimer
from morningdeck.engine.leases import Holder
from morningdeck.ports.engine import JobQueue
from morningdeck.work import Stage

LEASES = 7
"""So many times the lease of a process is that of a claim which waits in a broker."""
BROKER = "broker/"
"""Begins the owner of such a claim, before that of the process that made it."""
FEW_AHEAD = 4
"""At least so many messages may be ahead of the workers."""
LOOK_SECONDS = 0.02
LONGEST_LOOK_SECONDS = 0.5
LATE_SECONDS = 1.0
"""What has begun since a look that is longer ago says little of the next moment."""
AWAY_SECONDS = 1.0
LONGEST_AWAY_SECONDS = 15.0


class BrokerFeeder(Claimer):
    def __init__(
        self,
        stage: Stage,
        queue: JobQueue,
        holder: Holder,
        *,
        batch: int,
        lease: timedelta,
        few: int = FEW_AHEAD,
    ) -> None:
        """`lease` is the one of a process."""
        super().__init__(stage, queue, holder, batch=batch)
        self.owner = f"{BROKER}{holder.owner}"
        self._lease = LEASES * lease
        self._few = self._ahead = few
        self._queued = 0
        self._left = 0
        """So many were queued when it was measured last, and have been since."""
        self._pause = LOOK_SECONDS
        self._away = 0.0
        self._away_until = self._measured_at = time.monotonic()

    def _look(self) -> None:
        """How far ahead to be: twice as far where nearly all has begun since it was measured."""
        self._queued, now = self.queue.size(), time.monotonic()
        left, seconds = self._left, now - self._measured_at
        dry = self._queued <= left // 4
        if left and not dry and seconds < LOOK_SECONDS:
            return  # too little to tell
        rate = max(0, left - self._queued) / max(seconds, 1e-3)
        if not left or seconds > LATE_SECONDS:
            self._ahead, self._pause = self._few, LOOK_SECONDS
        elif dry:
            self._ahead, self._pause = min(2 * self._ahead, self.queue.capacity), LOOK_SECONDS
        else:
            # halved at most, as the whole machine may have stood still for a moment
            soon = int(rate * AHEAD_SECONDS)
            self._ahead = max(self._few, self._ahead // 2, min(soon, self._ahead))
            half = self._queued / (2 * rate) if rate else 2 * self._pause
            self._pause = min(max(half, LOOK_SECONDS), LONGEST_LOOK_SECONDS)
        self._left, self._measured_at = self._queued, now

    def queued(self) -> int:
        """Counted once a feed: each count asks the database."""
        return self._queued

    def _room(self) -> int:
        self._warn_when_full()
        if time.monotonic() < self._away_until:
            return 0
        return min(self._batch, min(self._ahead, self.queue.capacity) - self._queued)

    def _claim(self, room: int) -> tuple[int, int]:
        mine = self.holder
        ids = mine.jobs.claim(self.stage, room, self.owner, mine.clock(), self._lease)
        taken = self.queue.enqueue_all(ids)
        self._left += taken
        self._queued += taken
        if taken < len(ids):
            self._broker_is_away()
            self.give_back(ids[taken:])  # some may arrive all the same: they start nothing
        elif ids:
            self._away = 0.0
        return taken, len(ids) - taken

    def _broker_is_away(self) -> None:
        self._away = min(max(2 * self._away, AWAY_SECONDS), LONGEST_AWAY_SECONDS)
        self._away_until = time.monotonic() + self._away * (1 + random.random() / 10)

    def pause(self) -> float | None:
        return max(self._pause, self._away_until - time.monotonic())

    def busy(self) -> bool:
        return self.holder.jobs.in_work(self.stage, 1) > 0
