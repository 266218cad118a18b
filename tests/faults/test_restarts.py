"""Daemons that come back while commands are open: each takes its own work back at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from morningdeck.app import open_app
from morningdeck.settings import Settings
from tests.faults.daemon import Daemon
from tests.faults.newsroom import Newsroom


@pytest.mark.parametrize("count", [1, 2])
def test_daemons_of_one_folder_that_come_back_take_their_own_work_back_whatever_is_open(
    count: int,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    open_room: Callable[..., Newsroom],
    daemon: Callable[..., Daemon],
) -> None:
    url = request.getfixturevalue("sqlite_url" if count == 1 else "postgres_url")
    room = open_room(url, feeds=40)
    room.feeds.hold()
    place = str(tmp_path)
    crew = [daemon(tmp_path / str(n), url, data_dir=place, fetch__batch=8) for n in range(count)]
    for one in crew:
        one.start().wait_for_event("feeder_cycle", stage="fetch")
    for one in crew:
        one.kill()
    settings = Settings.model_validate({"data_dir": tmp_path, "database": {"url": url}})
    with open_app(settings), open_app(settings):  # two commands
        for one in crew:
            one.start().wait_for_event("own_work_taken_back", stage="fetch")
    assert [event for one in crew for event in one.history("lost_work_recovered")] == []
