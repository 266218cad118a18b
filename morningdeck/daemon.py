"""Daemon and worker: start, run until told to stop or nothing is left to do, drain, exit.

The first SIGTERM or SIGINT drains; the second ends at once. A drain takes the seconds that
are set and a few more: then the process ends by `os._exit`, whatever hangs.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from types import FrameType
from typing import TYPE_CHECKING

from morningdeck import __version__, logs, memory
from morningdeck.engine.node import ProcessKind, dead_nodes, lock_as_daemon
from morningdeck.errors import MorningDeckError
from morningdeck.logs import log
from morningdeck.parsing import sandbox

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.engine.engine import Engine
    from morningdeck.web.beside import WebBeside
    from morningdeck.work import Stage

SIGNALS = (signal.SIGTERM, signal.SIGINT)
LEAVING_SECONDS = 5.0
"""How much longer than the work all that comes after it may take: giving back, saying goodbye."""
SOON = timedelta(seconds=30)
"""`--once` leaves what is due later than this for the next time."""


class Stop:
    """Hears the signals on a thread of its own: the main thread may hang in the database.

    The first one sets it, and the process has so many seconds to end; when they are over, or
    at the second one, it is ended, whatever hangs.
    """

    def __init__(self, patience_seconds: float) -> None:
        self._patience_seconds = patience_seconds
        self._told = threading.Event()
        self.wait = self._told.wait

    @property
    def told(self) -> bool:
        return self._told.is_set()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Once a signal has come, it listens until the process ends."""
        hears, says = os.pipe()
        os.set_blocking(says, False)
        pipe_before = signal.set_wakeup_fd(says, warn_on_full_buffer=False)
        before = {number: signal.signal(number, _heard) for number in SIGNALS}
        threading.Thread(target=self._listen, args=(hears,), name="signals", daemon=True).start()
        try:
            yield
        finally:
            if not self._told.is_set():
                for number, handler in before.items():
                    signal.signal(number, handler)
                signal.set_wakeup_fd(pipe_before)
                os.close(says)

    def _listen(self, hears: int) -> None:
        if _next_signal(hears, None) is None:
            os.close(hears)
            return
        self._told.set()
        number = _next_signal(hears, self._patience_seconds)
        leave(0 if number is None else 128 + number, cut_short=number is None)


def _heard(_number: int, _frame: FrameType | None) -> None:
    """Nothing is left to do: the pipe has told the thread that listens."""


def _next_signal(pipe: int, patience_seconds: float | None) -> int | None:
    """None when none came in time, or none will come any more."""
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    if not poll.poll(None if patience_seconds is None else patience_seconds * 1000):
        return None
    return next(iter(os.read(pipe, 1)), None)


def leave(code: int, *, cut_short: bool = False) -> None:
    """End now: threads that hang must not keep the process alive, nor a log that nobody reads."""
    last_words = threading.Thread(target=_write_out, args=(cut_short,), daemon=True)
    last_words.start()
    last_words.join(logs.END_SECONDS)
    os._exit(code)


def _write_out(cut_short: bool) -> None:
    if cut_short:
        log.warning("stop_cut_short", advice="the next start takes back what was not finished")
    logs.write_out()
    with suppress(OSError, ValueError):
        sys.stdout.flush()


def run_app(
    app: App,
    build: Callable[[], Engine],
    kind: ProcessKind,
    *,
    once: bool = False,
    serves: Sequence[Stage] = (),
    web: bool = False,
) -> bool:
    """Returns after a clean drain, True if told to stop; what would not end in time is cut off."""
    exclusive = app.store.database.exclusive
    lock = lock_as_daemon(app.settings.data_dir) if exclusive else None
    stop = Stop(app.settings.shutdown_seconds + LEAVING_SECONDS)
    try:
        with stop.listening(), logs.gathering():
            finished = _run(app, build, kind, stop, once=once, serves=serves, web=web)
            if not finished:
                log.warning(
                    "work_cut_off", advice="it waits again, at the latest at the next start"
                )
                leave(0)
            return stop.told
    finally:
        if lock is not None:
            lock.close()


def _run(
    app: App,
    build: Callable[[], Engine],
    kind: ProcessKind,
    stop: Stop,
    *,
    once: bool,
    serves: Sequence[Stage],
    web: bool,
) -> bool:
    memory.keep_little()
    engine = build()
    app.join(kind, serves)
    with dead_nodes(app.settings.data_dir) as names:
        for name in names:
            engine.recover_node(name)
    engine.start()
    signals = app.store.database.signals
    if serves:  # an id in the broker is all that wakes a worker
        signals.only_send()
    else:
        signals.listen(engine.wake)
    _announce(app, kind)
    pages = _web_beside(app, engine) if web else None
    if once:
        engine.run_until_idle(stop.wait, SOON)
    else:
        memory.settle()
        while not stop.wait(1.0):
            engine.look_at_the_clock()
            if pages is not None:
                pages.look()
    return _drain(app, engine, pages)


def _announce(app: App, kind: ProcessKind) -> None:
    log.info(
        "started",
        kind=kind,
        version=__version__,
        database=app.store.database.kind,
        node=app.node.name,
    )
    if gaps := sandbox.missing():
        log.warning("parsers_less_confined", missing=gaps, advice="use a newer Linux kernel")


def _web_beside(app: App, engine: Engine) -> WebBeside:
    from morningdeck.web.beside import WebBeside  # while the loops are at work already

    pages = WebBeside(app, engine.beats)
    pages.look()
    return pages


def _drain(app: App, engine: Engine, pages: WebBeside | None) -> bool:
    patience = app.settings.shutdown_seconds
    log.info("stopping", patience_seconds=patience)
    until = time.monotonic() + patience
    if pages is not None:
        pages.close(patience)
    finished = engine.stop(patience)
    if pages is not None:
        finished &= pages.stop(max(0.0, until - time.monotonic()))
    try:
        app.store.incarnations.leave(app.node.incarnation, app.clock())
    except MorningDeckError as error:
        log.warning("leaving_failed", error=str(error))
    log.info("stopped", finished=finished)
    return finished
