"""Structured logs: events with fields, to stderr, as JSON or made for a terminal.

A daemon gathers what its threads say and writes it many times a second: a thread that writes
a line itself gives the interpreter away, and waits until it gets it back.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

import structlog
from structlog.processors import ExceptionRenderer
from structlog.tracebacks import ExceptionDictTransformer

from morningdeck.discreet import all_said, said

GATHER_SECONDS = 0.02
END_SECONDS = 2.0
MOST_GATHERED = 10_000
MOST_CHARACTERS = 4_000_000
"""Where lines are not taken off as fast as they come, their writers wait."""

Level = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

# the variables of a frame may hold content, addresses and secrets
_tracebacks = ExceptionRenderer(ExceptionDictTransformer(show_locals=False))


_encode = json.JSONEncoder(default=str).encode


LONGEST_TRACEBACK = 20_000


def _discreetly(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Without secrets in addresses, wherever the words come from."""
    traceback = event.get("exception")
    event = {key: all_said(value) for key, value in event.items()}
    if isinstance(traceback, str):
        event["exception"] = said(traceback, LONGEST_TRACEBACK)
    return event


def _to_json(event: object, **_: object) -> str:
    """With an encoder that is kept; what JSON does not know is told in its own words."""
    return _encode(event)


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


def configure(level: Level = "INFO", style: Literal["auto", "json", "pretty"] = "auto") -> None:
    """Once at start; libraries that use the standard logging come out the same way."""
    pretty = style == "pretty" or (style == "auto" and sys.stderr.isatty())
    shared: list[structlog.types.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    ending: list[structlog.types.Processor] = (
        [
            structlog.processors.format_exc_info,
            _discreetly,
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ]
        if pretty
        else [_tracebacks, _discreetly, structlog.processors.JSONRenderer(_to_json)]
    )
    structlog.configure(
        processors=[*shared, *ending],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # not by way of the standard logging, which takes twice as long for each line
        logger_factory=lambda *_: _lines,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(_lines)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *ending],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for chatty in ("apscheduler", "urllib3", "alembic"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))


def get(name: str) -> structlog.typing.FilteringBoundLogger:
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(name)
    return logger
