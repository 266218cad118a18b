"""A daemon that comes back while commands are open takes back what the dead held, at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select

from morningdeck.app import open_app
from morningdeck.settings.sections import Settings
from morningdeck.store.tables.news import sources
from tests.faults.daemon import Daemon
from tests.faults.newsroom import Newsroom

HELD = select(func.count()).where(sources.c.status.in_(("QUEUED", "FETCHING")))


@pytest.mark.parametrize("count", [1, 2])
def test_the_first_of_a_folder_that_comes_back_takes_back_what_all_of_it_held(
    count: int,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    open_room: Callable[..., Newsroom],
    daemon: Callable[..., Daemon],
) -> None:
    url = request.getfixturevalue("sqlite_url" if count == 1 else "postgres_url")
    room = open_room(url, feeds=40)
    room.feeds.hold()
    data_dir = str(tmp_path)
    crew = [daemon(tmp_path / str(n), url, data_dir=data_dir, fetch__batch=8) for n in range(count)]
    for one in crew:
        one.start().wait_for_event("feeder_cycle", stage="fetch")
    for one in crew:
        one.kill()
    with room.database.read() as connection:
        held = connection.scalar(HELD)
    settings = Settings.model_validate({"data_dir": tmp_path, "database": {"url": url}})
    with open_app(settings), open_app(settings):  # two commands
        crew[-1].start().wait_for_event("started")
    assert held
    assert held == sum(event["count"] for event in crew[-1].events("own_work_taken_back"))
