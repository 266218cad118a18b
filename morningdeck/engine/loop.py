"""Loops: what an engine starts, wakes and stops.

A `Lane` (see `lanes`) is the loop of a stage with a queue, a `Sweep` (see `sweep`) that of one
without, a `Chore` any other recurring work, as indexing. A `Dispatcher` is the thread of each.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from morningdeck.engine.leases import Holder
from morningdeck.engine.threads import lasting
from morningdeck.errors import TransientError
from morningdeck.logs import log
from morningdeck.work import Stage

AWAY_SECONDS = 1.0
"""How soon a round is tried again while the database is away."""
HUNG_SECONDS = 600.0
"""A round of a loop that takes longer is taken to hang: chores take minutes at most."""


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


class Dispatcher:
    """A thread that works when woken, when it is due, and at the latest every so often. `work`
    returns after how many seconds there is more to do; None means: when woken.

    No wake-up is lost: the event is cleared before the work, so one that comes during the work
    causes one more round.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], float | None],
        *,
        every_seconds: float,
        gather_seconds: float = 0.0,
        hung_seconds: float = HUNG_SECONDS,
    ) -> None:
        """`gather_seconds`: how long a wake-up waits for others, so that one round serves many."""
        self.name = name
        self.in_round = False
        self._round_since = 0.0
        self._hung_seconds = hung_seconds
        self._gather_seconds = gather_seconds
        self._work = work
        self._every_seconds = every_seconds
        self._wake = threading.Event()
        self._stopping = False
        self._away = False
        loop = lasting(f"{name}-dispatcher", self._loop)
        self._thread = threading.Thread(target=loop, name=f"{name}-dispatcher", daemon=True)

    @property
    def is_beating(self) -> bool:
        """Its thread runs, and does not hang in a round."""
        hangs = self.in_round and time.monotonic() - self._round_since > self._hung_seconds
        return self._thread.is_alive() and not hangs

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        self._wake.set()

    def stop(self) -> None:
        self._stopping = True
        self._wake.set()

    def join(self, timeout: float) -> bool:
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _loop(self) -> None:
        pause: float | None = 0.0
        while not self._stopping:
            woken = self._wake.wait(
                self._every_seconds if pause is None else min(pause, self._every_seconds)
            )
            if woken and self._gather_seconds and not self._stopping:
                time.sleep(self._gather_seconds)
            self._wake.clear()
            if not self._stopping:
                pause = self._guarded()

    def _guarded(self) -> float | None:
        self._round_since = time.monotonic()
        self.in_round = True
        try:
            pause = self._work()
        except TransientError as error:
            if not self._away:
                log.warning("dispatcher_waits", name=self.name, error=str(error))
            self._away = True
            return AWAY_SECONDS
        except BaseException:
            log.exception("dispatcher_bug", name=self.name)
            return None
        finally:
            self.in_round = False
        if self._away:
            log.info("dispatcher_back", name=self.name)
        self._away = False
        return pause


class Chore(Dispatcher):
    """`work` does a batch and tells whether there is more; `waits` whether anything is left;
    `rest_seconds` how long after a batch the next one begins.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], bool],
        *,
        waits: Callable[[], bool],
        every_seconds: float,
        gather_seconds: float = 0.0,
        rest_seconds: Callable[[], float] = lambda: 0.0,
    ) -> None:
        super().__init__(
            name,
            lambda: rest_seconds() if work() else None,
            every_seconds=every_seconds,
            gather_seconds=gather_seconds,
        )
        self._waits = waits

    def busy(self, horizon: datetime) -> bool:
        return self.in_round or self._waits()


def seconds_until_due(holder: Holder, stage: Stage) -> float | None:
    """0 when something is due already, None when nothing ever will be."""
    now = holder.clock()
    due = holder.jobs.next_due_at(stage, now)
    return None if due is None else max(0.0, (due - now).total_seconds())


def is_due(holder: Holder, stage: Stage, horizon: datetime) -> bool:
    due_at = holder.jobs.next_due_at(stage, holder.clock())
    return due_at is not None and due_at <= horizon
