"""How the deck runs, in numbers: queues and their ages, failures, deliveries, notices.

Counts go through partial indexes, and those of a look (`queue`) only up to a cap, so
that both stay cheap with a million items.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, case, func, or_, select

from morningdeck.discreet import said
from morningdeck.model.kinds import Health, SourceType
from morningdeck.store.expressions.briefings import whole
from morningdeck.store.expressions.repository import Repository, count_up_to
from morningdeck.store.expressions.visibility import sources_of_reader
from morningdeck.store.queue.stages import PARKED, STAGES
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.columns import among
from morningdeck.store.tables.news import (
    dead_letter,
    in_line,
    items,
    search_gone,
    sources,
    subscriptions,
)
from morningdeck.store.tables.running import notices, processes
from morningdeck.views.running import NextBriefing, Outlook, QueueStatsView, QueueView
from morningdeck.work import LIFECYCLES, Stage

CAP = 10_001
HAS_FAILED: dict[Stage, ColumnElement[bool]] = {
    Stage.FETCH: or_(sources.c.health == "degraded", sources.c.failures >= 5),
    Stage.PROCESSING: dead_letter,
    Stage.BRIEFING: briefings.c.failures > 0,
}

NEXT_BRIEFING = (
    briefings.c.id,
    briefings.c.title,
    briefings.c.next_run_at,
    briefings.c.channels,
    briefings.c.recipients,
)


class Overview(Repository):
    def queue(self, stage: Stage, now: datetime, *, capacity: int, workers: int) -> QueueView:
        """How many rows of this stage wait, are held, and have failed."""
        states = LIFECYCLES[stage]
        with self._database.read() as connection:

            def count(*which: ColumnElement[bool]) -> int:
                queries = (select(STAGES[stage].table.c.id).where(one) for one in which)
                return min(CAP, sum(count_up_to(CAP, connection, query) for query in queries))

            oldest = _oldest(connection, stage, now)
            age = None if oldest is None else max(0, int((now - oldest).total_seconds()))
            return QueueView(
                waiting=count(*_waiting(stage, now)),
                queued=count(_held(stage, states.queued)),
                running=count(_held(stage, states.running)),
                failed=count(HAS_FAILED[stage]),
                oldest_waiting_seconds=age,
                capacity=capacity,
                workers=workers,
            )

    def queue_stats(self) -> QueueStatsView:
        """Exact, and every status is named."""
        with self._database.read() as connection:
            return QueueStatsView(
                fetch=_by_status(connection, Stage.FETCH),
                processing=_items_by_status(connection),
                briefing=_by_status(connection, Stage.BRIEFING),
                deliveries=_by_status(connection, Stage.DELIVERY),
            )

    def deliveries(self) -> dict[str, int]:
        with self._database.read() as connection:
            return _by_status(connection, Stage.DELIVERY)

    def items_and_stories(self, user_id: int) -> tuple[int, int]:
        """How many enriched items the reader's sources brought, and how many stories they tell."""
        query = select(func.count(), func.count(func.distinct(items.c.story_id))).where(
            items.c.source_id.in_(sources_of_reader(user_id)), items.c.enriched_by.is_not(None)
        )
        ((count, stories),) = self._rows(query)
        return count, stories

    def search_waiting(self, now: datetime) -> tuple[int, int | None]:
        """Items whose last change, or end, the search server has not been told yet; and for how
        many seconds the first of them has been as it is.
        """
        marked = select(items.c.id).where(items.c.search_mark > 0)
        gone = select(search_gone.c.item_id)
        first = marked.with_only_columns(items.c.updated_at).order_by(items.c.id).limit(CAP)
        since = select(func.min(first.subquery().c.updated_at))
        with self._database.read() as connection:
            count = count_up_to(CAP, connection, marked) + count_up_to(CAP, connection, gone)
            oldest: datetime | None = connection.scalar(since)
        age = None if oldest is None else max(0, int((now - oldest).total_seconds()))
        return min(CAP, count), age

    def outlook(self, user_id: int, midnight: datetime) -> Outlook:
        """How the reader's deck stands; `midnight` is when the reader's day began."""
        today = select(func.count()).where(
            items.c.first_seen_at >= midnight, items.c.source_id.in_(sources_of_reader(user_id))
        )
        active = and_(briefings.c.user_id == user_id, ~briefings.c.paused, whole())
        count = select(func.count()).select_from(briefings).where(active)
        ended = select(func.max(processes.c.ended_at)).where(processes.c.kind == "daemon")
        following = select(*NEXT_BRIEFING).where(active, briefings.c.next_run_at.is_not(None))
        with self._database.read() as connection:
            row = connection.execute(_sources_of(user_id)).one()
            first = connection.execute(following.order_by(briefings.c.next_run_at).limit(1)).first()
            return Outlook(
                sources=row.awake,
                sources_paused=row.paused,
                sources_in_trouble=row.trouble,
                items_today=connection.scalar(today) or 0,
                briefings=connection.scalar(count) or 0,
                next_fetch_at=row.next_fetch_at,
                next_briefing=None if first is None else _coming(*first),
                last_run_at=connection.scalar(ended),
            )

    def notices(self, user_id: int) -> tuple[str, ...]:
        """What the reader must know."""
        query = (
            select(notices.c.text)
            .where(notices.c.user_id == user_id, notices.c.ended_at.is_(None))
            .order_by(notices.c.id)
        )
        return self._column(query)


def _coming(
    id: int, title: str, at: datetime, channels: tuple[str, ...], recipients: tuple[str, ...]
) -> NextBriefing:
    return NextBriefing(id, title, at, channels, tuple(map(said, recipients)))


def _sources_of(user_id: int) -> Select[int, int, int, Any]:
    """One row; the pages that the reader saved by hand are no source."""
    awake = ~subscriptions.c.paused
    trouble = and_(awake, sources.c.health.in_((Health.DEGRADED, Health.GONE)))
    due_at = case((and_(awake, sources.c.wanted), sources.c.due_at))
    return (
        select(
            func.count(case((awake, 1))).label("awake"),
            func.count(case((~awake, 1))).label("paused"),
            func.count(case((trouble, 1))).label("trouble"),
            func.min(due_at).label("next_fetch_at"),
        )
        .select_from(subscriptions.join(sources))
        .where(subscriptions.c.user_id == user_id, sources.c.type != SourceType.SAVED.value)
    )


def _waiting(stage: Stage, now: datetime) -> tuple[ColumnElement[bool], ...]:
    if stage is Stage.PROCESSING:
        return in_line, and_(among(items.c.status, "NEW"), items.c.due_at < PARKED)
    return tuple(order.due(now) for order in STAGES[stage].orders)


def _held(stage: Stage, status: str | None) -> ColumnElement[bool]:
    of = STAGES[stage].table.c.status
    return and_(among(of, *LIFECYCLES[stage].held), of == status)


def _oldest(connection: Connection, stage: Stage, now: datetime) -> datetime | None:
    """Since when the oldest of the rows that can be claimed now has been waiting."""
    if stage is not Stage.PROCESSING:
        of = STAGES[stage]
        query = select(func.min(of.table.c.due_at)).where(of.orders[0].due(now))
    else:
        # only the first in each source's line, as reading a million rows would take too long
        first = (
            select(items.c.first_seen_at)
            .where(items.c.source_id == sources.c.id, in_line)
            .order_by(items.c.turn)
            .limit(1)
        )
        query = select(func.min(first.scalar_subquery())).select_from(sources)
    oldest: datetime | None = connection.scalar(query)
    return oldest


def _by_status(connection: Connection, stage: Stage) -> dict[str, int]:
    status = STAGES[stage].table.c.status
    counts = dict.fromkeys(LIFECYCLES[stage].statuses, 0)
    query = select(status, func.count()).group_by(status)
    if stage is Stage.BRIEFING:
        query = query.where(whole())  # a section is never due
    for name, count in connection.execute(query):
        counts[name] = count
    return counts


def _items_by_status(connection: Connection) -> dict[str, int]:
    """DONE, which nearly all items are, is the total less the others: only those are counted."""
    counted = select(func.count()).select_from(items)

    def count(*which: ColumnElement[bool]) -> int:
        return sum(connection.scalar(counted.where(one)) or 0 for one in which)

    counts = dict.fromkeys(LIFECYCLES[Stage.PROCESSING].statuses, 0)
    later = and_(among(items.c.status, "NEW"), items.c.due_at.is_not(None))
    counts["NEW"] = count(in_line, later)
    for name in ("ERROR", "CANCELLED"):
        counts[name] = count(among(items.c.status, name))
    for name in LIFECYCLES[Stage.PROCESSING].held:
        counts[name] = count(_held(Stage.PROCESSING, name))
    counts["DONE"] = max(0, (connection.scalar(counted) or 0) - sum(counts.values()))
    return counts
