"""Notices that a clock was set, by comparing it with the monotonic one.

Interval jobs are planned on the machine's clock, leases on the one that all processes
agree on, which may be the database's. After a jump back the jobs would wait it out, after a
jump forward every lease would look as if it had run out.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from morningdeck import logs
from morningdeck.ports import Clock

JUMP_SECONDS = 30.0

log = logs.get(__name__)


class ClockWatch:
    """Watches the machine's clock and one more; `on_jump` is called once for each jump of
    either, before `look` returns.
    """

    def __init__(
        self,
        clock: Clock,
        on_jump: Callable[[], None],
        *,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clocks = (wall, lambda: clock().timestamp())
        self._on_jump = on_jump
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._offsets = self._now()

    def _now(self) -> tuple[float, ...]:
        return tuple(clock() - self._monotonic() for clock in self._clocks)

    def look(self) -> None:
        with self._lock:
            before, self._offsets = self._offsets, self._now()  # slow drift never adds up
            jumps = (now - then for now, then in zip(self._offsets, before, strict=True))
            jump = max(jumps, key=abs)
            if abs(jump) > JUMP_SECONDS:
                log.warning("clock_jumped", seconds=round(jump))
                self._on_jump()
