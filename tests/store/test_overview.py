"""How it runs, in numbers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert

from morningdeck.store.database.connect import Database
from morningdeck.store.queue.incarnations import Incarnations
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.tables.briefs import briefings, deliveries
from morningdeck.store.tables.news import sources
from morningdeck.store.tables.running import notices
from morningdeck.store.views.overview import Overview
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.views.running import NextBriefing, Outlook, QueueView
from morningdeck.work import LIFECYCLES, Stage
from tests.conftest import NOW
from tests.factories import Stock


@pytest.fixture
def overview(database: Database) -> Overview:
    return Overview(database)


def look(overview: Overview, stage: Stage) -> QueueView:
    return overview.queue(stage, NOW, capacity=100, workers=4)


def test_an_empty_database_names_every_status(overview: Overview) -> None:
    stats = overview.queue_stats()

    assert stats.processing == dict.fromkeys(LIFECYCLES[Stage.PROCESSING].statuses, 0)
    assert stats.fetch == {"IDLE": 0, "QUEUED": 0, "FETCHING": 0}
    assert stats.briefing == {"ACTIVE": 0, "QUEUED": 0, "PROCESSING": 0}
    assert set(stats.deliveries) == {"PENDING", "RETRY", "SENDING", "SENT", "REFUSED", "UNKNOWN"}


def test_stats_count_every_item_once_wherever_it_waits(
    overview: Overview, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    for due_at in (None, NOW + timedelta(minutes=5), PARKED):
        stock.item(source, status="NEW", due_at=due_at)
    for status in ("PENDING", "PROCESSING", "DONE", "DONE", "ERROR", "CANCELLED"):
        stock.item(source, status=status)

    assert overview.queue_stats().processing == {
        "NEW": 3,
        "PENDING": 1,
        "PROCESSING": 1,
        "DONE": 2,
        "ERROR": 1,
        "CANCELLED": 1,
    }


def test_the_processing_queue_counts_what_waits_but_not_what_is_parked(
    overview: Overview, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    stock.item(source, status="NEW", first_seen_at=NOW - timedelta(seconds=90))
    stock.item(source, status="NEW", turn=1, first_seen_at=NOW - timedelta(seconds=30))
    stock.item(source, status="NEW", due_at=NOW + timedelta(minutes=5))
    stock.item(source, status="NEW", due_at=PARKED)
    for status in ("PENDING", "PENDING", "PROCESSING", "ERROR", "DONE"):
        stock.item(source, status=status)

    assert look(overview, Stage.PROCESSING) == QueueView(
        waiting=3,
        queued=2,
        running=1,
        failed=1,
        oldest_waiting_seconds=90,
        capacity=100,
        workers=4,
    )


def test_the_fetch_queue_counts_what_is_due_and_wanted(
    overview: Overview, stock: Stock, ada: int
) -> None:
    due, later, unwanted, failing, running = (
        stock.source(ada, f"https://example.org/{number}") for number in range(5)
    )
    stock.set(sources, due, due_at=NOW - timedelta(seconds=40))
    stock.set(sources, later, due_at=NOW + timedelta(seconds=40))
    stock.set(sources, unwanted, wanted=False)
    stock.set(sources, failing, failures=5, health="degraded", due_at=NOW + timedelta(days=1))
    stock.set(sources, running, status="FETCHING")

    view = look(overview, Stage.FETCH)

    assert (view.waiting, view.queued, view.running, view.failed) == (1, 0, 1, 1)
    assert view.oldest_waiting_seconds == 40


def test_the_briefing_queue_counts_what_is_due(overview: Overview, stock: Stock, ada: int) -> None:
    due, paused, failed, _later = (stock.briefing(ada) for _ in range(4))
    stock.set(briefings, due, due_at=NOW)
    stock.set(briefings, paused, due_at=NOW, paused=True)
    stock.set(briefings, failed, failures=1)

    view = look(overview, Stage.BRIEFING)

    assert (view.waiting, view.failed, view.oldest_waiting_seconds) == (1, 1, 0)


def test_nothing_that_waits_has_no_age(overview: Overview) -> None:
    for stage in (Stage.FETCH, Stage.PROCESSING, Stage.BRIEFING):
        assert look(overview, stage).oldest_waiting_seconds is None


def test_deliveries_and_the_search_outbox_are_counted(
    overview: Overview, stock: Stock, database: Database, ada: int
) -> None:
    report = stock.report(stock.briefing(ada))
    stock.item(stock.source(ada), search_mark=3)
    with database.write() as connection:
        for address, state in (("a", "SENT"), ("b", "SENT"), ("c", "UNKNOWN")):
            connection.execute(
                insert(deliveries).values(
                    report_id=report, channel="smtp", address=address, status=state
                )
            )

    states = overview.deliveries()

    assert (states["SENT"], states["UNKNOWN"], states["PENDING"]) == (2, 1, 0)
    waiting, age = overview.search_waiting(datetime.now(UTC) + timedelta(seconds=60))
    assert waiting == 1
    assert age in range(50, 61)


def test_a_reader_is_told_what_concerns_him_as_long_as_it_does(
    overview: Overview, database: Database, ada: int, bob: int
) -> None:
    told = [
        {"user_id": ada, "kind": "k", "subject": "1", "text": "hers", "ended_at": None},
        {"user_id": bob, "kind": "k", "subject": "2", "text": "his", "ended_at": None},
        {"user_id": ada, "kind": "k", "subject": "3", "text": "over", "ended_at": NOW},
    ]
    with database.write() as connection:
        connection.execute(insert(notices), told)

    assert overview.notices(ada) == ("hers",)


def test_an_outlook_counts_what_its_reader_has(
    overview: Overview, stock: Stock, database: Database, ada: int, bob: int
) -> None:
    well, broken, paused = (stock.source(ada, f"https://{name}.example/") for name in "abc")
    stock.set(sources, broken, health="degraded", due_at=NOW + timedelta(hours=1))
    stock.set(sources, well, due_at=NOW + timedelta(minutes=5))
    Subscriptions(database).pause(ada, paused)
    stock.item(stock.source(bob, "https://bob.example/"))
    stock.item(well, first_seen_at=NOW - timedelta(days=1))
    stock.item(broken)
    stock.briefing(ada, title="Later", channels=("smtp",), recipients=("a@x.example",))
    first = stock.briefing(ada, title="First")
    stock.set(briefings, first, next_run_at=NOW)

    outlook = overview.outlook(ada, NOW - timedelta(hours=7))

    assert (outlook.sources, outlook.sources_paused, outlook.sources_in_trouble) == (2, 1, 1)
    assert (outlook.items_today, outlook.briefings) == (1, 2)
    assert outlook.next_fetch_at == NOW + timedelta(minutes=5)
    assert outlook.next_briefing == NextBriefing(first, "First", NOW, ("folder",), ())


def test_a_reader_without_anything_has_an_empty_outlook(overview: Overview, ada: int) -> None:
    assert overview.outlook(ada, NOW) == Outlook(0, 0, 0, 0, 0)


def test_an_outlook_knows_when_a_daemon_ended_last(
    overview: Overview, database: Database, ada: int
) -> None:
    lived = Incarnations(database, lease=timedelta(seconds=90))
    for node, kind in (("n/0", "daemon"), ("n/1", "daemon"), ("n/2", "command")):
        lived.join(node=node, incarnation=node, kind=kind, pid=1, version="1", now=NOW)
    lived.leave("n/0", NOW + timedelta(minutes=1))
    lived.leave("n/2", NOW + timedelta(minutes=2))

    assert overview.outlook(ada, NOW).last_run_at == NOW + timedelta(minutes=1)
