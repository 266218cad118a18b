"""Structured logs: events with fields, to stderr, as JSON or made for a terminal."""

from __future__ import annotations

import logging
import sys
from typing import Literal

import structlog
from structlog.processors import ExceptionRenderer
from structlog.tracebacks import ExceptionDictTransformer

Level = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

# the variables of a frame may hold content, addresses and secrets
_tracebacks = ExceptionRenderer(ExceptionDictTransformer(show_locals=False))


def configure(level: Level = "INFO", style: Literal["auto", "json", "pretty"] = "auto") -> None:
    """Once at start; libraries that use the standard logging come out the same way."""
    pretty = style == "pretty" or (style == "auto" and sys.stderr.isatty())
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    ending: list[structlog.types.Processor] = (
        [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        if pretty
        else [_tracebacks, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[*shared, *ending],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # not by way of the standard logging, which takes twice as long for each line
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
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
