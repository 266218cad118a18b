"""Work that somebody waits for, done in this process, beside a daemon if one runs.

Each row is claimed as everywhere, so whoever is first does it and the other waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from morningdeck.engine.leases import Heartbeat, Holder
from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.engine.worker import Worker, recover
from morningdeck.ports.engine import Clock
from morningdeck.work import Stage

AHEAD = 100
"""So many rows may wait for the workers of one stage."""
LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class OnDemand:
    """`threads` says how many workers a stage has; stages that are switched off are not in it."""

    holder: Holder
    workers: Mapping[Stage, Worker]
    threads: Mapping[Stage, int]
    heartbeat: Callable[[], Heartbeat]

    @property
    def clock(self) -> Clock:
        return self.holder.clock

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """First give back what this node's dead process held, then renew leases until the end."""
        recover(self.holder, self.workers, self.holder.wake, self.holder.node)
        with self.heartbeat().beating():
            yield

    def claim(self, stage: Stage, row_id: int) -> bool:
        """False when somebody else has it, or it does not wait."""
        mine = self.holder
        return mine.jobs.claim_one(stage, row_id, mine.owner, mine.clock())

    def run(self, stage: Stage, row_id: int) -> None:
        """Work on what was claimed, or on a delivery, which needs no claim, until it is settled."""
        self.workers[stage].run(row_id)

    @contextmanager
    def crews(self, stages: Iterable[Stage], until: float) -> Iterator[list[Crew]]:
        """Workers for rows that are named one by one, until then on the monotonic clock."""
        crews = [Crew(self, stage) for stage in stages]
        try:
            yield crews
        except BaseException:  # whoever interrupts it waits no longer
            until = 0.0
            raise
        finally:
            for crew in crews:
                crew.stop()
            for crew in crews:
                crew.join(until)


class Crew:
    """The workers of one stage."""

    def __init__(self, work: OnDemand, stage: Stage) -> None:
        self.stage = stage
        self._work = work
        self._given: set[int] = set()
        self._queue = MemoryQueue(AHEAD)
        self._runner = ThreadRunner(
            f"{stage.value}-on-demand",
            self._queue,
            workers=work.threads[stage],
            poll_seconds=LOOK_SECONDS,
        )
        self._runner.start(self._take)

    @property
    def at_work(self) -> bool:
        return bool(self._given)

    def give(self, ids: Iterable[int]) -> list[int]:
        """Take these rows on, but for those here already and those for which there is no room."""
        taken = []
        for row_id in ids:
            if row_id not in self._given and self._queue.can_accept():
                self._given.add(row_id)
                self._queue.enqueue(row_id)
                taken.append(row_id)
        return taken

    def _take(self, row_id: int) -> None:
        try:
            if self._work.claim(self.stage, row_id):
                self._work.run(self.stage, row_id)
        finally:
            self._given.discard(row_id)

    def stop(self) -> None:
        self._runner.stop()
        self._queue.withdraw()

    def join(self, until: float) -> None:
        """Give back the rows that are not done by then, without blame."""
        if not self._runner.join(max(0.0, until - time.monotonic())):
            mine = self._work.holder
            mine.jobs.let_go(self.stage, mine.owner, mine.clock())
