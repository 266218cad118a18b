"""Briefings as their verb sees them: what they ask for, and what there is to weigh."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, cast, func, select

from morningdeck.model.kinds import Health
from morningdeck.model.sending import Briefing, Candidate
from morningdeck.store.database.bulk import insert_new
from morningdeck.store.expressions.briefings import plan_of, takes
from morningdeck.store.expressions.repository import Repository, grouped, made_of, names_in
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.tables.briefs import briefings, item_scores, report_items, reports
from morningdeck.store.tables.columns import BigInt
from morningdeck.store.tables.news import items, sources, stories, subscriptions
from morningdeck.store.tables.people import users

MANUAL = "manual:"


class SqlBriefingRows(Repository):
    """The port `BriefingRows`."""

    def load(self, briefing_id: int) -> Briefing | None:
        query = (
            select(briefings, users.c.email.label("user_email"))
            .join(users)
            .where(briefings.c.id == briefing_id)
        )
        row = self._row(query)
        if row is None:
            return None
        manual = row.run_requested_at is not None
        return made_of(row, Briefing, plan=plan_of(row), manual=manual)

    def candidates(self, briefing: Briefing, since: datetime) -> tuple[Candidate, ...]:
        """Scores by its criteria of today that no report has weighed yet, of items first seen
        after `since`.
        """
        with self._database.read() as connection:
            shown = frozenset(connection.scalars(_shown_stories(briefing.id, since)))
            rows = connection.execute(_fresh_scores(briefing, since)).all()
        return tuple(
            made_of(
                row,
                Candidate,
                topics=names_in(row.tags)["topics"],
                story_shown=row.story_id in shown,
                is_leader=bool(row.is_leader),
            )
            for row in rows
        )

    def open_report(self, briefing_id: int, slot: str | None) -> int | None:
        """Make the slot's report row, once; None when it has been written already."""
        with self._database.write() as connection:
            name = slot or _manual_slot(connection, briefing_id)
            row = {"briefing_id": briefing_id, "slot": name}
            insert_new(connection, reports, [row], ("briefing_id", "slot"))
            return connection.scalar(
                select(reports.c.id).where(
                    reports.c.briefing_id == briefing_id,
                    reports.c.slot == name,
                    reports.c.status == "PENDING",
                )
            )

    def request_run(self, briefing_id: int, now: datetime) -> bool:
        """Ask for a manual run; False while the briefing is being written."""
        waits = and_(briefings.c.id == briefing_id, briefings.c.status == "ACTIVE")
        return self._change(briefings, waits, run_requested_at=now) == 1

    def last_report(self, briefing_id: int) -> int | None:
        query = select(func.max(reports.c.id)).where(
            reports.c.briefing_id == briefing_id, reports.c.status == "GENERATED"
        )
        return self._scalar(query)

    def also_in(
        self, user_id: int, story_ids: Collection[int]
    ) -> Mapping[int, tuple[tuple[int, str], ...]]:
        query = (
            select(items.c.story_id, sources.c.id, source_name())
            .distinct()
            .join(sources, sources.c.id == items.c.source_id)
            .join(subscriptions, subscriptions.c.source_id == sources.c.id)
            .where(
                items.c.story_id.in_(story_ids),
                subscriptions.c.user_id == user_id,
                ~subscriptions.c.paused,
            )
            .order_by(items.c.story_id, sources.c.id)
        )
        return grouped((row[0], (row[1], row[2])) for row in self._rows(query))

    def broken_sources(self, briefing_id: int) -> tuple[str, ...]:
        query = (
            select(source_name())
            .join(subscriptions, subscriptions.c.source_id == sources.c.id)
            .join(briefings, briefings.c.user_id == subscriptions.c.user_id)
            .where(
                briefings.c.id == briefing_id,
                takes(),
                sources.c.health.in_((Health.DEGRADED, Health.GONE)),
            )
            .order_by(source_name())
        )
        return self._column(query)


def _fresh_scores(briefing: Briefing, since: datetime) -> Select[Any]:
    return (
        select(
            items.c.id.label("item_id"),
            items.c.source_id,
            source_name().label("source_title"),
            items.c.story_id,
            items.c.title,
            items.c.url,
            items.c.summary,
            items.c.tags,
            items.c.published_at,
            items.c.first_seen_at,
            item_scores.c.score,
            item_scores.c.reason,
            (stories.c.representative_id == items.c.id).label("is_leader"),
        )
        .select_from(item_scores)
        .join(briefings, briefings.c.id == item_scores.c.briefing_id)
        .join(items, items.c.id == item_scores.c.item_id)
        .join(sources, sources.c.id == items.c.source_id)
        .outerjoin(stories, stories.c.id == items.c.story_id)
        .join(
            subscriptions,
            and_(
                subscriptions.c.source_id == sources.c.id,
                subscriptions.c.user_id == briefings.c.user_id,
            ),
        )
        .where(
            item_scores.c.briefing_id == briefing.id,
            item_scores.c.considered_in.is_(None),
            item_scores.c.criteria_version == briefings.c.criteria_version,
            items.c.first_seen_at > since,
            takes(),
        )
        .order_by(items.c.id)
    )


def _shown_stories(briefing_id: int, since: datetime) -> Select[int]:
    return (
        select(items.c.story_id)
        .distinct()
        .join(report_items, report_items.c.item_id == items.c.id)
        .join(reports, reports.c.id == report_items.c.report_id)
        .where(
            reports.c.briefing_id == briefing_id,
            reports.c.generated_at > since,
            reports.c.closed_at.is_(None),
            items.c.story_id.is_not(None),
        )
    )


def _manual_slot(connection: Connection, briefing_id: int) -> str:
    """The slot of the manual run that was left unfinished, else the next number."""
    mine = and_(reports.c.briefing_id == briefing_id, reports.c.slot.startswith(MANUAL))
    unfinished = connection.scalar(
        select(reports.c.slot).where(mine, reports.c.status == "PENDING")
    )
    if unfinished is not None:
        return str(unfinished)
    number = cast(func.substr(reports.c.slot, len(MANUAL) + 1), BigInt)
    last = connection.scalar(select(func.max(number)).where(mine)) or 0
    return f"{MANUAL}{last + 1}"
