"""The end of one job and the start of the next in one transaction, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, update

from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlWorkStore
from morningdeck.store.store import BRINGS, SAVERS
from morningdeck.store.tables import items
from morningdeck.work import Job, Settlement, Stage
from tests.conftest import NOW
from tests.factories import make_items, make_source, row_of
from tests.store.working import DONE, LATER, LEASE, ME, due_at_once, engine_columns, processed


@pytest.fixture
def pair(database: Database, work: SqlWorkStore, source: int) -> tuple[Job, int]:
    """A job at work, and the id that is claimed after it."""
    first, second = make_items(database, source, 2)
    work.claim(Stage.PROCESSING, 2, ME, NOW)
    job = work.start(Stage.PROCESSING, first, ME, NOW)
    assert job is not None
    return job, second


def test_one_ends_and_the_next_begins(
    database: Database, work: SqlWorkStore, pair: tuple[Job, int]
) -> None:
    job, following = pair

    stored, next_job = work.settle_and_start(job, ME, processed(), following, NOW)

    assert (stored, next_job) == (True, Job(Stage.PROCESSING, following, attempt=1))
    assert row_of(database, items, job.id).summary == "A summary."
    row = row_of(database, items, following)
    assert engine_columns(row) == ("PROCESSING", 1, ME, NOW + LEASE, 0, 0)


def test_a_late_worker_is_refused_and_goes_on_with_the_next(
    database: Database, work: SqlWorkStore, pair: tuple[Job, int]
) -> None:
    late, following = pair
    work.recover(Stage.PROCESSING, NOW + 2 * LEASE, due_at_once)
    work.claim_one(Stage.PROCESSING, following, ME, NOW)

    stored, next_job = work.settle_and_start(late, ME, processed(), following, NOW)

    assert not stored
    assert next_job is not None
    assert row_of(database, items, late.id).summary == ""


def test_one_ends_although_the_next_is_not_to_be_had_any_more(
    database: Database, work: SqlWorkStore, pair: tuple[Job, int]
) -> None:
    job, following = pair
    work.release(Stage.PROCESSING, (following,), ME, NOW)

    assert work.settle_and_start(job, ME, DONE, following, NOW) == (True, None)
    assert row_of(database, items, job.id).status == "DONE"


def test_when_a_result_cannot_be_saved_the_next_has_not_begun_either(
    database: Database, pair: tuple[Job, int]
) -> None:
    def half(connection: Connection, job: Job, result: object, now: object) -> None:
        connection.execute(update(items).values(summary="half"))
        raise RuntimeError("a bug")

    work = SqlWorkStore(database, {str: half}, lease=LEASE)
    job, following = pair
    before = row_of(database, items, following)

    with pytest.raises(RuntimeError, match="a bug"):
        work.settle_and_start(
            job, ME, Settlement("DONE", None, 0, 0, result="text"), following, NOW
        )

    assert row_of(database, items, following) == before
    assert work.settle_and_start(job, ME, DONE, following, NOW)[1] is not None


def test_a_source_that_is_next_brings_its_row_along(database: Database) -> None:
    work = SqlWorkStore(database, SAVERS, lease=LEASE, brings=BRINGS)
    first, second = make_source(database), make_source(database, title="News")
    work.claim(Stage.FETCH, 2, ME, NOW)
    job = work.start(Stage.FETCH, first, ME, NOW)
    assert job is not None

    _, next_job = work.settle_and_start(job, ME, Settlement("IDLE", LATER, 0, 0), second, NOW)

    assert next_job is not None
    assert "News" in next_job.row
