"""Threads that nothing ends but their own return.

A library in Rust raises `PanicException`, which is no `Exception`, and a thread that
ends by it is gone without a word. So the loops of the engine catch everything.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from morningdeck.logs import log

AGAIN_SECONDS = 0.1


def is_for_the_process(error: BaseException) -> bool:
    """Ctrl-C or an exit in the main thread; in any other thread they are bugs like all others."""
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and isinstance(error, KeyboardInterrupt | SystemExit)


def lasting(name: str, loop: Callable[[], None]) -> Callable[[], None]:
    """Runs the loop, and again whenever it ends by raising."""

    def run() -> None:
        while True:
            try:
                return loop()
            except BaseException:
                with suppress(BaseException):
                    log.exception("thread_goes_on", thread=name)
            time.sleep(AGAIN_SECONDS)

    return run
