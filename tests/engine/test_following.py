"""A worker that goes on from one job to the next, whatever happens in between."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from structlog.typing import EventDict

from morningdeck.errors import TransientError
from morningdeck.store.database.connect import Database
from morningdeck.store.tables import items
from morningdeck.work import Done, Job, Outcome, Postponed, Stage
from tests.conftest import NOW, ManualClock
from tests.engine.conftest import named
from tests.engine.process import LEASE, Process
from tests.factories import make_items, row_of


@pytest.fixture
def line(process: Process, database: Database, source: int) -> tuple[int, ...]:
    """Three items that this process has claimed."""
    made = make_items(database, source, 3)
    assert process.store.claim(Stage.PROCESSING, 3, process.owner, NOW) == made
    for item in made:
        process.leases.hold(Stage.PROCESSING, item)
    return made


def one_by_one(*ids: int) -> Callable[[], int | None]:
    left = list(ids)
    return lambda: left.pop(0) if left else None


def statuses(database: Database, line: tuple[int, ...]) -> list[str]:
    return [row_of(database, items, item).status for item in line]


def test_it_works_through_what_follows_and_tells_of_each(
    process: Process, database: Database, line: tuple[int, ...], logged: list[EventDict]
) -> None:
    due: list[datetime | None] = []
    first, *others = line

    process.worker(lambda job: Done()).run(first, following=one_by_one(*others), settled=due.append)

    assert statuses(database, line) == ["DONE"] * 3
    assert [event["id"] for event in named(logged, "job_finished")] == list(line)
    assert due == [None] * 3
    assert process.leases.renew() == 0


def test_one_that_nobody_claimed_any_more_ends_the_line_and_is_not_held(
    process: Process, database: Database, line: tuple[int, ...], clock: ManualClock
) -> None:
    first, second, third = line
    process.store.release(Stage.PROCESSING, (second,), process.owner, NOW)

    process.worker(lambda job: Done()).run(first, following=one_by_one(second, third))

    assert statuses(database, line) == ["DONE", "NEW", "PENDING"]
    clock.pass_(seconds=60)
    assert process.leases.renew() == 0
    assert row_of(database, items, third).lease_until == NOW + timedelta(seconds=60) + LEASE


def test_a_failed_job_keeps_the_next_from_nothing(
    process: Process, database: Database, line: tuple[int, ...]
) -> None:
    def verb(job: Job) -> Outcome:
        if job.id == line[0]:
            raise TransientError("timeout")
        return Done(object()) if job.id == line[1] else Done()  # nobody knows how to save that

    process.worker(verb).run(line[0], following=one_by_one(*line[1:]))

    assert statuses(database, line) == ["NEW", "NEW", "DONE"]


def test_a_database_that_is_away_delays_both_and_costs_neither(
    process: Process, database: Database, line: tuple[int, ...]
) -> None:
    runs: list[int] = []

    def verb(job: Job) -> Outcome:
        runs.append(job.id)
        process.store.away = 2
        return Done()

    process.worker(verb).run(line[0], following=one_by_one(*line[1:]))

    assert runs == list(line)
    assert statuses(database, line) == ["DONE"] * 3


def test_a_next_that_has_begun_and_that_nobody_goes_on_with_is_not_kept(
    process: Process, database: Database, line: tuple[int, ...], clock: ManualClock
) -> None:
    first, second, _ = line

    def wake(track: str) -> None:
        raise RuntimeError("a bug")

    worker = process.worker(lambda job: Done(wake=("indexing",)), wake=wake)
    with pytest.raises(RuntimeError, match="a bug"):
        worker.run(first, following=one_by_one(second))
    clock.pass_(seconds=60)
    process.leases.renew()

    assert statuses(database, (first, second)) == ["DONE", "PROCESSING"]
    assert row_of(database, items, second).lease_until == NOW + LEASE


def test_a_next_whose_start_never_came_is_not_kept_for_ever(
    process: Process, database: Database, line: tuple[int, ...], clock: ManualClock
) -> None:
    first, second, _ = line

    def verb(job: Job) -> Outcome:
        process.store.away, process.store.trouble = 2, ZeroDivisionError()
        return Done()

    with pytest.raises(ZeroDivisionError):
        process.worker(verb).run(first, following=one_by_one(second))
    clock.pass_(seconds=60)
    process.leases.renew()

    assert statuses(database, (first, second)) == ["PROCESSING", "PENDING"]
    assert row_of(database, items, second).lease_until == NOW + LEASE


def test_a_job_that_is_put_off_is_no_finished_one(
    process: Process, line: tuple[int, ...], logged: list[EventDict]
) -> None:
    process.worker(lambda job: Postponed(NOW, "its server is busy")).run(line[0])

    assert named(logged, "job_finished") == []
    assert [event["log_level"] for event in named(logged, "job_put_off")] == ["debug"]
