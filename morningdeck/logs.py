"""Structured logs: events with fields, to stderr, as JSON or made for a terminal.

A daemon gathers what its threads say and writes it many times a second: a thread that writes
a line itself gives the interpreter away, and waits until it gets it back.

structlog (see `structured`) is imported with the first event: that takes as long as a third
of a command that only lists things, and such a command logs nothing.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

GATHER_SECONDS = 0.02
END_SECONDS = 2.0
MOST_GATHERED = 10_000
MOST_CHARACTERS = 4_000_000
"""Where lines are not taken off as fast as they come, their writers wait."""

Level = Literal["DEBUG", "INFO", "WARNING", "ERROR"]


class _Lines:
    """What writes for structlog and for the standard logging, to the standard error."""

    def __init__(self) -> None:
        self._gathered: deque[str] = deque()
        self._characters = 0
        """About so many are gathered: threads add to it without a lock."""
        self._some = threading.Event()
        self._writing = threading.Lock()
        self._gathering = False

    def event(self, line: str) -> None:
        self.write(f"{line}\n")
        self.flush()

    debug = info = warning = error = critical = event

    def write(self, text: str) -> None:
        self._gathered.append(text)
        self._characters += len(text)

    def flush(self) -> None:
        if not self._gathering or self._is_full():
            self.write_out()
        elif not self._some.is_set():
            self._some.set()

    def _is_full(self) -> bool:
        return len(self._gathered) > MOST_GATHERED or self._characters > MOST_CHARACTERS

    def write_out(self, patience_seconds: float = -1) -> None:
        """Whoever is about to end waits for a log that nobody reads only so long."""
        if not self._writing.acquire(timeout=patience_seconds):
            return
        try:
            self._characters = 0
            lines = [self._gathered.popleft() for _ in range(len(self._gathered))]
            with suppress(OSError, ValueError):  # whoever read it is gone: no reason to end
                sys.stderr.write("".join(lines))
                sys.stderr.flush()
        finally:
            self._writing.release()

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Within it a thread writes; a process that dies may take a moment's lines along."""
        over = threading.Event()

        def write() -> None:
            while not over.is_set():
                self._some.wait()
                over.wait(GATHER_SECONDS)
                self._some.clear()
                self.write_out()

        thread = threading.Thread(target=write, name="log", daemon=True)
        self._gathering = True
        thread.start()
        try:
            yield
        finally:
            self._gathering = False
            over.set()
            self._some.set()
            thread.join(END_SECONDS)
            self.write_out(END_SECONDS)


_lines = _Lines()
gathering = _lines.gathering
write_out = _lines.write_out


class _Logger:
    """For each event a logger of structlog's, as that is configured by then."""

    def bind(self, **fields: Any) -> FilteringBoundLogger:
        return cast("FilteringBoundLogger", _structured().logger(fields))

    def __getattr__(self, level: str) -> Any:
        return getattr(_structured().logger({}), level)


log = cast("FilteringBoundLogger", _Logger())
_chosen: tuple[Level, bool] | None = None
"""The level, and whether lines are made for a terminal."""


@cache
def _structured() -> ModuleType:
    """Set up as was chosen, when the first event comes."""
    from morningdeck import structured  # see above

    if _chosen is not None:
        structured.set_up(*_chosen, _lines)
    return structured


class _Formatter(logging.Formatter):
    """For what libraries say to the standard logging."""

    def __init__(self, pretty: bool) -> None:
        super().__init__()
        self._pretty = pretty

    def format(self, record: logging.LogRecord) -> str:
        said: str = _structured().formatter(self._pretty).format(record)
        return said


def configure(level: Level = "INFO", style: Literal["auto", "json", "pretty"] = "auto") -> None:
    """Once at start; libraries that use the standard logging come out the same way."""
    global _chosen
    pretty = style == "pretty" or (style == "auto" and sys.stderr.isatty())
    _chosen = (level, pretty)
    _structured.cache_clear()
    if "structlog" in sys.modules:
        _structured()
    handler = logging.StreamHandler(_lines)
    handler.setFormatter(_Formatter(pretty))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    celerys = ("celery.worker.strategy", "celery.app.trace")  # two lines a message
    for chatty in ("apscheduler", "urllib3", "alembic", *celerys):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))
