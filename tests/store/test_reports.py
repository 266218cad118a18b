"""Reports and their deliveries as their reader sees them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from morningdeck.errors import NotFoundError
from morningdeck.model.sending import Rendered
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import deliveries, report_items, report_texts
from morningdeck.store.views.reports import Reports
from morningdeck.store.views.retention import Keep, Retention
from tests.conftest import NOW
from tests.factories import Stock, make


@pytest.fixture
def reports(database: Database) -> Reports:
    return Reports(database)


@pytest.fixture
def report(stock: Stock, database: Database, ada: int) -> int:
    report_id = stock.report(stock.briefing(ada))
    shown = [
        {"report_id": report_id, "position": number, "title": f"No {number}", "also_in": ["B"]}
        for number in (2, 1)
    ]
    sent = {"report_id": report_id, "channel": "folder", "address": "folder"}
    with database.write() as connection:
        connection.execute(insert(report_items), shown)
        connection.execute(
            insert(deliveries).values(
                **sent, status="SENT", content=b"mail", reply="a.eml", started_at=NOW
            )
        )
        connection.execute(
            insert(report_texts).values(report_id=report_id, text="text", html="page")
        )
    return report_id


def test_a_report_is_shown_with_its_items_in_order_and_its_deliveries(
    reports: Reports, ada: int, report: int
) -> None:
    view = reports.show(ada, report)

    assert (view.id, view.slot, view.status, view.subject) == (
        report,
        "2026-11-18",
        "GENERATED",
        "News",
    )
    assert [(item.position, item.title, item.also_in) for item in view.items] == [
        (1, "No 1", ("B",)),
        (2, "No 2", ("B",)),
    ]
    assert [(sent.channel, sent.state, sent.reply) for sent in view.deliveries] == [
        ("folder", "SENT", "a.eml")
    ]


def test_a_report_reads_as_it_was_sent_as_long_as_a_mail_of_it_is_kept(
    database: Database, reports: Reports, ada: int, report: int
) -> None:
    another = {"channel": "smtp", "address": "ada@a.example", "content": b"mail"}
    delivery = make(database, deliveries, report_id=report, **another)
    retention, week = Retention(database), Keep(delivery_bytes=timedelta(days=7))

    retention.apply(week, NOW + timedelta(days=8))
    assert reports.rendered(ada, report) == Rendered("News", "text", "page")

    with database.write() as connection:
        sent = update(deliveries).where(deliveries.c.id == delivery)
        connection.execute(sent.values(status="SENT", started_at=NOW))
    retention.apply(week, NOW + timedelta(days=8))
    assert reports.rendered(ada, report) is None


def test_lists_start_with_the_newest_and_can_be_of_one_briefing(
    reports: Reports, stock: Stock, ada: int, report: int
) -> None:
    other = stock.briefing(ada)
    newer = stock.report(other)

    assert [view.id for view in reports.list(ada)] == [newer, report]
    assert [view.id for view in reports.list(ada, limit=1)] == [newer]
    assert [view.id for view in reports.list(ada, briefing_id=other)] == [newer]


def test_the_reports_of_others_are_not_there(
    reports: Reports, ada: int, bob: int, report: int
) -> None:
    briefing_id = reports.show(ada, report).briefing_id
    calls = (
        lambda: reports.show(bob, report),
        lambda: reports.rendered(bob, report),
        lambda: reports.list(bob, briefing_id=briefing_id),
    )

    for call in calls:
        with pytest.raises(NotFoundError):
            call()
    assert reports.list(bob) == ()
