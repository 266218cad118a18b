"""What has gone wrong for good is told once to those it concerns, as long as it is so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select

from morningdeck.model.kinds import Health, SourceType
from morningdeck.store.database.connect import Database
from morningdeck.store.notices.telling import MISSED_SLOT, tell
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.briefs import deliveries
from morningdeck.store.tables.news import items
from morningdeck.store.tables.running import notices
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.dead_letters import DeadLetters
from morningdeck.store.views.items import Items
from morningdeck.store.views.overview import Overview
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.store.views.saved_pages import SavedPages
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.work import Done, Failed, Job, Lost, Outcome, Stage
from tests.conftest import NOW
from tests.factories import Stock
from tests.settling import settled
from tests.store.making import keep_trouble
from tests.store.working import LATER, ME, started

GONE = Failed("404", permanent=True)


@pytest.fixture
def told(database: Database, ada: int, bob: int) -> Any:
    """The notices of each of the two."""
    overview = Overview(database)
    return lambda: (overview.notices(ada), overview.notices(bob))


def fail(work: SqlJobStore, stock: Stock, source: int, **values: Any) -> int:
    item = stock.item(source, **{"status": "NEW", "enriched_by": None, **values})
    job = started(work, item)
    assert work.settle(job, ME, settled(job, GONE), NOW)
    return item


def make_delivery(database: Database, report: int, address: str = "a@x") -> int:
    row = {"report_id": report, "channel": "smtp", "address": address, "content": b""}
    row["due_at"] = NOW
    with database.write() as connection:
        statement = insert(deliveries).values(row).returning(deliveries.c.id)
        return int(connection.scalars(statement).one())


def send(work: SqlJobStore, delivery: int, outcome: Outcome) -> None:
    job = work.start(Stage.DELIVERY, delivery, ME, NOW)
    assert job is not None
    assert work.settle(job, ME, settled(job, outcome), NOW)


# ---- dead letters


def test_a_dead_letter_is_told_to_the_readers_of_its_source(
    work: SqlJobStore, stock: Stock, told: Any, ada: int
) -> None:
    source = stock.source(ada, title="Gazette")
    fail(work, stock, source)
    fail(work, stock, source)

    (notice,), nothing = told()

    assert notice.startswith('Gazette: "Harbour opens" could not be read (404).')
    assert nothing == ()


def test_a_dead_letter_of_a_mailbox_without_a_name_is_of_its_host(
    work: SqlJobStore, stock: Stock, told: Any, ada: int
) -> None:
    address = "imap://me@mail.example/INBOX?from=news@b.example"
    fail(work, stock, stock.source(ada, url=address, type=SourceType.EMAIL))

    (notice,), _ = told()

    assert notice.startswith('mail.example: "Harbour opens" could not be read (404).')


def test_an_item_that_is_tried_again_is_no_trouble(
    work: SqlJobStore, stock: Stock, told: Any, ada: int
) -> None:
    item = stock.item(stock.source(ada), status="NEW", enriched_by=None)
    job = started(work, item)
    work.settle(job, ME, settled(job, Failed("timeout")), NOW)

    assert told() == ((), ())


def test_an_item_that_kills_its_worker_is_told_of(
    work: SqlJobStore, stock: Stock, told: Any, ada: int
) -> None:
    job = started(work, stock.item(stock.source(ada), status="NEW", losses=2))

    work.recover(Stage.PROCESSING, LATER, lambda lost: settled(lost, Lost()))

    assert job.losses == 2
    assert "lost 3 times" in told()[0][0]


def test_a_notice_ends_with_its_last_dead_letter_and_comes_again_with_the_next(
    database: Database, work: SqlJobStore, stock: Stock, told: Any, ada: int
) -> None:
    source = stock.source(ada)
    first, second = (fail(work, stock, source) for _ in range(2))

    Items(database).retry(ada, first)
    assert len(told()[0]) == 1
    DeadLetters(database).retry([second])
    assert told() == ((), ())

    fail(work, stock, source)
    assert len(told()[0]) == 1


@pytest.mark.parametrize("way", ["retried", "saved again"])
def test_a_single_dead_letter_ends_its_notice_however_it_is_brought_back(
    database: Database, work: SqlJobStore, told: Any, ada: int, way: str
) -> None:
    items, url = Items(database), "https://gazette.example/1"
    pages = SavedPages(database, Subscriptions(database), items)
    item = pages.add(ada, url, url, NOW).id
    job = started(work, item)
    work.settle(job, ME, settled(job, GONE), NOW)
    assert "404" in told()[0][0]

    if way == "retried":
        items.retry(ada, item)
    else:
        pages.add(ada, url, url, NOW)

    assert told() == ((), ())


def test_a_purge_ends_the_notice(
    database: Database, work: SqlJobStore, stock: Stock, told: Any, ada: int
) -> None:
    fail(work, stock, stock.source(ada))

    Retention(database).purge_dead_letters(LATER - NOW, LATER + (LATER - NOW))

    assert told() == ((), ())


def test_who_leaves_a_source_has_done_with_its_troubles(
    database: Database, work: SqlJobStore, stock: Stock, told: Any, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    assert stock.source(bob) == source
    fail(work, stock, source)

    Subscriptions(database).remove(ada, source)

    hers, his = told()
    assert (hers, len(his)) == ((), 1)


def test_who_leaves_a_broken_source_is_told_of_it_no_longer(
    database: Database, stock: Stock, told: Any, ada: int
) -> None:
    source = stock.source(ada)
    keep_trouble(database, source, Health.DEGRADED, "Gazette cannot be read")
    assert told() == (("Gazette cannot be read",), ())

    Subscriptions(database).remove(ada, source)

    assert told() == ((), ())


# ---- briefings


def test_a_briefing_that_could_not_be_written_is_told_of_until_it_is(
    work: SqlJobStore, stock: Stock, told: Any, ada: int
) -> None:
    briefing = stock.briefing(ada)

    def run(outcome: Outcome) -> None:
        assert work.claim_one(Stage.BRIEFING, briefing, ME, NOW)
        job = work.start(Stage.BRIEFING, briefing, ME, NOW)
        assert isinstance(job, Job)
        assert work.settle(job, ME, settled(job, outcome), NOW)

    run(Failed("timeout"))
    assert told() == ((), ())
    run(Failed("a bug", permanent=True))
    assert told()[0][0].startswith("Morning: could not be written (a bug).")
    run(Done(due_at=LATER))
    assert told() == ((), ())


def test_what_was_enriched_before_never_becomes_a_dead_letter(
    work: SqlJobStore, stock: Stock, told: Any, ada: int
) -> None:
    item = fail(work, stock, stock.source(ada), status="DONE", processed_at=NOW)

    assert stock.row(items, item).status == "DONE"
    assert told() == ((), ())


# ---- what has happened


def test_a_missed_run_is_told_for_a_week_and_then_forgotten(
    database: Database, stock: Stock, told: Any, ada: int
) -> None:
    missed = f"{stock.briefing(ada)}:2026-11-18"
    with database.write() as connection:
        tell(connection, [ada], MISSED_SLOT, missed, "Morning: 1 run missed")
    retention, began = Retention(database), datetime.now(UTC)

    retention.apply(Keep(), began + timedelta(days=6))
    assert told() == (("Morning: 1 run missed",), ())
    retention.apply(Keep(), began + timedelta(days=8))
    assert told() == ((), ())
    retention.apply(Keep(), began + timedelta(days=16))
    with database.read() as connection:
        assert connection.execute(select(notices)).all() == []


def test_a_missed_run_goes_with_its_briefing(
    database: Database, stock: Stock, told: Any, ada: int
) -> None:
    gone, kept = stock.briefing(ada), stock.briefing(ada)
    with database.write() as connection:
        for briefing in (gone, kept):
            tell(connection, [ada], MISSED_SLOT, f"{briefing}:2026-11-18", f"of {briefing}")

    Briefings(database).remove(ada, gone)

    assert told() == ((f"of {kept}",), ())
