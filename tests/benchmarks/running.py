"""The whole application with its engine at work, in this very process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from morningdeck import logs
from morningdeck.app import App, open_app
from morningdeck.settings.sections import Settings

ON_LOOPBACK = {"allow_networks": ["127.0.0.0/8"], "requests_per_host_second": 0}
WATCHED_SECONDS = 120.0
"""Longer than anything here takes."""
LOOK_SECONDS = 0.02


@contextmanager
def running_app(given: Mapping[str, Any]) -> Iterator[App]:
    """As the daemon has it, but for these settings and for hosts that are asked without pause."""
    settings = Settings.model_validate({"http": ON_LOOPBACK, **given})
    with logs.gathering(), open_app(settings) as app:
        app.join("daemon")
        engine = app.build_engine()
        engine.start()
        try:
            yield app
        finally:
            engine.stop(10)
