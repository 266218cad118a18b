"""Waiting for what another thread will do, with a limit."""

from __future__ import annotations

import time
from collections.abc import Callable

LIMIT_SECONDS = 20.0
"""Far more than anything takes: reached only when it never comes."""


def until(
    condition: Callable[[], object],
    limit_seconds: float = LIMIT_SECONDS,
    *,
    pause_seconds: float = 0.002,
) -> None:
    """Return as soon as the condition holds."""
    patience = time.monotonic() + limit_seconds
    while not condition():
        assert time.monotonic() < patience, "it has not come true in time"
        time.sleep(pause_seconds)
