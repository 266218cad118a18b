"""A row that cannot be worked with becomes an error; everything else goes on."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from structlog.typing import EventDict

from morningdeck.errors import ConfigError
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import briefings, deliveries
from morningdeck.store.tables.news import items
from morningdeck.work import Done, Job, Outcome, Rest, Settlement, Stage
from tests.conftest import NOW, ManualClock
from tests.engine.conftest import Start, named
from tests.engine.process import Process
from tests.factories import make_briefing, make_delivery, make_items, make_user, row_of
from tests.waiting import until

LOST_ZONE = ConfigError("there is no timezone 'Mars/Olympus'")


@pytest.fixture
def broken(database: Database) -> int:
    return make_briefing(database, make_user(database), losses=2)


@pytest.fixture
def sound(database: Database) -> int:
    return make_briefing(database, make_user(database), losses=2)


@pytest.fixture
def rest(broken: int) -> Rest:
    """Nobody can tell when that briefing is due again."""

    def rest(job: Job) -> datetime:
        if job.id == broken:
            raise LOST_ZONE
        return NOW + timedelta(hours=4)

    return rest


def lose(process: Process, stage: Stage, row: int) -> None:
    if stage is not Stage.DELIVERY:
        assert process.store.claim_one(stage, row, process.owner, NOW)
    assert process.store.start(stage, row, process.owner, NOW)


def test_a_briefing_that_cannot_be_planned_becomes_an_error_and_stops_no_recovery(
    begin: Start,
    database: Database,
    clock: ManualClock,
    source: int,
    broken: int,
    sound: int,
    rest: Rest,
) -> None:
    dead, alive = begin(owner="elsewhere/0:dead"), begin(owner="host/0:alive")
    delivery, (item,) = make_delivery(database), make_items(database, source, 1)
    for stage, row in (
        (Stage.BRIEFING, broken),
        (Stage.BRIEFING, sound),
        (Stage.PROCESSING, item),
        (Stage.DELIVERY, delivery),
    ):
        lose(dead, stage, row)
    engine = alive.engine(
        alive.lane(done, Stage.BRIEFING, rest=rest), alive.lane(done), alive.sweep(done)
    )
    clock.pass_(minutes=2)

    assert engine.recover() == 4

    rows = [row_of(database, briefings, row) for row in (broken, sound)]
    assert [row.status for row in rows] == ["ACTIVE", "ACTIVE"]
    assert {row.last_error for row in rows} == {"its worker was lost 3 times in a row"}
    assert rows[0].due_at == clock() + timedelta(days=1)
    assert row_of(database, items, item).status == "NEW"
    assert row_of(database, deliveries, delivery).status == "PENDING"


def done(job: Job) -> Outcome:
    return Done(due_at=NOW + timedelta(days=1))


def test_a_job_whose_rest_is_unknown_is_settled_all_the_same(
    process: Process, database: Database, broken: int, rest: Rest, logged: list[EventDict]
) -> None:
    def verb(job: Job) -> Outcome:
        raise LOST_ZONE

    process.lane(verb, Stage.BRIEFING, rest=rest).start()

    until(lambda: row_of(database, briefings, broken).failures == 1)
    row = row_of(database, briefings, broken)
    assert (row.status, row.last_error) == ("ACTIVE", str(LOST_ZONE))
    assert row.due_at == NOW + timedelta(days=1)
    assert named(logged, "worker_survived_a_bug") == []


def test_a_row_whose_recovery_meets_a_bug_keeps_no_other_from_its_own(
    process: Process,
    database: Database,
    clock: ManualClock,
    source: int,
    logged: list[EventDict],
) -> None:
    bad, *others = make_items(database, source, 3)
    for item in (bad, *others):
        lose(process, Stage.PROCESSING, item)
    clock.pass_(minutes=2)
    lost = process.worker(done).lost(clock())

    def broken(job: Job) -> Settlement:
        if job.id == bad:
            raise KeyError("oops")
        return lost(job)

    assert process.store.recover(Stage.PROCESSING, clock(), broken) == 2

    assert [row_of(database, items, item).status for item in others] == ["NEW", "NEW"]
    assert [event["id"] for event in named(logged, "row_not_recovered")] == [bad]


def test_a_stage_whose_recovery_meets_a_bug_keeps_no_other_from_its_own(
    begin: Start, database: Database, source: int, logged: list[EventDict]
) -> None:
    dead, process = begin(owner="host/0:dead"), begin(owner="host/0:alive")
    (item,) = make_items(database, source, 1)
    lose(dead, Stage.PROCESSING, item)
    process.store.away, process.store.trouble = 1, ZeroDivisionError()
    engine = process.engine(process.lane(done, Stage.FETCH), process.lane(done))

    engine.start()

    assert row_of(database, items, item).claimed_by != dead.owner
    assert [event["stage"] for event in named(logged, "recovery_bug")] == ["fetch"]
