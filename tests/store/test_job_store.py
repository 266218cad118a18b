"""The row protocol on both databases: who may take, hold, settle and lose a row.

A crash between two statements is a next statement that never comes.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, func, select, update

from morningdeck.model import (
    Entry,
    Fetched,
    FetchTrouble,
    Health,
    Reading,
    Validators,
)
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.news import items, sources
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
    processed,
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


# ---- settling


def test_a_result_is_stored_together_with_its_status(
    database: Database, work: SqlJobStore, item: int
) -> None:
    assert work.settle(started(work, item), ME, processed(), NOW)

    row = row_of(database, items, item)
    assert engine_columns(row) == ("DONE", 1, None, None, 0, 0)
    assert (row.summary, row.tags["topics"]) == ("A summary.", ["energy"])
    assert row.processed_at == NOW


def test_a_late_worker_is_refused_and_its_result_is_not_written(
    database: Database, work: SqlJobStore, item: int
) -> None:
    late = started(work, item)
    work.recover(Stage.PROCESSING, LATER, due_at_once)
    assert not work.settle(late, ME, processed(), LATER)  # it waits again
    current = started(work, item)

    assert not work.settle(late, ME, processed(), LATER)  # the same process runs it again

    row = row_of(database, items, item)
    assert (row.status, row.attempts, row.summary) == ("PROCESSING", 2, "")
    assert work.settle(current, ME, processed(), LATER)


def test_a_late_worker_does_not_end_the_claim_that_came_after_its_own(
    database: Database, work: SqlJobStore, item: int
) -> None:
    late = started(work, item)
    work.recover(Stage.PROCESSING, LATER, due_at_once)
    assert work.claim_one(Stage.PROCESSING, item, ME, LATER)  # under the same fence until it starts

    assert not work.settle(late, ME, processed(), LATER)

    assert row_of(database, items, item).status == "PENDING"


def test_a_result_is_settled_only_once(database: Database, work: SqlJobStore, item: int) -> None:
    job = started(work, item)

    assert work.settle(job, ME, processed(), NOW)
    assert not work.settle(job, ME, Settlement("ERROR", None, 4, 0, "too late"), NOW)
    assert row_of(database, items, item).status == "DONE"


def test_when_a_result_cannot_be_saved_nothing_has_changed(database: Database, item: int) -> None:
    def half(connection: Connection, job: Job, result: object, now: object) -> None:
        connection.execute(update(items).values(summary="half"))
        raise RuntimeError("a bug")

    work = SqlJobStore(database, {str: half}, lease=LEASE)
    job = started(work, item)
    before = row_of(database, items, item)

    with pytest.raises(RuntimeError, match="a bug"):
        work.settle(job, ME, Settlement("DONE", None, 0, 0, result="text"), NOW)

    assert row_of(database, items, item) == before
    assert work.settle(job, ME, DONE, NOW)


def test_a_fetch_stores_its_news_and_its_next_time_at_once(
    database: Database, work: SqlJobStore, source: int
) -> None:
    entries = tuple(Entry(f"guid-{n}", None, f"News {n}", content_hash="1") for n in range(3))
    found = Fetched(Reading(entries, validators=Validators('"tag"')))
    work.claim(Stage.FETCH, 1, ME, NOW)
    job = work.start(Stage.FETCH, source, ME, NOW)
    assert job is not None

    work.settle(job, ME, Settlement("IDLE", LATER, 0, 0, result=found, worked=True), NOW)

    row = row_of(database, sources, source)
    assert (row.status, row.due_at, row.etag) == ("IDLE", LATER, '"tag"')
    assert row.last_success_at == NOW
    assert len(work.claim(Stage.PROCESSING, 9, ME, NOW)) == 3


def test_a_failed_fetch_tells_how_the_source_is_and_when_it_is_tried_again(
    database: Database, work: SqlJobStore, source: int
) -> None:
    work.claim(Stage.FETCH, 1, ME, NOW)
    job = work.start(Stage.FETCH, source, ME, NOW)
    assert job is not None
    trouble = FetchTrouble(Health.DEGRADED)

    work.settle(job, ME, Settlement("IDLE", LATER, 5, 0, "timeout", result=trouble), NOW)

    row = row_of(database, sources, source)
    assert (row.health, row.failures, row.last_error) == ("degraded", 5, "timeout")
    assert row.last_success_at is None
    assert work.claim(Stage.FETCH, 1, ME, NOW) == ()
    assert work.claim(Stage.FETCH, 1, ME, LATER) == (source,)


@pytest.mark.parametrize(("failures", "known"), [(2, "timeout"), (0, None)])
def test_the_reason_of_a_failure_is_known_until_a_success(
    database: Database, work: SqlJobStore, item: int, failures: int, known: str | None
) -> None:
    work.settle(started(work, item), ME, Settlement("NEW", None, 2, 0, "timeout"), NOW)

    work.settle(started(work, item), ME, Settlement("NEW", None, failures, 0), NOW)

    assert row_of(database, items, item).last_error == known


def test_text_that_changed_during_processing_is_processed_again(
    database: Database, work: SqlJobStore, item: int
) -> None:
    job = started(work, item)
    with database.write() as connection:
        connection.execute(update(items).values(content_hash="another"))

    assert work.settle(job, ME, processed("hash"), NOW)

    row = row_of(database, items, item)
    assert (row.status, row.processed_at) == ("NEW", None)
    assert work.claim(Stage.PROCESSING, 1, ME, NOW) == (item,)


def test_an_enriched_item_that_fails_to_get_scores_stays_done_and_asks_again(
    database: Database, work: SqlJobStore, source: int
) -> None:
    item = make_item(database, source, status="DONE", processed_at=NOW, rescore=True)
    job = started(work, item)

    assert work.settle(job, ME, Settlement("NEW", LATER, 1, 0, "model held"), NOW)

    row = row_of(database, items, item)
    assert (row.status, row.rescore, row.due_at) == ("DONE", True, LATER)
    assert work.claim(Stage.PROCESSING, 1, ME, NOW) == ()
    assert work.claim(Stage.PROCESSING, 1, ME, LATER) == (item,)


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
