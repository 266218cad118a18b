"""All loops together: started, woken, recovered and drained, with real threads."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from structlog.typing import EventDict

from morningdeck.engine.engine import Ticker
from morningdeck.model.reading import Entry, Fetched, Reading
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items
from morningdeck.work import Done, Job, Outcome, Stage
from tests.conftest import NOW, ManualClock
from tests.engine.conftest import Start, named, real_clock
from tests.engine.gate import Gate
from tests.engine.process import Process
from tests.factories import make_item, make_items, make_source, row_of
from tests.waiting import LIMIT_SECONDS, until

SOON = timedelta(seconds=30)


def done(job: Job) -> Outcome:
    return Done()


def statuses(database: Database, ids: tuple[int, ...]) -> set[tuple[str, int, int]]:
    rows = [row_of(database, items, item) for item in ids]
    return {(row.status, row.failures, row.losses) for row in rows}


def never(seconds: float) -> bool:
    return threading.Event().wait(seconds)


# ---- from stage to stage


def test_what_a_fetch_has_found_is_processed_at_once_and_not_a_tick_later(
    process: Process, database: Database
) -> None:
    def fetch(job: Job) -> Outcome:
        news = Reading((Entry(f"guid-{job.id}", None, "News"),))
        return Done(Fetched(news), due_at=NOW + timedelta(hours=1), wake=("processing",))

    processing = Gate()
    processing.open()
    engine = process.engine(process.lane(fetch, Stage.FETCH), process.lane(processing.verb))
    engine.start()

    for count in range(1, 6):  # neither lane ticks while this test lives
        make_source(database)
        engine.wake("fetch")
        processing.wait_for(count)


def test_a_failed_fetch_wakes_nobody(process: Process, database: Database, source: int) -> None:
    def fetch(job: Job) -> Outcome:
        raise RuntimeError("a bug")

    engine = process.engine(process.lane(fetch, Stage.FETCH), process.lane(done))
    engine.start()

    engine.run_until_idle(never, SOON)

    assert process.store.next_due_at(Stage.FETCH, NOW) == NOW + timedelta(minutes=1)


def test_every_job_leaves_exactly_one_line_in_the_log(
    process: Process, database: Database, source: int, logged: list[EventDict]
) -> None:
    waiting = make_items(database, source, 25)
    engine = process.engine(process.lane(done, workers=4))
    engine.start()

    engine.run_until_idle(never, SOON)

    lines = named(logged, "job_finished")
    assert sorted(line["id"] for line in lines) == list(waiting)
    assert {(line["stage"], line["status"]) for line in lines} == {("processing", "DONE")}


def test_a_tick_finds_what_nobody_was_woken_for(
    process: Process, database: Database, source: int
) -> None:
    gate = Gate()
    gate.open()
    engine = process.engine(process.lane(gate.verb))
    engine.tick("processing", 0.02)
    engine.tick("no such loop", 0.02)
    engine.start()
    engine.wake("no such loop")

    item = make_item(database, source)

    until(lambda: gate.ended == [item])


# ---- coming back


def test_a_second_incarnation_takes_back_at_once_what_the_first_one_held(
    begin: Start, database: Database, source: int, logged: list[EventDict]
) -> None:
    waiting = make_items(database, source, 6)
    dead, other = begin(owner="host/0:first"), begin(owner="host/1:other")
    running, *queued = dead.store.claim(Stage.PROCESSING, 5, dead.owner, NOW)
    assert dead.store.start(Stage.PROCESSING, running, dead.owner, NOW)
    assert other.store.claim(Stage.PROCESSING, 1, other.owner, NOW) == waiting[5:]

    second = begin(owner="host/0:second")
    gate = Gate()
    gate.open()
    second.engine(second.lane(gate.verb)).start()

    until(lambda: len(gate.ended) == 5)
    assert sorted(gate.ended) == sorted([running, *queued])
    assert row_of(database, items, waiting[5]).claimed_by == other.owner
    (taken_back,) = named(logged, "own_work_taken_back")
    assert (taken_back["stage"], taken_back["count"]) == ("processing", 5)


def test_work_of_a_node_that_died_elsewhere_is_recovered_when_its_lease_has_run_out(
    begin: Start, database: Database, clock: ManualClock, source: int
) -> None:
    (item,) = make_items(database, source, 1)
    dead = begin(owner="elsewhere/0:dead")
    assert dead.store.claim(Stage.PROCESSING, 1, dead.owner, NOW) == (item,)
    assert dead.store.start(Stage.PROCESSING, item, dead.owner, NOW)
    alive = begin(owner="host/0:alive")
    gate = Gate()
    gate.open()
    lane = alive.lane(gate.verb)
    engine = alive.engine(lane, recovery_seconds=0.02)
    engine.start()
    until(lambda: not lane.busy(NOW))
    assert gate.begun == []

    clock.pass_(seconds=91)

    until(lambda: gate.ended == [item])


def test_a_lost_job_waits_again_at_once_in_its_old_place(
    begin: Start, database: Database, source: int
) -> None:
    first, *_ = make_items(database, source, 3)
    dead = begin(owner="host/0:first")
    assert dead.store.claim(Stage.PROCESSING, 1, dead.owner, NOW) == (first,)
    assert dead.store.start(Stage.PROCESSING, first, dead.owner, NOW)

    alive = begin(owner="host/0:second", clock=real_clock)
    assert alive.engine(alive.lane(done)).recover_node() == 1

    now = real_clock()
    assert alive.store.claim(Stage.PROCESSING, 1, alive.owner, now) == (first,)


def test_recovery_waits_for_a_database_that_is_away(
    process: Process, logged: list[EventDict]
) -> None:
    engine = process.engine(process.lane(done), process.lane(done, Stage.FETCH))
    process.store.away = 1

    assert engine.recover() == 0

    assert [event["event"] for event in logged] == ["recovery_waits"]
    assert process.store.away == 0


def test_a_job_that_takes_longer_than_its_lease_stays_with_its_worker(
    begin: Start, database: Database, source: int
) -> None:
    make_items(database, source, 3)
    process = begin(clock=real_clock, lease=timedelta(seconds=0.4))
    gate = Gate()
    engine = process.engine(process.lane(gate.verb, workers=1), beat_seconds=0.05)
    engine.start()
    gate.wait_for(1)
    taken_at = real_clock()

    until(lambda: real_clock() > taken_at + timedelta(seconds=1))

    assert engine.recover() == 0
    gate.open()
    until(lambda: len(gate.ended) == 3)
    assert len(set(gate.begun)) == len(gate.begun) == 3


# ---- leaving


def test_a_drain_finishes_what_runs_gives_back_the_rest_and_makes_no_errors(
    process: Process, database: Database, source: int, logged: list[EventDict]
) -> None:
    waiting = make_items(database, source, 30)
    gate = Gate()
    lane = process.lane(gate.verb, workers=2)
    engine = process.engine(lane, process.lane(done, Stage.FETCH))
    engine.start()
    gate.wait_for(2)
    process.queue_up(lane, 20)
    threading.Timer(0.1, gate.open).start()

    assert engine.stop(LIMIT_SECONDS)

    assert len(gate.ended) == 2
    assert statuses(database, tuple(gate.ended)) == {("DONE", 0, 0)}
    rest = tuple(item for item in waiting if item not in gate.ended)
    assert statuses(database, rest) == {("NEW", 0, 0)}
    assert not [event for event in logged if event["log_level"] in ("warning", "error")]


def test_a_drain_does_not_wait_for_a_job_that_hangs_and_its_successor_takes_over(
    begin: Start, database: Database, source: int
) -> None:
    (item,) = make_items(database, source, 1)
    hanging, gate = begin(owner="host/0:first"), Gate()
    engine = hanging.engine(hanging.lane(gate.verb))
    engine.start()
    gate.wait_for(1)

    assert not engine.stop(0.05)

    assert statuses(database, (item,)) == {("NEW", 0, 0)}  # nobody is to blame
    second = begin(owner="host/0:second")
    second.engine(second.lane(done)).start()
    until(lambda: statuses(database, (item,)) == {("DONE", 0, 0)})
    gate.open()


def test_a_drain_goes_on_when_the_database_is_away(
    process: Process, database: Database, source: int, logged: list[EventDict]
) -> None:
    waiting = make_items(database, source, 5)
    gate = Gate()
    lane = process.lane(gate.verb, workers=1)
    engine = process.engine(lane)
    engine.start()
    gate.wait_for(1)
    process.queue_up(lane, 4)
    process.store.away = 1
    threading.Timer(0.05, gate.open).start()

    assert engine.stop(LIMIT_SECONDS)

    assert statuses(database, waiting[:1]) == {("DONE", 0, 0)}
    assert statuses(database, waiting[1:]) == {("PENDING", 0, 0)}  # until their lease runs out
    assert len(named(logged, "give_back_failed")) == 1


@pytest.mark.parametrize("order", [1, -1], ids=["on its way", "against its way"])
def test_it_is_idle_only_when_nothing_is_due_queued_or_running(
    process: Process, database: Database, order: int
) -> None:
    """In whatever order the loops are asked that give each other work."""

    def fetch(job: Job) -> Outcome:
        news = Reading(tuple(Entry(f"{job.id}-{n}", None, "News") for n in range(3)))
        return Done(Fetched(news), due_at=NOW + timedelta(hours=1), wake=("processing",))

    def at_once(seconds: float) -> bool:
        return False

    lanes = process.lane(fetch, Stage.FETCH), process.lane(done)
    engine = process.engine(*lanes[::order])
    engine.start()
    for count in range(1, 13):
        make_source(database)
        engine.wake("fetch")

        engine.run_until_idle(at_once, SOON)

        with database.read() as connection:
            found = connection.execute(items.select()).all()
        assert [row.status for row in found] == ["DONE"] * 3 * count


def test_it_does_not_wait_to_be_idle_when_told_to_stop(
    process: Process, database: Database, source: int
) -> None:
    make_items(database, source, 3)
    gate = Gate()
    engine = process.engine(process.lane(gate.verb))
    engine.start()
    gate.wait_for(2)
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()

    engine.run_until_idle(stop.wait, SOON)

    assert gate.ended == []
    gate.open()


# ---- the clockwork


def test_a_scheduled_job_that_fails_is_logged_and_comes_again(logged: list[EventDict]) -> None:
    ticker, runs = Ticker(), list[int]()

    def job() -> None:
        runs.append(1)
        raise RuntimeError("a bug")

    ticker.every("housekeeping", 0.02, job)
    ticker.start()
    until(lambda: len(runs) >= 3)
    ticker.stop()

    assert named(logged, "scheduled_job_failed")[0]["job"] == "housekeeping"


def test_a_scheduled_job_never_runs_beside_itself() -> None:
    ticker, gate = Ticker(), Gate()
    ticker.every("slow", 0.01, lambda: gate(1))
    ticker.start()
    gate.wait_for(1)
    other = Gate()
    other.open()
    ticker.every("other", 0.01, lambda: other(2))
    other.wait_for(5)

    assert gate.begun == [1]
    gate.open()
    ticker.stop()
    ticker.stop()  # twice does no harm
