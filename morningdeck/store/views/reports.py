"""Reports and their deliveries as their reader sees them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, Subquery, func, select

from morningdeck.errors import NotFoundError
from morningdeck.model import Rendered, Report, ReportItem
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.from_rows import made_of
from morningdeck.store.expressions.visibility import briefings_of_reader, check_briefing
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    report_items,
    report_texts,
    reports,
)
from morningdeck.views import DeliveryView, ReportItemView, ReportView

NEWEST_FIRST = (
    func.coalesce(reports.c.generated_at, reports.c.created_at).desc(),
    reports.c.id.desc(),
)


class Reports:
    def __init__(self, database: Database) -> None:
        self._database = database

    def list(
        self, user_id: int, *, briefing_id: int | None = None, limit: int = 50
    ) -> tuple[ReportView, ...]:
        page = _his(user_id).order_by(*NEWEST_FIRST).limit(limit)
        if briefing_id is not None:
            page = page.where(reports.c.briefing_id == briefing_id)
        with self._database.read() as connection:
            if briefing_id is not None:
                check_briefing(connection, user_id, briefing_id)
            return _views(connection, page.subquery())

    def show(self, user_id: int, report_id: int) -> ReportView:
        page = _his(user_id).where(reports.c.id == report_id)
        with self._database.read() as connection:
            views = _views(connection, page.subquery())
        if not views:
            raise NotFoundError(f"there is no report {report_id}")
        return views[0]

    def load(self, user_id: int, report_id: int) -> Report:
        """The report as written, from its snapshots, which are kept longer than its mails."""
        named = (briefings.c.title.label("briefing_title"), briefings.c.timezone)
        query = (
            select(reports, *named, briefings.c.language, briefings.c.frequency)
            .join(briefings)
            .where(reports.c.id == report_id, briefings.c.user_id == user_id)
        )
        chosen = select(report_items).where(report_items.c.report_id == report_id)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
            if row is None:
                raise NotFoundError(f"there is no report {report_id}")
            shown = connection.execute(chosen.order_by(report_items.c.position)).all()
        return _report(row, tuple(map(_snapshot, shown)))

    def rendered(self, user_id: int, report_id: int) -> Rendered | None:
        """What its mails were made from, as long as they are kept; None afterwards, and when
        it was sent to nobody.
        """
        query = (
            _his(user_id)
            .with_only_columns(reports.c.subject, report_texts.c.text, report_texts.c.html)
            .outerjoin(report_texts)
            .where(reports.c.id == report_id)
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFoundError(f"there is no report {report_id}")
        return None if row.html is None else Rendered(row.subject, row.text, row.html)


def _his(user_id: int) -> Select[int]:
    return select(reports.c.id).where(reports.c.briefing_id.in_(briefings_of_reader(user_id)))


def _views(connection: Connection, page: Subquery) -> tuple[ReportView, ...]:
    query = select(reports).join(page, page.c.id == reports.c.id).order_by(*NEWEST_FIRST)
    rows = connection.execute(query).all()
    shown: dict[int, list[ReportItemView]] = {row.id: [] for row in rows}
    sent: dict[int, list[DeliveryView]] = {row.id: [] for row in rows}
    chosen = select(report_items).join(page, page.c.id == report_items.c.report_id)
    for row in connection.execute(chosen.order_by(report_items.c.position)):
        shown[row.report_id].append(_item(row))
    # without the bytes of the mails, which may be large
    columns = [column for column in deliveries.c if column is not deliveries.c.content]
    made = select(*columns).join(page, page.c.id == deliveries.c.report_id)
    for row in connection.execute(made.order_by(deliveries.c.id)):
        sent[row.report_id].append(_delivery(row))
    return tuple(_view(row, shown[row.id], sent[row.id]) for row in rows)


def _report(row: Row[Any], items: tuple[ReportItem, ...]) -> Report:
    return made_of(
        row,
        Report,
        generated_at=row.generated_at or row.created_at,
        items=items,
        weekly=row.frequency == "WEEKLY",
        broken_sources=(),
    )


def _snapshot(row: Row[Any]) -> ReportItem:
    return made_of(row, ReportItem, item_id=row.item_id or 0)


def _item(row: Row[Any]) -> ReportItemView:
    return made_of(row, ReportItemView, source=row.source_title)


def _delivery(row: Row[Any]) -> DeliveryView:
    return made_of(row, DeliveryView, state=row.status, error=row.last_error)


def _view(row: Row[Any], shown: list[ReportItemView], sent: list[DeliveryView]) -> ReportView:
    return made_of(
        row, ReportView, summary=row.overview, items=tuple(shown), deliveries=tuple(sent)
    )
