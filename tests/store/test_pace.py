"""Hosts: one request at a time, due times that lie apart, moves that are believed."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from morningdeck.errors import HostBusyError
from morningdeck.model.reading import Fetched, Reading
from morningdeck.store.database.connect import Database
from morningdeck.store.results.fetched import LOOKED_AHEAD, save_fetched
from morningdeck.store.rows.pace import HostPace
from morningdeck.store.tables.news import sources
from morningdeck.store.tables.running import hosts
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.work import Job, Stage
from tests.conftest import NOW, ManualClock
from tests.contracts.pace import PaceContract
from tests.factories import make_source, row_of

APART = timedelta(seconds=10)
FEED = "https://news.example/feed"
HOST = "news.example"


@pytest.fixture
def pace(database: Database, clock: ManualClock) -> HostPace:
    return HostPace(database, clock, APART, slower={"slow.example": 6 * APART})


class TestHostPace(PaceContract):
    """Its fixture is everybody's here."""


def back_at(pace: HostPace, who: str = FEED, host: str = HOST) -> datetime | None:
    """When whoever asks is told to come back; None for those who may ask, and do."""
    try:
        pace.enter(host, who)
    except HostBusyError as busy:
        return busy.until
    return None


def test_a_host_is_asked_by_one_at_a_time_and_not_again_at_once(
    pace: HostPace, clock: ManualClock
) -> None:
    visit = pace.enter(HOST, FEED)
    assert back_at(pace, f"{FEED}/other") is not None
    assert back_at(pace, host="else.example") is None

    pace.leave(visit)
    assert back_at(pace) is not None
    clock.pass_(seconds=10)
    assert back_at(pace, f"{FEED}/other") is None


def test_requests_in_a_row_are_made_up_for(pace: HostPace, clock: ManualClock) -> None:
    pace.leave(pace.enter(HOST, FEED), requests=3)

    clock.pass_(seconds=29)
    assert back_at(pace) is not None
    clock.pass_(seconds=1)
    assert back_at(pace) is None


def test_a_host_that_asks_for_more_time_gets_it(pace: HostPace, clock: ManualClock) -> None:
    pace.leave(pace.enter("slow.example", FEED))

    clock.pass_(seconds=59)
    assert back_at(pace, host="slow.example") is not None
    clock.pass_(seconds=1)
    assert back_at(pace, host="slow.example") is None


def test_those_who_are_sent_away_come_back_one_after_the_other(pace: HostPace) -> None:
    pace.enter(HOST, FEED)

    assert [back_at(pace, str(n)) for n in (1, 2, 3)] == [NOW + APART * n for n in (1, 2, 3)]


def test_who_comes_back_too_early_keeps_his_position(pace: HostPace, clock: ManualClock) -> None:
    visit = pace.enter(HOST, FEED)
    for other in (1, 2):
        back_at(pace, str(other))
    clock.pass_(seconds=4)
    pace.leave(visit)
    clock.pass_(seconds=6)

    told = [back_at(pace, str(other)) for other in (3, 2, 1)]

    assert told == [NOW + timedelta(seconds=after) for after in (34, 24, 14)]


def test_a_newcomer_does_not_take_the_turn_of_one_who_waits(
    pace: HostPace, clock: ManualClock
) -> None:
    visit = pace.enter(HOST, FEED)
    assert back_at(pace, "waits") == NOW + APART
    pace.leave(visit)
    clock.pass_(seconds=10)

    assert back_at(pace, "new") == NOW + 2 * APART
    assert back_at(pace, "waits") is None


def test_a_host_is_not_kept_free_for_those_who_never_come(
    pace: HostPace, clock: ManualClock
) -> None:
    pace.leave(pace.enter(HOST, FEED))
    back_at(pace, "gone")
    clock.pass_(seconds=10)
    assert back_at(pace, "new") == NOW + 2 * APART

    clock.pass_(seconds=10)
    assert back_at(pace, "new") is None
    clock.pass_(minutes=5)
    assert back_at(pace, "newer") is None


def test_a_person_takes_a_free_host_whoever_waits(pace: HostPace, clock: ManualClock) -> None:
    pace.leave(pace.enter(HOST, FEED))
    back_at(pace, "waits")
    clock.pass_(seconds=10)

    assert pace.enter(HOST, "a person", timedelta(0)).host == HOST


def test_a_host_whose_visitor_died_is_free_again_after_a_while(
    pace: HostPace, clock: ManualClock
) -> None:
    pace.enter(HOST, FEED)

    clock.pass_(minutes=1)
    assert back_at(pace, "2") is not None

    clock.pass_(seconds=APART.seconds)
    assert back_at(pace, "2") is None


def test_who_has_overstayed_does_not_let_others_in(pace: HostPace, clock: ManualClock) -> None:
    visit = pace.enter(HOST, FEED)
    clock.pass_(minutes=2)
    pace.enter(HOST, "2")

    pace.leave(visit)
    clock.pass_(seconds=30)

    assert back_at(pace, "3") is not None


def test_two_processes_never_visit_one_host_at_once(
    database: Database, pace: HostPace, clock: ManualClock
) -> None:
    other = HostPace(database, clock, APART)
    visit = pace.enter(HOST, FEED)

    assert back_at(other) == NOW + APART
    pace.leave(visit)
    clock.pass_(seconds=9)
    assert back_at(other) == NOW + APART


def test_a_host_that_nobody_asks_any_more_is_forgotten(
    database: Database, pace: HostPace, clock: ManualClock
) -> None:
    def known() -> list[str]:
        with database.read() as connection:
            return list(connection.scalars(select(hosts.c.host)))

    pace.leave(pace.enter(HOST, FEED))

    Retention(database).apply(Keep(), NOW + timedelta(hours=24))
    assert known() == ["news.example"]
    Retention(database).apply(Keep(), NOW + timedelta(hours=25))
    assert known() == []


def test_without_a_pace_every_host_is_always_free(database: Database, clock: ManualClock) -> None:
    free = HostPace(database, clock, timedelta(0), slower={"slow.example": APART})

    for host in (HOST, HOST, "slow.example", "slow.example"):
        assert back_at(free, host=host) is None


def due_times(database: Database, ids: list[int]) -> list[datetime]:
    return [row_of(database, sources, one).due_at for one in ids]


UNCHANGED = Reading(unchanged=True)


def keep(database: Database, source: int, reading: Reading = UNCHANGED) -> None:
    with database.write() as connection:
        job = Job(Stage.FETCH, source, 1)
        save_fetched(connection, job, Fetched(reading, apart=APART), NOW)


def test_sources_of_one_host_come_back_one_after_the_other(database: Database) -> None:
    same = [
        make_source(database, url=f"{FEED}/{n}", host="news.example", wanted=True, due_at=NOW)
        for n in range(4)
    ]
    other = make_source(database, url="https://e/", host="e", wanted=True, due_at=NOW)

    for source in (*same[1:], other):
        keep(database, source)

    assert sorted(due_times(database, same)) == [NOW + APART * n for n in range(4)]
    assert due_times(database, [other]) == [NOW]


def test_a_source_takes_the_first_gap_not_the_end_of_the_line(database: Database) -> None:
    def at(seconds: int) -> int:
        due_at = NOW + timedelta(seconds=seconds)
        url = f"{FEED}/{seconds}"
        return make_source(database, url=url, host="news.example", wanted=True, due_at=due_at)

    for seconds in (0, 12, 50):
        at(seconds)
    newcomer = at(1)

    keep(database, newcomer)

    assert due_times(database, [newcomer]) == [NOW + timedelta(seconds=22)]


def test_a_source_is_not_sent_away_from_a_crowd(database: Database) -> None:
    for number in range(LOOKED_AHEAD + 1):
        due_at = NOW + number * APART
        url = f"{FEED}/{number}"
        make_source(database, url=url, host="news.example", wanted=True, due_at=due_at)
    newcomer = make_source(database, url=FEED, host="news.example", wanted=True, due_at=NOW)

    keep(database, newcomer)

    assert due_times(database, [newcomer]) == [NOW]


def test_a_permanent_move_is_believed_when_it_was_seen_three_times_in_a_row(
    database: Database,
) -> None:
    source = make_source(database, url=FEED)
    moved = Reading(moved_to="https://new.example/feed")

    for reading in (moved, moved, Reading(), moved, moved):
        keep(database, source, reading)
        assert row_of(database, sources, source).url == FEED
    keep(database, source, moved)

    row = row_of(database, sources, source)
    assert (row.url, row.host) == ("https://new.example/feed", "new.example")


def test_a_move_onto_another_source_leaves_both_as_they_are(database: Database) -> None:
    other = make_source(database, url="https://new.example/feed")
    source = make_source(database, url=FEED)

    for _ in range(3):
        keep(database, source, Reading(moved_to="https://new.example/feed"))

    assert row_of(database, sources, source).url == FEED
    assert row_of(database, sources, other).url == "https://new.example/feed"
