"""Reports and their deliveries as their reader sees them."""

from __future__ import annotations

from sqlalchemy import Connection, Select, Subquery, func, select

from morningdeck.model.sending import Rendered, Report, ReportItem
from morningdeck.store.expressions.repository import Repository, found, grouped, made_of
from morningdeck.store.expressions.visibility import briefings_of_reader, check_briefing
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    report_items,
    report_texts,
    reports,
)
from morningdeck.views.sent import DeliveryView, ReportItemView, ReportView

NEWEST_FIRST = (
    func.coalesce(reports.c.generated_at, reports.c.created_at).desc(),
    reports.c.id.desc(),
)


class Reports(Repository):
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
            return found(_views(connection, page.subquery()), f"report {report_id}")

    def load(self, user_id: int, report_id: int) -> Report:
        """The report as written, from its snapshots, which are kept longer than its mails."""
        named = (briefings.c.title.label("briefing_title"), briefings.c.timezone)
        query = (
            select(reports, *named, briefings.c.language, briefings.c.frequency)
            .join(briefings)
            .where(reports.c.id == report_id, briefings.c.user_id == user_id)
        )
        chosen = select(report_items).where(report_items.c.report_id == report_id)
        row = found(self._rows(query), f"report {report_id}")
        shown = self._rows(chosen.order_by(report_items.c.position))
        return made_of(
            row,
            Report,
            generated_at=row.generated_at or row.created_at,
            items=tuple(made_of(one, ReportItem, item_id=one.item_id or 0) for one in shown),
            weekly=row.frequency == "WEEKLY",
            broken_sources=(),
        )

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
        row = found(self._rows(query), f"report {report_id}")
        return None if row.html is None else Rendered(row.subject, row.text, row.html)


def _his(user_id: int) -> Select[int]:
    return select(reports.c.id).where(reports.c.briefing_id.in_(briefings_of_reader(user_id)))


def _views(connection: Connection, page: Subquery) -> tuple[ReportView, ...]:
    query = select(reports).join(page, page.c.id == reports.c.id).order_by(*NEWEST_FIRST)
    rows = connection.execute(query).all()
    chosen = select(report_items).join(page, page.c.id == report_items.c.report_id)
    shown = grouped(
        (row.report_id, made_of(row, ReportItemView, source=row.source_title))
        for row in connection.execute(chosen.order_by(report_items.c.position))
    )
    # without the bytes of the mails, which may be large
    columns = [column for column in deliveries.c if column is not deliveries.c.content]
    made = select(*columns).join(page, page.c.id == deliveries.c.report_id)
    sent = grouped(
        (row.report_id, made_of(row, DeliveryView, state=row.status, error=row.last_error))
        for row in connection.execute(made.order_by(deliveries.c.id))
    )
    return tuple(
        made_of(
            row,
            ReportView,
            summary=row.overview,
            items=shown.get(row.id, ()),
            deliveries=sent.get(row.id, ()),
        )
        for row in rows
    )
