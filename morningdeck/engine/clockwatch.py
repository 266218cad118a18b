"""Notices that the wall clock was set, by comparing it with the monotonic one.

Interval jobs and leases are planned on the wall clock: after a jump back they would wait
it out, after a jump forward every lease would look as if it had run out.
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
    """`on_jump` is called once for each jump, before `look` returns."""

    def __init__(
        self,
        clock: Clock,
        on_jump: Callable[[], None],
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._on_jump = on_jump
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._offset = self._now()

    def _now(self) -> float:
        return self._clock().timestamp() - self._monotonic()

    def look(self) -> None:
        with self._lock:
            jump = self._now() - self._offset
            self._offset += jump  # slow drift is followed, not added up
            if abs(jump) <= JUMP_SECONDS:
                return
            log.warning("clock_jumped", seconds=round(jump))
            self._on_jump()
