"""A lane: the way of one stage from rows that wait to jobs that are settled.

    Feeder     claims what is due, as far as there is room, and puts it into the queue
    Feeding    has the feeder do so when woken or when it is time
    Working    serves the queue: each id from its start to its settlement

A lane in one process has both. With a broker in between, daemons have the first half and
workers elsewhere the second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from morningdeck.engine.feeders import Claimer, Feeder
from morningdeck.engine.loop import Dispatcher, is_due, seconds_until_due
from morningdeck.engine.worker import Worker
from morningdeck.logs import log
from morningdeck.ports.engine import JobQueue, Runner

WATCH_SECONDS = 1.0
"""Counting a long backlog costs as much as a claim or two."""
NEVER = datetime.max.replace(tzinfo=UTC)


class Feeding(Dispatcher):
    """`counts` are told with each cycle that did something."""

    def __init__(
        self,
        feeder: Claimer,
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

    def _round(self) -> float | None:
        self._looks_at = NEVER  # what falls due while this round is on causes another
        pause = self._feed()
        wait = timedelta(seconds=self._every_seconds if pause is None else pause)
        self._looks_at = self._holder.clock() + wait
        return pause

    def _feed(self) -> float | None:
        fed = self._feeder.feed()
        if fed:
            counts = {"claimed": fed, "queued": self._feeder.queued(), **self._counts()}
            log.info("feeder_cycle", stage=self.name, **counts)
        self._watch_backlog()
        if not self._feeder.more:
            return seconds_until_due(self._holder, self._stage)
        return self._feeder.pause()

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
        return self.in_round or self._feeder.busy()


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
        self._claims = feeder
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

    def freed(self) -> None:
        """A worker has nothing to do any more."""
        if self._claims.more and self._claims.wants_more():
            self.wake()

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
