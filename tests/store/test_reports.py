"""Reports and their deliveries as their reader sees them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from morningdeck.errors import NotFoundError
from morningdeck.model.sending import (
    Movement,
    PassedOver,
    Rendered,
    Report,
    ReportItem,
    Teller,
    Undelivered,
    WhyNot,
    Written,
)
from morningdeck.store.database.connect import Database
from morningdeck.store.results.written import save_written
from morningdeck.store.tables.briefs import deliveries, report_items, report_texts
from morningdeck.store.tables.briefs import reports as report_rows
from morningdeck.store.views.reports import Reports
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.work import Job, Stage
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


def test_a_report_is_read_back_as_it_was_written(
    database: Database, stock: Stock, reports: Reports, ada: int
) -> None:
    briefing = stock.briefing(ada, title="Weekly")
    place = ReportItem(
        position=1,
        item_id=4,
        title="Harbour opens",
        url="https://news.example/4",
        summary="It opens.",
        score=80,
        reason="ships",
        source_title="News",
        published_at=NOW,
        also_in=(Teller("Post", "https://post.example/4"), Teller("Times")),
        topics=("Harbour",),
        section="Ships",
        language="de",
        minutes=4,
        private=True,
        told=True,
        update="A second pier opens.",
        update_since=NOW - timedelta(days=1),
    )
    report = Report(
        id=make(database, report_rows, briefing_id=briefing, slot="2026-W47"),
        briefing_id=briefing,
        briefing_title="Weekly",
        slot="2026-W47",
        subject="Ships",
        overview="Ships [1].",
        generated_at=NOW,
        timezone="Europe/Paris",
        language=None,
        weighed=9,
        items=(place, replace(place, position=2, section="", missed=True)),
        weekly=True,
        broken_sources=("Old",),
        moved=(Movement("Ships", 4, 1),),
        left_out={WhyNot.OFF_SUBJECT: 7},
        undelivered=(Undelivered(3, "2026-11-11", "Piers"),),
    )
    passed = PassedOver(1, 5, "Car", None, "News", 39, WhyNot.OFF_SUBJECT)
    with database.write() as connection:
        written = Written(report, passed_over=(passed,), next_run_at=NOW)
        save_written(connection, Job(Stage.BRIEFING, briefing, 1), written, NOW)

    assert reports.load(ada, report.id) == report
    assert reports.left_out(ada, report.id).passed_over == (passed,)
    assert [section.title for section in report.sections] == ["Ships"]
    assert (report.missed, reports.show(ada, report.id).moved) == (report.items[1:], report.moved)


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


def test_headings_are_of_what_is_written_the_newest_first(
    reports: Reports, stock: Stock, ada: int, bob: int
) -> None:
    briefing = stock.briefing(ada)
    earlier, later = (stock.report(briefing, f"2026-11-{day}") for day in (17, 18))
    for number, report_id in enumerate((earlier, later)):
        at = NOW + timedelta(hours=number)
        stock.set(report_rows, report_id, status="GENERATED", generated_at=at)
    stock.report(briefing, "2026-11-19")  # begun, not written

    assert [one.id for one in reports.headings(ada)] == [later, earlier]
    before = reports.headings(ada, before=later, briefing_id=briefing)
    assert [one.id for one in before] == [earlier]
    assert reports.headings(bob) == ()
