"""Settling a job on both databases: once, under its fence, together with its result."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, update

from morningdeck.model.kinds import Health
from morningdeck.model.reading import Entry, Fetched, FetchTrouble, Reading, Validators
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.news import items, sources
from morningdeck.work import Job, Settlement, Stage
from tests.conftest import NOW
from tests.factories import (
    make_item,
    row_of,
)
from tests.store.working import (
    DONE,
    LATER,
    LEASE,
    ME,
    due_at_once,
    engine_columns,
    processed,
    started,
)


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
