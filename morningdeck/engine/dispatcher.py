"""One thread that does something when woken, when it is due, and at the latest every so often.

Wake-ups are never lost: the event is cleared before the work, so a wake during the
work causes one more round.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from morningdeck import logs
from morningdeck.engine.threads import lasting
from morningdeck.errors import TransientError

AWAY_SECONDS = 1.0
"""How soon a round is tried again while the database is away."""

log = logs.get(__name__)


class Dispatcher:
    """`work` returns after how many seconds there is more to do; None means: when woken."""

    def __init__(
        self,
        name: str,
        work: Callable[[], float | None],
        *,
        every_seconds: float,
        gather_seconds: float = 0.0,
    ) -> None:
        """`gather_seconds`: how long a wake-up waits for others, so that one round serves many."""
        self.name = name
        self.in_round = False
        self._gather_seconds = gather_seconds
        self._work = work
        self._every_seconds = every_seconds
        self._wake = threading.Event()
        self._stopping = False
        self._away = False
        loop = lasting(f"{name}-dispatcher", self._loop)
        self._thread = threading.Thread(target=loop, name=f"{name}-dispatcher", daemon=True)

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
                pause = self._round()

    def _round(self) -> float | None:
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
