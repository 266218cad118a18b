"""What the tests of the engine share; all that touch a database run on both kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import structlog
from structlog.typing import EventDict

from morningdeck.store.database.connect import Database
from tests.conftest import ManualClock
from tests.engine.process import Process
from tests.factories import make_source

Start = Callable[..., Process]


@pytest.fixture
def postgres_url(emptied_url: str) -> str:
    return emptied_url


@pytest.fixture
def source(database: Database) -> int:
    return make_source(database)


@pytest.fixture
def begin(database: Database, clock: ManualClock) -> Iterator[Start]:
    """Processes on one database, stopped when the test ends."""
    begun: list[Process] = []

    def begin(**options: Any) -> Process:
        begun.append(Process(database, options.pop("clock", clock), **options))
        return begun[-1]

    yield begin
    for process in begun:
        process.close()


@pytest.fixture
def process(begin: Start) -> Process:
    return begin()


@pytest.fixture
def logged() -> Iterator[list[EventDict]]:
    with structlog.testing.capture_logs() as events:
        yield events


def real_clock() -> datetime:
    return datetime.now(UTC)


def named(events: list[EventDict], name: str) -> list[EventDict]:
    return [event for event in events if event["event"] == name]
