"""What a briefing cannot weigh yet: sources never read, items without a score for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, exists, func, or_, select

from morningdeck.model.sending import Scope
from morningdeck.store.expressions.briefings import takes
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
        unread = and_(sources.c.wanted, sources.c.last_fetched_at.is_(None))
        query = select(sources.c.id).select_from(sources).where(unread)
    else:
        query = (
            select(items.c.id)
            .select_from(items.join(sources, sources.c.id == items.c.source_id))
            .where(items.c.first_seen_at > of.since, WAITS, ~SCORED)
        )
    return (
        query.join(subscriptions, subscriptions.c.source_id == sources.c.id)
        .join(briefings, briefings.c.user_id == subscriptions.c.user_id)
        .where(briefings.c.id == of.briefing_id, takes())
    )
