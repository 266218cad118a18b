"""The row protocol on both databases: who may take, hold, settle and lose a row.

A crash between two statements is a next statement that never comes.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.news import items
from morningdeck.work import Done, Job, RetryPolicy, Settlement, Stage, decide
from tests.conftest import NOW
from tests.contracts.job_store import JobStoreContract, Waiting
from tests.factories import (
    make_briefing,
    make_delivery,
    make_item,
    make_items,
    make_source,
    make_user,
    row_of,
)
from tests.store.working import (
    DONE,
    LATER,
    LEASE,
    ME,
    OTHER,
    due_at_once,
    engine_columns,
    started,
)


class TestSqlJobStore(JobStoreContract):
    @pytest.fixture
    def store(self, work: SqlJobStore) -> SqlJobStore:
        return work

    @pytest.fixture
    def waiting(self, database: Database, source: int) -> Waiting:
        return lambda count: make_items(database, source, count)


# ---- taking


def test_a_claim_takes_at_most_what_it_asks_for(
    database: Database, work: SqlJobStore, source: int
) -> None:
    waiting = make_items(database, source, 5)

    assert work.claim(Stage.PROCESSING, 3, ME, NOW) == waiting[:3]
    assert work.claim(Stage.PROCESSING, 3, ME, NOW) == waiting[3:]
    assert work.claim(Stage.PROCESSING, 3, ME, NOW) == ()


def test_a_claimed_row_says_whose_it_is_and_until_when(
    database: Database, work: SqlJobStore, item: int
) -> None:
    work.claim(Stage.PROCESSING, 1, ME, NOW)

    row = row_of(database, items, item)
    assert engine_columns(row) == ("PENDING", 0, ME, NOW + LEASE, 0, 0)
    assert row.queued_at == NOW


def test_only_one_of_many_gets_a_very_row(work: SqlJobStore, item: int) -> None:
    with ThreadPoolExecutor(8) as threads:
        won = threads.map(
            lambda n: work.claim_one(Stage.PROCESSING, item, f"node/{n}:x", NOW), range(8)
        )
        assert sum(won) == 1


def test_claiming_a_very_row_does_not_wait_for_its_time(
    database: Database, work: SqlJobStore
) -> None:
    source = make_source(database, due_at=LATER)

    assert work.claim(Stage.FETCH, 1, ME, NOW) == ()
    assert work.claim_one(Stage.FETCH, source, ME, NOW)


def test_a_start_grows_the_fence_and_happens_once(
    database: Database, work: SqlJobStore, item: int
) -> None:
    assert work.start(Stage.PROCESSING, item, ME, NOW) is None  # nobody has claimed it
    work.claim(Stage.PROCESSING, 1, ME, NOW)

    assert work.start(Stage.PROCESSING, item, ME, NOW) == Job(Stage.PROCESSING, item, attempt=1)
    assert work.start(Stage.PROCESSING, item, ME, NOW) is None  # its id was in a queue twice
    assert engine_columns(row_of(database, items, item))[:2] == ("PROCESSING", 1)


def test_the_fence_grows_for_ever_and_success_does_not_reset_it(
    database: Database, work: SqlJobStore, source: int
) -> None:
    fences = []
    for _ in range(3):
        assert work.claim(Stage.FETCH, 1, ME, NOW) == (source,)
        job = work.start(Stage.FETCH, source, ME, NOW)
        assert job is not None
        assert work.settle(job, ME, Settlement("IDLE", NOW, 0, 0), NOW)
        fences.append(job.attempt)

    assert fences == [1, 2, 3]


def test_a_start_moves_the_claim_to_the_process_that_runs_it(
    database: Database, work: SqlJobStore, item: int
) -> None:
    work.claim(Stage.PROCESSING, 1, ME, NOW)

    job = work.start(Stage.PROCESSING, item, OTHER, NOW)

    assert job is not None
    assert row_of(database, items, item).claimed_by == OTHER
    assert not work.settle(job, ME, DONE, NOW)
    assert work.settle(job, OTHER, DONE, NOW)


# ---- giving back


def test_only_queued_claims_of_ones_own_are_given_back(
    database: Database, work: SqlJobStore, source: int
) -> None:
    mine, running, others = make_items(database, source, 3)
    work.claim_one(Stage.PROCESSING, mine, ME, NOW)
    started(work, running)
    work.claim_one(Stage.PROCESSING, others, OTHER, NOW)

    assert work.release(Stage.PROCESSING, (mine, running, others), ME, NOW) == 1

    statuses = [row_of(database, items, item).status for item in (mine, running, others)]
    assert statuses == ["NEW", "PROCESSING", "PENDING"]


def test_a_claim_that_was_given_back_is_as_if_never_taken(
    database: Database, work: SqlJobStore, source: int
) -> None:
    make_items(database, source, 3)
    first, *_ = work.claim(Stage.PROCESSING, 1, ME, NOW)

    work.release(Stage.PROCESSING, (first,), ME, NOW)

    assert engine_columns(row_of(database, items, first)) == ("NEW", 0, None, None, 0, 0)
    assert work.claim(Stage.PROCESSING, 1, ME, NOW) == (first,)


def test_more_claims_than_fit_one_statement_are_given_back(
    database: Database, work: SqlJobStore, source: int
) -> None:
    make_items(database, source, 1200)
    taken = work.claim(Stage.PROCESSING, 1200, ME, NOW)

    assert work.release(Stage.PROCESSING, taken, ME, NOW) == 1200


@pytest.mark.parametrize("stage", [Stage.FETCH, Stage.PROCESSING, Stage.BRIEFING])
def test_every_stage_with_a_queue_keeps_the_same_protocol(
    database: Database, work: SqlJobStore, stage: Stage
) -> None:
    if stage is Stage.PROCESSING:
        row = make_item(database, make_source(database))
    elif stage is Stage.FETCH:
        row = make_source(database)
    else:
        row = make_briefing(database, make_user(database))

    assert work.claim(stage, 9, ME, NOW) == (row,)
    assert work.release(stage, (row,), ME, NOW) == 1
    assert work.claim(stage, 9, ME, NOW) == (row,)
    first = work.start(stage, row, ME, NOW)
    assert first is not None
    assert work.recover(stage, LATER, due_at_once) == 1
    assert work.claim(stage, 9, ME, LATER) == (row,)
    second = work.start(stage, row, ME, LATER)
    assert second == Job(stage, row, attempt=2, losses=1)
    policy = RetryPolicy(())
    ending = decide(second, Done(due_at=LATER), policy=policy, now=NOW, chance=0.0)
    assert not work.settle(first, ME, ending, LATER)
    assert work.settle(second, ME, ending, LATER)


def test_what_is_due_without_a_queue_is_seen_by_all_and_claimed_by_none(
    database: Database, work: SqlJobStore
) -> None:
    first, second = make_delivery(database), make_delivery(database)
    make_delivery(database, due_at=LATER)

    assert work.due(Stage.DELIVERY, 1, NOW) == (first,)
    assert work.due(Stage.DELIVERY, 9, NOW) == (first, second)
    with pytest.raises(ValueError, match="delivery has no queue"):
        work.claim(Stage.DELIVERY, 9, ME, NOW)


def test_nothing_but_the_engine_columns_of_that_row_changes_by_a_claim(
    database: Database, work: SqlJobStore
) -> None:
    user = make_user(database)
    claimed, other = make_briefing(database, user), make_briefing(database, user, due_at=LATER)
    before = row_of(database, briefings, other)

    work.claim(Stage.BRIEFING, 1, ME, NOW)

    assert row_of(database, briefings, other) == before
    assert row_of(database, briefings, claimed).title == "Morning"
    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(briefings)) == 2
