"""No thread of the engine ends by what its work raises, be it an `Exception` or not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from structlog.typing import EventDict

from morningdeck.engine.engine import Ticker
from morningdeck.engine.leases import Heartbeat
from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.engine.threads import lasting
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import deliveries
from morningdeck.store.tables.news import items
from morningdeck.work import Done, Job, Outcome, Stage
from tests.conftest import NOW, ManualClock
from tests.engine.conftest import named
from tests.engine.gate import Gate
from tests.engine.process import LEASE, Process
from tests.factories import make_delivery, make_items, row_of
from tests.waiting import LIMIT_SECONDS, until


class Panic(BaseException):
    """As the `PanicException` of what is written in Rust: no `Exception`."""


BEYOND = (Panic, KeyboardInterrupt, SystemExit, GeneratorExit)


@pytest.mark.parametrize("error", BEYOND)
def test_whatever_a_verb_raises_fails_its_job_and_nothing_else(
    process: Process,
    database: Database,
    source: int,
    logged: list[EventDict],
    error: type[BaseException],
) -> None:
    waiting = make_items(database, source, 12)

    def verb(job: Job) -> Outcome:
        if job.id in waiting[:8]:
            raise error
        return Done()

    process.engine(process.lane(verb, workers=2)).start()

    def endings() -> list[tuple[str, int, str | None]]:
        rows = [row_of(database, items, item) for item in waiting]
        return [(row.status, row.failures, row.last_error) for row in rows]

    reason = f"unexpected {error.__name__}, see the log"
    until(lambda: endings() == [("NEW", 1, reason)] * 8 + [("DONE", 0, None)] * 4)


@pytest.mark.parametrize("error", BEYOND)
def test_a_result_that_cannot_be_stored_is_a_failure_whatever_is_raised(
    process: Process,
    database: Database,
    source: int,
    logged: list[EventDict],
    error: type[BaseException],
) -> None:
    (item,) = make_items(database, source, 1)

    def verb(job: Job) -> Outcome:
        process.store.away, process.store.trouble = 1, error()
        return Done()

    process.lane(verb, workers=1).start()

    until(lambda: row_of(database, items, item).failures == 1)
    reason = f"its result could not be stored: {error.__name__}, see the log"
    assert row_of(database, items, item).last_error == reason


def test_a_command_that_is_interrupted_does_not_call_that_a_failure(
    process: Process, database: Database, source: int
) -> None:
    (item,) = make_items(database, source, 1)
    assert process.store.claim_one(Stage.PROCESSING, item, process.owner, NOW)

    def verb(job: Job) -> Outcome:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        process.worker(verb).run(item)  # in the main thread, as a command does

    assert row_of(database, items, item).failures == 0


def test_a_loop_that_raises_begins_again_and_says_so(logged: list[EventDict]) -> None:
    rounds = iter(BEYOND)

    def loop() -> None:
        for error in rounds:
            raise error

    lasting("loop", loop)()

    assert [event["thread"] for event in named(logged, "thread_goes_on")] == ["loop"] * len(BEYOND)


def test_a_worker_that_is_struck_outside_of_its_work_goes_on(logged: list[EventDict]) -> None:
    done: list[int] = []
    strikes = iter((Panic,))

    def freed() -> None:
        for strike in strikes:
            raise strike

    queue = MemoryQueue(9)
    runner = ThreadRunner("test", queue, workers=1)
    runner.start(done.append, freed)
    queue.enqueue(1)
    queue.enqueue(2)

    until(lambda: done == [1, 2])
    runner.stop()
    assert runner.join(LIMIT_SECONDS)
    assert len(named(logged, "thread_goes_on")) == 1


def test_claims_are_kept_only_while_somebody_serves_them(
    process: Process, database: Database, clock: ManualClock, source: int
) -> None:
    first, second = make_items(database, source, 2)
    queue = MemoryQueue(9)
    runner = ThreadRunner("test", queue, workers=1)
    feeder = process.feeder(queue, runner)
    runner.start(Gate())
    runner.stop()
    assert runner.join(LIMIT_SECONDS)  # its threads are gone
    for item in (first, second):
        assert process.store.claim_one(Stage.PROCESSING, item, process.owner, NOW)
        process.leases.hold(Stage.PROCESSING, item)
    clock.pass_(seconds=60)

    assert process.leases.renew() == 0

    assert row_of(database, items, first).lease_until == NOW + LEASE
    assert feeder.feed() == 0


def test_a_sweep_outlives_whatever_a_delivery_raises(
    process: Process, database: Database, logged: list[EventDict]
) -> None:
    due = [make_delivery(database) for _ in range(4)]

    def verb(job: Job) -> Outcome:
        if job.id == due[0]:
            raise SystemExit
        return Done()

    process.sweep(verb).start()

    def statuses() -> list[str]:
        return [row_of(database, deliveries, one).status for one in due]

    until(lambda: statuses() == ["RETRY", "SENT", "SENT", "SENT"])


def test_a_round_a_beat_and_a_tick_come_again_whatever_they_raise(
    process: Process, logged: list[EventDict]
) -> None:
    counted = {"beat": 0, "tick": 0}

    def raising(name: str) -> None:
        counted[name] += 1
        raise SystemExit

    ticker = Ticker()
    ticker.every("tick", 0.01, lambda: raising("tick"))
    ticker.start()
    heart = Heartbeat(process.leases, every_seconds=0.01, also=lambda: raising("beat"))
    with heart.beating():
        until(lambda: min(counted.values()) >= 3)
    ticker.stop()

    assert named(logged, "heartbeat_bug")
    assert named(logged, "scheduled_job_failed")


def test_a_dispatcher_outlives_a_round_that_raises_no_exception(
    process: Process, database: Database, source: int, logged: list[EventDict]
) -> None:
    (item,) = make_items(database, source, 1)
    process.store.away, process.store.trouble = 1, Panic()
    lane = process.lane(lambda job: Done())
    lane.start()
    until(lambda: process.store.away == 0)

    lane.wake()

    until(lambda: row_of(database, items, item).status == "DONE")


def test_the_poison_rule_counts_nothing_that_only_panics(
    process: Process, database: Database, source: int, logged: list[EventDict]
) -> None:
    """A panic is a failure, which waits longer each time; a loss would come back at once."""
    (item,) = make_items(database, source, 1)

    def verb(job: Job) -> Outcome:
        raise Panic

    process.lane(verb).start()

    until(lambda: row_of(database, items, item).failures == 1)
    row = row_of(database, items, item)
    assert (row.losses, row.due_at) == (0, NOW + timedelta(minutes=1))
