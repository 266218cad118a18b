"""Reports and their deliveries as their reader sees them."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Subquery, and_, func, select

from morningdeck.discreet import said
from morningdeck.model.sending import PassedOver, Rendered, Report, ReportItem, WhyNot
from morningdeck.store.expressions.places import below
from morningdeck.store.expressions.repository import Repository, found, grouped, made_of
from morningdeck.store.expressions.visibility import briefings_of_reader, check_briefing
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    report_items,
    report_passed_over,
    report_texts,
    reports,
)
from morningdeck.views.sent import (
    DeliveryView,
    HeadingView,
    LeftOutView,
    ListedDelivery,
    ReportItemView,
    ReportView,
)

WRITTEN_AT = func.coalesce(reports.c.generated_at, reports.c.created_at)
NEWEST_FIRST = (WRITTEN_AT.desc(), reports.c.id.desc())


class Reports(Repository):
    def list(
        self,
        user_id: int,
        *,
        briefing_id: int | None = None,
        limit: int = 50,
        before: int | None = None,
    ) -> tuple[ReportView, ...]:
        """The newest first, beyond the last that was seen."""
        page = _newest(user_id, briefing_id, limit, before)
        with self._database.read() as connection:
            if briefing_id is not None:
                check_briefing(connection, user_id, briefing_id)
            return _views(connection, page.subquery())

    def headings(
        self,
        user_id: int,
        *,
        briefing_id: int | None = None,
        limit: int = 50,
        before: int | None = None,
    ) -> tuple[HeadingView, ...]:
        """As `list`, of reports that are written, without what stands in them."""
        page = _newest(user_id, briefing_id, limit, before)
        named = page.with_only_columns(*(reports.c[field.name] for field in fields(HeadingView)))
        rows = self._rows(named.where(reports.c.generated_at.is_not(None)))
        return tuple(made_of(row, HeadingView) for row in rows)

    def show(self, user_id: int, report_id: int) -> ReportView:
        page = _his(user_id).where(reports.c.id == report_id)
        with self._database.read() as connection:
            return found(_views(connection, page.subquery()), f"report {report_id}")

    def deliveries(
        self,
        user_id: int,
        limit: int,
        *,
        state: str | None = None,
        before: int | None = None,
    ) -> tuple[ListedDelivery, ...]:
        """Where all that goes, the newest first, beyond the last that was seen."""
        columns = [column for column in deliveries.c if column is not deliveries.c.content]
        query = (
            select(*columns)
            .where(deliveries.c.report_id.in_(_his(user_id)))
            .order_by(deliveries.c.id.desc())
            .limit(limit)
        )
        if state is not None:
            query = query.where(deliveries.c.status == state)
        if before is not None:
            query = query.where(deliveries.c.id < before)
        return tuple(
            made_of(
                row,
                ListedDelivery,
                address=said(row.address),
                state=row.status,
                error=row.last_error,
            )
            for row in self._rows(query)
        )

    def load(self, user_id: int, report_id: int) -> Report:
        """The report as written, from its snapshots, which are kept longer than its mails. What its
        mail said beside it, of notices and of the next run, is no part of them.
        """
        this = and_(reports.c.id == report_id, briefings.c.user_id == user_id)
        with self._database.read() as connection:
            return found(written(connection, this), f"report {report_id}")

    def left_out(self, user_id: int, report_id: int) -> LeftOutView:
        """The report with the best of what it passed over."""
        view = self.show(user_id, report_id)
        over = report_passed_over
        query = select(over).where(over.c.report_id == report_id).order_by(over.c.position)
        passed = tuple(
            made_of(row, PassedOver, item_id=row.item_id or 0, why=WhyNot(row.why))
            for row in self._rows(query)
        )
        return LeftOutView(
            **{one.name: getattr(view, one.name) for one in fields(view)}, passed_over=passed
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


def _delivery(row: Row[Any]) -> DeliveryView:
    """Of an address of the web its host is told: the rest of it is a secret."""
    address = said(row.address)
    return made_of(row, DeliveryView, address=address, state=row.status, error=row.last_error)


def _his(user_id: int) -> Select[int]:
    return select(reports.c.id).where(reports.c.briefing_id.in_(briefings_of_reader(user_id)))


def _newest(user_id: int, briefing_id: int | None, limit: int, before: int | None) -> Select[int]:
    page = _his(user_id).order_by(*NEWEST_FIRST).limit(limit)
    if briefing_id is not None:
        page = page.where(reports.c.briefing_id == briefing_id)
    if before is not None:
        page = page.where(below((WRITTEN_AT, reports.c.id), _place_of(before)))
    return page


def _place_of(report_id: int) -> tuple[ColumnElement[datetime], int]:
    """As the database has it: a time of its own making is no equal of ours. Nothing comes after a
    report that is gone.
    """
    other = reports.alias("other")
    at = func.coalesce(other.c.generated_at, other.c.created_at)
    return select(at).where(other.c.id == report_id).scalar_subquery(), report_id


def _item(row: Row[Any]) -> ReportItemView:
    names = tuple(teller.source for teller in row.also_in)
    return made_of(row, ReportItemView, source=row.source_title, also_in=names)


def _views(connection: Connection, page: Subquery) -> tuple[ReportView, ...]:
    query = select(reports).join(page, page.c.id == reports.c.id).order_by(*NEWEST_FIRST)
    rows = connection.execute(query).all()
    chosen = select(report_items).join(page, page.c.id == report_items.c.report_id)
    shown = grouped(
        (row.report_id, _item(row))
        for row in connection.execute(chosen.order_by(report_items.c.position))
    )
    # without the bytes of the mails, which may be large
    columns = [column for column in deliveries.c if column is not deliveries.c.content]
    made = select(*columns).join(page, page.c.id == deliveries.c.report_id)
    sent = grouped(
        (row.report_id, _delivery(row))
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


def written(connection: Connection, these: ColumnElement[bool], limit: int = 1) -> list[Report]:
    """From their snapshots, the newest first."""
    named = (briefings.c.title.label("briefing_title"), briefings.c.timezone)
    query = select(reports, *named, briefings.c.language).join(briefings).where(these)
    rows = connection.execute(query.order_by(*NEWEST_FIRST).limit(limit)).all()
    chosen = select(report_items).where(report_items.c.report_id.in_([row.id for row in rows]))
    shown = grouped(
        (row.report_id, made_of(row, ReportItem, item_id=row.item_id or 0))
        for row in connection.execute(chosen.order_by(report_items.c.position))
    )
    return [_as_written(row, shown.get(row.id, ())) for row in rows]


def _as_written(row: Row[Any], items: tuple[ReportItem, ...]) -> Report:
    return made_of(
        row,
        Report,
        generated_at=row.generated_at or row.created_at,
        items=items,
        left_out={WhyNot(why): count for why, count in row.left_out.items()},
        next_run_at=None,
        is_first=False,
        untold=(),
        picture=None,
        for_one=False,
    )
