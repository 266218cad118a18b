"""What a briefing cannot weigh yet: sources not read yet, items without a score for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, exists, func, or_, select

from morningdeck.model.weighing import Scope
from morningdeck.store.expressions.briefings import takes, with_sections
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.columns import among
from morningdeck.store.tables.news import items, sources, subscriptions
from morningdeck.work import Stage

SCORED = exists().where(
    item_scores.c.item_id == items.c.id,
    item_scores.c.briefing_id == briefings.c.id,
    item_scores.c.criteria_version == briefings.c.criteria_version,
)
WAITS = or_(
    among(items.c.status, "NEW", "PENDING", "PROCESSING"),
    and_(among(items.c.status, "DONE"), items.c.rescore),
)
WANTED = sources.c.wanted
TABLES: dict[Stage, Table] = {Stage.FETCH: sources, Stage.PROCESSING: items}


class Expected(Repository):
    def count(self, stage: Stage, of: Scope) -> int:
        query = select(func.count()).select_from(_ids(stage, of).subquery())
        return self._scalar(query) or 0

    def due(self, stage: Stage, of: Scope, now: datetime, limit: int) -> Sequence[int]:
        """The rows that can be claimed now, the newest first."""
        table = TABLES[stage]
        waits = among(table.c.status, "IDLE", "NEW", "DONE")
        query = _ids(stage, of).where(waits, _by(table, now)).order_by(table.c.id.desc())
        return self._column(query.limit(limit))

    def overdue(self, of: Scope, now: datetime, limit: int) -> Sequence[int]:
        """The sources that were read before and are due again, the longest first."""
        read = and_(sources.c.last_fetched_at.is_not(None), sources.c.due_at <= now)
        query = _of_briefing(select(sources.c.id, sources.c.due_at), of).where(WANTED, read)
        return self._column(query.order_by(sources.c.due_at).limit(limit))

    def put_off(self, of: Scope, now: datetime, limit: int) -> Sequence[int]:
        """The items that have not failed and are told to wait, as for a model, the newest first."""
        waits = and_(among(items.c.status, "NEW", "DONE"), items.c.due_at > now)
        query = _ids(Stage.PROCESSING, of).where(waits, items.c.failures == 0)
        return self._column(query.order_by(items.c.id.desc()).limit(limit))

    def any_soon(self, stage: Stage, of: Scope, now: datetime, until: datetime) -> bool:
        """Will one row probably be done by `until`? Rows that have failed do not count, nor rows
        held by a process that is gone.
        """
        table = TABLES[stage]
        waits = and_(among(table.c.status, "IDLE", "NEW", "DONE"), _by(table, until))
        soon = and_(table.c.failures == 0, or_(table.c.lease_until >= now, waits))
        return bool(self._scalar(_ids(stage, of).where(soon).limit(1)))


def _by(table: Table, time: datetime) -> ColumnElement[bool]:
    return or_(table.c.due_at.is_(None), table.c.due_at <= time)


def _ids(stage: Stage, of: Scope) -> Select[Any]:
    if stage is Stage.FETCH:
        return _of_briefing(select(sources.c.id), of).where(WANTED, _unread(of))
    of_sources = items.join(sources, sources.c.id == items.c.source_id)
    unscored = and_(items.c.first_seen_at > of.since, WAITS, ~SCORED)
    return _of_briefing(select(items.c.id).select_from(of_sources), of).where(unscored)


def _unread(of: Scope) -> ColumnElement[bool]:
    never = sources.c.last_fetched_at.is_(None)
    if of.asked_at is None:
        return never
    overdue = and_(sources.c.id.in_(of.overdue), sources.c.last_fetched_at < of.asked_at)
    return or_(never, overdue)


def _of_briefing(query: Select[Any], of: Scope) -> Select[Any]:
    """Of the sources that it takes, none twice."""
    return (
        query.join(subscriptions, subscriptions.c.source_id == sources.c.id)
        .join(briefings, briefings.c.user_id == subscriptions.c.user_id)
        .where(with_sections(of.briefing_id), takes())
        .distinct()
    )
