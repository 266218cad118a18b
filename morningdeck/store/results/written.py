"""Saves what the run of a briefing has made: the report, which scores it weighed, deliveries;
and what became of a delivery.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Table, and_, select

from morningdeck import notice_texts
from morningdeck.model.sending import PassedOver, Receipt, Report, ReportItem, Written
from morningdeck.store.database.bulk import change, in_chunks, insert_new
from morningdeck.store.expressions.repository import grouped
from morningdeck.store.notices.pings import ping_after_writing
from morningdeck.store.notices.telling import MISSED_SLOT, tell
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    item_scores,
    report_items,
    report_passed_over,
    report_texts,
    reports,
)
from morningdeck.store.tables.running import notices
from morningdeck.store.tables.searches import search_hits
from morningdeck.work import Job

TRIED_FOR = {"DAILY": timedelta(hours=12), "WEEKLY": timedelta(hours=48)}
"""How long after its run a delivery is still worth trying."""


def save_written(connection: Connection, job: Job, written: Written, now: datetime) -> None:
    slot = written.slot or (written.missed[-1] if written.missed else None)
    values: dict[str, Any] = {"run_requested_at": None, "next_run_at": written.next_run_at}
    if slot is not None:
        values["last_slot"] = slot
    if written.report is not None:
        values["last_executed_at"] = now
    change(connection, briefings, briefings.c.id == job.id, **values)
    _save_missed(connection, job.id, written.missed)
    if written.report is not None:
        _save_report(connection, written, written.report)
        if not written.envelopes:
            ping_after_writing(connection, written.report.id, now)


def _save_missed(connection: Connection, briefing_id: int, missed: tuple[str, ...]) -> None:
    if not missed:
        return
    rows = [{"briefing_id": briefing_id, "slot": slot} for slot in missed]
    insert_new(connection, reports, rows, ("briefing_id", "slot"))
    # a run that was lost on the way has left its row as PENDING
    unwritten = and_(reports.c.briefing_id == briefing_id, reports.c.status == "PENDING")
    change(connection, reports, unwritten, reports.c.slot.in_(missed), status="SKIPPED")
    row = connection.execute(
        select(briefings.c.user_id, briefings.c.title).where(briefings.c.id == briefing_id)
    ).one()
    text = notice_texts.runs_missed(row.title, len(missed), missed[-1])
    tell(connection, [row.user_id], MISSED_SLOT, f"{briefing_id}:{missed[-1]}", text)


def _save_report(connection: Connection, written: Written, report: Report) -> None:
    change(
        connection,
        reports,
        reports.c.id == report.id,
        status="GENERATED",
        subject=report.subject,
        overview=report.overview,
        weighed=report.weighed,
        weekly=report.weekly,
        broken_sources=report.broken_sources,
        moved=report.moved,
        undelivered=report.undelivered,
        left_out={why.value: count for why, count in report.left_out.items()},
        generated_at=report.generated_at,
    )
    _keep(connection, report_items, report.id, report.items)
    _keep(connection, report_passed_over, report.id, written.passed_over)
    _mark(connection, written.weighed, report.id)
    _mark_found(connection, written.found, report.id)
    if written.rendered is not None:
        texts = {"text": written.rendered.text, "html": written.rendered.html}
        connection.execute(report_texts.insert().values(report_id=report.id, **texts))
    _save_envelopes(connection, written, report)
    if written.envelopes:
        told = notices.c.id.in_([one.notice_id for one in report.untold])
        change(connection, notices, told, mailed_at=report.generated_at)


def _mark(connection: Connection, weighed: Iterable[tuple[int, int]], report_id: int) -> None:
    """What it has weighed, chosen or not."""
    for wish_id, items_of_wish in grouped(weighed).items():
        for item_ids in in_chunks(items_of_wish):
            by_wish = item_scores.c.briefing_id == wish_id
            these = item_scores.c.item_id.in_(item_ids)
            change(connection, item_scores, by_wish, these, considered_in=report_id)


def _mark_found(connection: Connection, found: Iterable[tuple[int, int]], report_id: int) -> None:
    for search_id, item_ids in grouped(found).items():
        for some in in_chunks(item_ids):
            these = search_hits.c.item_id.in_(some)
            fresh = and_(search_hits.c.search_id == search_id, search_hits.c.report_id.is_(None))
            change(connection, search_hits, fresh, these, report_id=report_id)


def _keep(
    connection: Connection,
    table: Table,
    report_id: int,
    snapshots: Sequence[ReportItem | PassedOver],
) -> None:
    rows = [
        {"report_id": report_id}
        | {field.name: getattr(snapshot, field.name) for field in fields(snapshot)}
        for snapshot in snapshots
    ]
    if rows:
        connection.execute(table.insert(), rows)


def _save_envelopes(connection: Connection, written: Written, report: Report) -> None:
    worth = TRIED_FOR["WEEKLY" if report.weekly else "DAILY"]
    rows = [
        {
            "report_id": report.id,
            **asdict(envelope),
            "due_at": report.generated_at,
            "give_up_at": report.generated_at + worth,
        }
        for envelope in written.envelopes
    ]
    insert_new(connection, deliveries, rows, ("report_id", "channel", "address"))


def save_receipt(connection: Connection, job: Job, receipt: Receipt, now: datetime) -> None:
    """What the receiving side answered."""
    change(connection, deliveries, deliveries.c.id == job.id, reply=receipt.reply)
