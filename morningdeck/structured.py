"""Events and their fields as lines: JSON, or made for a terminal, by structlog.

Imported by `logs` alone, with the first event.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from threading import get_ident
from typing import Any

from morningdeck.discreet import LONGEST_TRACEBACK, all_said, said


class _WithoutRich:
    """Finds no such package, on one thread."""

    def __init__(self) -> None:
        self._thread = get_ident()

    def find_spec(self, name: str, *_: object) -> None:
        if name == "rich" and get_ident() == self._thread:
            raise ImportError("rich is not wanted here")


@contextmanager
def _without_rich() -> Iterator[None]:
    """structlog takes it along where it is, 4.5 MB, for tracebacks that nobody here makes by it."""
    finder: Any = _WithoutRich()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


with _without_rich():
    import structlog
    from structlog.processors import ExceptionRenderer
    from structlog.stdlib import ProcessorFormatter
    from structlog.tracebacks import ExceptionDictTransformer
    from structlog.typing import EventDict, FilteringBoundLogger, Processor

# the variables of a frame may hold content, addresses and secrets
_tracebacks = ExceptionRenderer(ExceptionDictTransformer(show_locals=False))
_encode = json.JSONEncoder(default=str).encode
_BEGINNING: tuple[Processor, ...] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def set_up(level: str, pretty: bool, lines: object) -> None:
    """What the events become is given to `lines`, by a method for each level."""
    structlog.configure(
        processors=[*_BEGINNING, *_ending(pretty)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # not by way of the standard logging, which takes twice as long for each line
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=False,
    )


def logger(fields: Mapping[str, Any]) -> FilteringBoundLogger:
    made: FilteringBoundLogger = structlog.get_logger().bind(**fields)
    return made


@cache
def formatter(pretty: bool) -> logging.Formatter:
    """For the records of the standard logging."""
    return ProcessorFormatter(
        foreign_pre_chain=_BEGINNING,
        processors=[ProcessorFormatter.remove_processors_meta, *_ending(pretty)],
    )


def _ending(pretty: bool) -> tuple[Processor, ...]:
    if pretty:
        in_colours = structlog.dev.ConsoleRenderer(
            exception_formatter=structlog.dev.plain_traceback
        )
        return structlog.processors.format_exc_info, _discreetly, in_colours
    return _tracebacks, _discreetly, structlog.processors.JSONRenderer(_to_json)


def _discreetly(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Without secrets in addresses, wherever the words come from."""
    traceback = event.get("exception")
    event = {key: all_said(value) for key, value in event.items()}
    if isinstance(traceback, str):
        event["exception"] = said(traceback, LONGEST_TRACEBACK)
    return event


def _to_json(event: object, **_: object) -> str:
    """With an encoder that is kept; what JSON does not know is told in its own words."""
    return _encode(event)
