"""What is written down of how the stages go, hour by hour."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.model.hours import DepthView, Ending, took, within
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.hours import SqlHours
from morningdeck.store.views.engine_room import EngineRoom
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.work import Stage
from tests.conftest import NOW

DAY_AGO = NOW - timedelta(days=1)


@pytest.fixture
def room(database: Database) -> EngineRoom:
    return EngineRoom(database)


def test_endings_of_all_processes_add_up_by_the_hour(database: Database, room: EngineRoom) -> None:
    for seconds in (0.3, 0.4):
        process = SqlHours(database)
        process.add(Stage.FETCH, Ending.WORKED, seconds, NOW + timedelta(minutes=59))
        process.add(Stage.FETCH, Ending.FAILED, 20.0, NOW + timedelta(minutes=1))
        process.add(Stage.FETCH, Ending.WORKED, 0.3, NOW + timedelta(minutes=60))
        process.close()

    first, second = room.hours(DAY_AGO)

    assert (first.hour, first.endings) == (NOW, {"worked": 2, "failed": 2})
    assert (second.hour, second.endings) == (NOW + timedelta(hours=1), {"worked": 2})


def test_what_was_only_put_off_says_nothing_of_how_long_work_takes(
    database: Database, room: EngineRoom
) -> None:
    hours = SqlHours(database)
    for _ in range(9):
        hours.add(Stage.PROCESSING, Ending.PUT_OFF, 0.001, NOW)
    hours.add(Stage.PROCESSING, Ending.WORKED, 3.0, NOW)
    hours.write()

    (hour,) = room.hours(DAY_AGO)

    assert hour.endings == {"put off": 9, "worked": 1}
    assert hour.median_seconds is not None
    assert 2 <= hour.median_seconds <= 4.1


def test_of_a_quarter_of_an_hour_the_most_that_waited_is_kept(
    database: Database, room: EngineRoom
) -> None:
    hours = SqlHours(database)
    for waiting, oldest in ((3, 80), (12, 4), (5, 9)):
        hours.note_depths([DepthView("fetch", NOW, waiting, oldest)])

    assert room.depths(DAY_AGO) == (DepthView("fetch", NOW, 12, 80),)


def test_hours_of_last_week_are_forgotten(database: Database, room: EngineRoom) -> None:
    hours = SqlHours(database)
    hours.add(Stage.FETCH, Ending.WORKED, 0.3, NOW)
    hours.close()
    hours.note_depths([DepthView("fetch", NOW, 12, 80)])

    Retention(database).apply(Keep(), NOW + timedelta(days=6))
    assert (len(room.hours(DAY_AGO)), len(room.depths(DAY_AGO))) == (1, 1)
    Retention(database).apply(Keep(), NOW + timedelta(days=8))
    assert (room.hours(DAY_AGO), room.depths(DAY_AGO)) == ((), ())


@pytest.mark.parametrize("seconds", [0.0004, 0.001, 0.3, 1.9, 600.0])
def test_a_time_is_known_to_a_factor_of_two(seconds: float) -> None:
    found = took({within(seconds): 1000}, 0.5)

    assert found is not None
    assert found / 2 <= max(seconds, 0.0005) <= found * 2


def test_nothing_has_no_median() -> None:
    assert took({}, 0.5) is None
    assert took({8: 0}, 0.5) is None
