"""Somebody sets the clock of the machine that a daemon runs on."""

from __future__ import annotations

import os
import random
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import update

from morningdeck.app import system_clock
from morningdeck.store.tables.news import sources
from tests.faults.daemon import Daemon
from tests.faults.newsroom import Newsroom
from tests.faults.scene import Scene

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
RECOVERED_SECONDS = 1


class Machine:
    """What a process sees of the time: the wall clock may be set, the monotonic one may not."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.set(timedelta(0))

    def set(self, ahead: timedelta) -> None:
        """In one step: half a file would be no time at all."""
        fresh = self._file.with_suffix(f".{random.random()}")
        fresh.write_text(f"{ahead.total_seconds():+.0f}\n")
        fresh.replace(self._file)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    if not LIBRARIES:
        missing = "libfaketime is not installed"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(f"{missing} (see README)")
    return Machine(tmp_path / "clock")


def _lose_all(room: Newsroom) -> None:
    """As if a process far away had died long ago while it read them."""
    long_ago = system_clock() - timedelta(days=2)
    values = {"status": "FETCHING", "claimed_by": "gone/0:x", "lease_until": long_ago}
    with room.database.write() as connection:
        connection.execute(update(sources).values(losses=0, **values))


def _recovered(one: Daemon, times: int) -> bool:
    return len(one.events("lost_work_recovered")) == times


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_machine_whose_clock_is_set_goes_on_with_everything(
    scene: Scene, machine: Machine, hours: int
) -> None:
    room = scene.room(feeds=2)
    room.feeds.hold()
    # the ticker's own work, which nothing else would do
    one = scene.daemon(recovery__interval_seconds=RECOVERED_SECONDS)
    one.environment |= machine.environment
    one.start().wait_for_event("started")
    one.wait_for(lambda: room.feeds.requests.total() == 2)
    machine.set(timedelta(hours=hours))
    one.wait_for_event("clock_jumped", seconds=hours * 3600)
    room.feeds.let_go()
    one.wait_for(lambda: len(one.events("job_finished", stage="fetch")) == 2)
    assert not one.events("lost_work_recovered")
    assert not one.events("job_finished", status="refused")

    for times in (1, 2):
        _lose_all(room)
        one.wait_for(partial(_recovered, one, times), 30)

    assert one.stop() == 0
