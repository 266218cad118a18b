"""Leases: how a row stays with its holder, and what becomes of it when the holder is gone.

A crash between two statements is a next statement that never comes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Row, update

from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.briefs import deliveries
from morningdeck.store.tables.news import items
from morningdeck.work import Job, Settlement, Stage
from tests.conftest import NOW
from tests.factories import make_delivery, make_items, row_of
from tests.store.working import (
    DONE,
    LATER,
    LEASE,
    ME,
    OTHER,
    due_at_once,
    engine_columns,
    processed,
    started,
)


def test_a_lease_is_renewed_only_for_ones_own_and_only_for_the_ids_given(
    database: Database, work: SqlJobStore, source: int
) -> None:
    mine, forgotten, others = make_items(database, source, 3)
    job = started(work, mine)
    started(work, forgotten)
    started(work, others, OTHER)

    kept = work.renew(Stage.PROCESSING, {mine: job.attempt, others: 1}, ME, LATER)

    assert kept == {mine}
    leases = [row_of(database, items, item).lease_until for item in (mine, forgotten, others)]
    assert leases == [LATER + LEASE, NOW + LEASE, NOW + LEASE]


def test_a_lease_is_held_only_under_the_current_fence(work: SqlJobStore, item: int) -> None:
    late = started(work, item)
    work.recover(Stage.PROCESSING, LATER, due_at_once)
    assert work.renew(Stage.PROCESSING, {item: late.attempt}, ME, LATER) == frozenset()
    current = started(work, item)

    assert work.renew(Stage.PROCESSING, {item: late.attempt}, ME, LATER) == frozenset()
    assert work.renew(Stage.PROCESSING, {item: current.attempt}, ME, LATER) == {item}


def test_of_two_jobs_with_one_fence_the_first_to_settle_wins(
    database: Database, work: SqlJobStore, item: int
) -> None:
    """A server that crashes may forget a start whose worker lives on."""
    forgotten = started(work, item)
    with database.write() as connection:
        connection.execute(update(items).values(status="NEW", claimed_by=None, attempts=0))
    again = started(work, item)
    assert again == forgotten

    assert work.settle(forgotten, ME, DONE, NOW)
    assert not work.settle(again, ME, DONE, NOW)


# ---- losing


def test_only_lapsed_leases_are_recovered(work: SqlJobStore, source: int, item: int) -> None:
    work.claim(Stage.FETCH, 1, ME, NOW)
    job = started(work, item)
    just_held = NOW + LEASE

    for stage in (Stage.FETCH, Stage.PROCESSING):
        assert work.recover(stage, just_held, due_at_once) == 0
    assert work.settle(job, ME, DONE, just_held)
    assert work.recover(Stage.FETCH, just_held + timedelta(seconds=1), due_at_once) == 1


def test_a_claim_lost_before_its_start_costs_nothing(
    database: Database, work: SqlJobStore, item: int
) -> None:
    for _ in range(5):
        work.claim(Stage.PROCESSING, 1, ME, NOW)
        assert work.recover(Stage.PROCESSING, LATER, due_at_once) == 1

    assert engine_columns(row_of(database, items, item)) == ("NEW", 0, None, None, 0, 0)


def test_a_claim_lost_while_running_counts_and_the_third_is_a_dead_letter(
    database: Database, work: SqlJobStore, item: int
) -> None:
    endings = []
    for _ in range(3):
        started(work, item)
        assert work.recover(Stage.PROCESSING, LATER, due_at_once) == 1
        row = row_of(database, items, item)
        endings.append((row.status, row.losses))

    assert endings == [("NEW", 1), ("NEW", 2), ("ERROR", 3)]
    assert row_of(database, items, item).last_error == "its worker was lost 3 times in a row"


def test_a_lost_item_keeps_its_place_in_line(
    database: Database, work: SqlJobStore, source: int
) -> None:
    first, *_ = make_items(database, source, 5)
    started(work, first)

    work.recover(Stage.PROCESSING, LATER, due_at_once)

    assert work.claim(Stage.PROCESSING, 1, ME, LATER) == (first,)


def test_a_worker_that_has_just_finished_wins_against_recovery(
    database: Database, work: SqlJobStore, item: int
) -> None:
    job = started(work, item)

    def finishes_first(lost: Job) -> Settlement:
        assert work.settle(job, ME, processed(), LATER)
        return due_at_once(lost)

    assert work.recover(Stage.PROCESSING, LATER, finishes_first) == 0
    row = row_of(database, items, item)
    assert (row.status, row.losses) == ("DONE", 0)


def _finishes(work: SqlJobStore, job: Job) -> None:
    assert work.settle(job, ME, DONE, NOW)


def _shows_life(work: SqlJobStore, job: Job) -> None:
    assert work.renew(job.stage, {job.id: job.attempt}, ME, LATER) == {job.id}


def _is_claimed_anew(work: SqlJobStore, job: Job) -> None:
    assert work.recover(job.stage, LATER, due_at_once) == 1
    assert work.claim_one(job.stage, job.id, OTHER, NOW)


def _is_started_anew(work: SqlJobStore, job: Job) -> None:
    _is_claimed_anew(work, job)
    assert work.start(job.stage, job.id, OTHER, NOW)


@pytest.mark.parametrize("happens", [_finishes, _shows_life, _is_claimed_anew, _is_started_anew])
def test_a_loss_is_counted_only_if_nothing_has_happened_since_it_was_seen(
    database: Database,
    work: SqlJobStore,
    item: int,
    happens: Callable[[SqlJobStore, Job], None],
) -> None:
    job = started(work, item)
    after: list[Row[Any]] = []

    def meanwhile(lost: Job) -> Settlement:
        happens(work, job)
        after.append(row_of(database, items, item))
        return due_at_once(lost)

    assert work.recover(Stage.PROCESSING, LATER, meanwhile) == 0
    assert [row_of(database, items, item)] == after


def test_a_node_takes_back_exactly_what_its_earlier_incarnations_held(
    database: Database, work: SqlJobStore, source: int
) -> None:
    owners = ("host/1:old", "host/1:older", "host/1:new", "host/10:old", "host/2:old", "ho%/1:old")
    held = make_items(database, source, len(owners))
    for item, owner in zip(held, owners, strict=True):
        started(work, item, owner)

    assert (
        work.recover(Stage.PROCESSING, NOW, due_at_once, node="host/1", owner="host/1:new") == 2
    )  # at once, although their leases run
    waiting = [item for item in held if row_of(database, items, item).status == "NEW"]
    assert waiting == list(held[:2])


@pytest.mark.parametrize(
    ("losses", "final_at", "status"),
    [
        (0, None, "PENDING"),
        (0, NOW, "UNKNOWN"),
        (2, None, "REFUSED"),
        (2, NOW, "UNKNOWN"),
    ],
)
def test_a_delivery_lost_after_its_last_step_may_have_arrived(
    database: Database,
    work: SqlJobStore,
    losses: int,
    final_at: datetime | None,
    status: str,
) -> None:
    delivery = make_delivery(database, losses=losses)
    assert work.start(Stage.DELIVERY, delivery, ME, NOW) is not None
    with database.write() as connection:
        connection.execute(update(deliveries).values(final_at=final_at))

    assert work.recover(Stage.DELIVERY, LATER, due_at_once) == 1

    assert row_of(database, deliveries, delivery).status == status


@pytest.mark.parametrize("status", ["PENDING", "RETRY", "REFUSED", "UNKNOWN", "SENT"])
def test_a_delivery_after_its_last_step_ends_sent_or_unknown(
    database: Database, work: SqlJobStore, status: str
) -> None:
    delivery = make_delivery(database)
    job = work.start(Stage.DELIVERY, delivery, ME, NOW)
    assert job is not None
    with database.write() as connection:
        connection.execute(update(deliveries).values(final_at=NOW))

    assert work.settle(job, ME, Settlement(status, LATER, 1, 0, "reset"), NOW)

    row = row_of(database, deliveries, delivery)
    assert row.status == ("SENT" if status == "SENT" else "UNKNOWN")
    assert row.final_at == NOW


def test_what_a_process_lets_go_at_its_end_waits_again_without_blame(
    database: Database, work: SqlJobStore, source: int
) -> None:
    running, queued, others = make_items(database, source, 3)
    job = started(work, running)
    work.claim_one(Stage.PROCESSING, queued, ME, NOW)
    started(work, others, OTHER)

    assert work.let_go(Stage.PROCESSING, ME, NOW) == 2

    rows = [row_of(database, items, item) for item in (running, queued, others)]
    assert [row.status for row in rows] == ["NEW", "NEW", "PROCESSING"]
    assert [row.losses for row in rows] == [0, 0, 0]
    assert not work.settle(job, ME, DONE, NOW)
