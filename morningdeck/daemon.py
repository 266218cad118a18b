"""The daemon: start, run until told to stop or until nothing is left to do, drain, exit.

The first SIGTERM or SIGINT drains; the second ends at once. After a drain that did not
finish, the process must not wait for a hung worker's thread, so it ends by `os._exit`.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import FrameType
from typing import TYPE_CHECKING

from morningdeck import __version__, logs, memory
from morningdeck.engine.node import lock_as_daemon
from morningdeck.parsing import cage

if TYPE_CHECKING:
    from morningdeck.app import App

SIGNALS = (signal.SIGTERM, signal.SIGINT)
AHEAD = timedelta(seconds=30)
"""`--once` leaves what is due later than this for the next time."""

log = logs.get(__name__)


class Stop:
    """While it listens, the first signal sets it and the second one ends the process."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.wait = self._event.wait

    @contextmanager
    def listening(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._event.is_set():
            leave(130 if number == signal.SIGINT else 143)
        self._event.set()


def leave(code: int) -> None:
    """End now: threads that hang must not keep the process alive."""
    sys.stdout.flush()
    logs.write_out(logs.END_SECONDS)
    os._exit(code)


def run(app: App, *, once: bool) -> None:
    """Returns after a clean drain; what would not end in time is cut off."""
    exclusive = app.store.database.is_sqlite
    lock = lock_as_daemon(app.settings.data_dir) if exclusive else None
    stop = Stop()
    try:
        with stop.listening(), logs.gathering():
            finished = _run(app, stop, once=once)
            if not finished:
                log.warning("work_cut_off", advice="it was given back and waits again")
                leave(0)
    finally:
        if lock is not None:
            lock.close()


def _run(app: App, stop: Stop, *, once: bool) -> bool:
    memory.keep_little()
    engine = app.build_engine()
    app.join("daemon")
    engine.start()
    log.info("started", version=__version__, database=app.store.database.kind, node=app.node.name)
    if gaps := cage.missing():
        log.warning("parsers_less_confined", missing=gaps, advice="use a newer Linux kernel")
    if once:
        engine.run_until_idle(stop.wait, AHEAD)
    else:
        while not stop.wait(1.0):
            engine.look_at_the_clock()
    log.info("stopping", patience_seconds=app.settings.shutdown_seconds)
    finished = engine.stop(app.settings.shutdown_seconds)
    app.store.processes.leave(app.node.incarnation, app.clock())
    log.info("stopped", finished=finished)
    return finished
