"""The lanes that work travels on.

A `Lane` joins feeder, queue, worker and dispatcher of one stage. A `Chore` is any other
recurring work: indexing. What needs no queue is swept (see `sweep`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol

from morningdeck import logs
from morningdeck.engine.dispatcher import Dispatcher
from morningdeck.engine.feeder import STALE_SECONDS, Feeder
from morningdeck.engine.stage import Worker
from morningdeck.ports import Clock, JobQueue, JobStore
from morningdeck.work import Stage

WATCH_SECONDS = 1.0
"""Counting a long backlog costs as much as a claim or two."""
NEVER = datetime.max.replace(tzinfo=UTC)

log = logs.get(__name__)


class Track(Protocol):
    """What the engine does with every lane, sweep and chore."""

    name: str

    def start(self) -> None: ...

    def wake(self) -> None: ...

    def stop(self) -> None:
        """Begin nothing more."""

    def join(self, timeout: float) -> bool:
        """Wait for what is running; False when it still runs."""

    def busy(self, horizon: datetime) -> bool:
        """Is something running, queued, or due before `horizon`?"""


class Lane:
    def __init__(
        self,
        feeder: Feeder,
        worker: Worker,
        *,
        store: JobStore,
        clock: Clock,
        every_seconds: float,
        backlog_warning: int | None = None,
    ) -> None:
        self.name = feeder.stage.value
        self.worker = worker
        self.queue: JobQueue = feeder.queue
        self._stage: Stage = feeder.stage
        self._feeder = feeder
        self._store = store
        self._clock = clock
        self._backlog_warning = backlog_warning
        self._warned = False
        self._watches_at = 0.0
        self._every_seconds = every_seconds
        self._looks_at = NEVER
        """When the next round comes by itself."""
        self._dispatcher = Dispatcher(self.name, self._round, every_seconds=every_seconds)

    def start(self) -> None:
        self.queue.start(self._run, self._freed)
        self._dispatcher.start()

    def wake(self) -> None:
        self._dispatcher.wake()

    def _run(self, job_id: int) -> None:
        self.worker.run(job_id, self._settled)

    def _settled(self, due_at: datetime | None) -> None:
        if due_at is not None and due_at < self._looks_at:
            self.wake()

    def _freed(self) -> None:
        if self._feeder.more and self._feeder.wants_more():
            self.wake()

    def _round(self) -> float | None:
        self._looks_at = NEVER  # what falls due while this round is on causes another
        pause = self._feed()
        wait = timedelta(seconds=self._every_seconds if pause is None else pause)
        self._looks_at = self._clock() + wait
        return pause

    def _feed(self) -> float | None:
        fed = self._feeder.feed()
        if fed:
            log.info(
                "feeder_cycle",
                stage=self.name,
                claimed=fed,
                queued=self.queue.size(),
                running=self.queue.in_work(),
                **{name.lower(): count for name, count in sorted(self.worker.outcomes.items())},
            )
        self._watch_backlog()
        if not self._feeder.more:
            return seconds_until_due(self._store, self._stage, self._clock)
        return STALE_SECONDS if self.queue.size() else None

    def _watch_backlog(self) -> None:
        now = time.monotonic()
        if self._backlog_warning is None or now < self._watches_at:
            return
        self._watches_at = now + WATCH_SECONDS
        waiting = self._store.waiting(self._stage, self._clock(), self._backlog_warning + 1)
        high = waiting > self._backlog_warning
        if high and not self._warned:
            log.warning("Enrichment queue backlog high", waiting=waiting)
        self._warned = high

    def stop(self) -> None:
        self._dispatcher.stop()
        self._feeder.stop()

    def join(self, timeout: float) -> bool:
        patience = time.monotonic() + timeout
        fed = self._dispatcher.join(timeout)
        return self.queue.join(max(0.0, patience - time.monotonic())) and fed

    def busy(self, horizon: datetime) -> bool:
        due = self._store.next_due_at(self._stage, self._clock())
        if due is not None and due <= horizon:
            return True
        # in the order in which an id travels, so that it is not missed on its way
        return self._dispatcher.in_round or self.queue.size() > 0 or self.queue.in_work() > 0


class Chore:
    """`work` does a batch and tells whether there is more; `waits` whether anything is left."""

    def __init__(
        self,
        name: str,
        work: Callable[[], bool],
        *,
        waits: Callable[[], bool],
        every_seconds: float,
        gather_seconds: float = 0.0,
    ) -> None:
        self.name = name
        self._work = work
        self._waits = waits
        self._dispatcher = Dispatcher(
            name, self._round, every_seconds=every_seconds, gather_seconds=gather_seconds
        )

    def start(self) -> None:
        self._dispatcher.start()

    def wake(self) -> None:
        self._dispatcher.wake()

    def _round(self) -> float | None:
        return 0.0 if self._work() else None

    def stop(self) -> None:
        self._dispatcher.stop()

    def join(self, timeout: float) -> bool:
        return self._dispatcher.join(timeout)

    def busy(self, horizon: datetime) -> bool:
        return self._dispatcher.in_round or self._waits()


def seconds_until_due(store: JobStore, stage: Stage, clock: Clock) -> float | None:
    """0 when something is due already, None when nothing ever will be."""
    now = clock()
    due = store.next_due_at(stage, now)
    return None if due is None else max(0.0, (due - now).total_seconds())
