"""Loops: what an engine starts, wakes and stops.

A `Lane` (see `lanes`) is the loop of a stage with a queue, a `Sweep` (see `sweep`) that of one
without, a `Chore` any other recurring work, as indexing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from morningdeck.engine.dispatcher import Dispatcher
from morningdeck.ports import Clock, JobStore
from morningdeck.work import Stage


class Loop(Protocol):
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


def seconds_until_due(jobs: JobStore, stage: Stage, clock: Clock) -> float | None:
    """0 when something is due already, None when nothing ever will be."""
    now = clock()
    due = jobs.next_due_at(stage, now)
    return None if due is None else max(0.0, (due - now).total_seconds())
