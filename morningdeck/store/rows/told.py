"""What the reports of a briefing have told, whether the last one has arrived, and which topics its
reader's news turns around.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, select

from morningdeck.model.sending import Briefing, Movement, ToldBefore, Undelivered
from morningdeck.schedule import zone_or_utc
from morningdeck.store.database.bulk import in_chunks
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.expressions.texts import searched_text
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    item_scores,
    report_items,
    reports,
    topic_clusters,
    topic_members,
    topic_runs,
)
from morningdeck.store.tables.news import item_texts, items

SHOWN_FOR = timedelta(days=23)
"""How much longer than it weighs items a briefing knows what it has shown."""


class SqlToldRows(Repository):
    def shown(self, briefing: Briefing, since: datetime) -> Sequence[tuple[int | None, int]]:
        """Each item that its reports have shown since then, after its story."""
        return [tuple(row) for row in self._rows(_shown(briefing, since))]

    def told_before(
        self, briefing: Briefing, story_ids: Collection[int]
    ) -> Mapping[int, ToldBefore]:
        told: dict[int, tuple[datetime, list[str]]] = {}
        with self._database.read() as connection:
            for some in in_chunks(tuple(story_ids)):
                for row in connection.execute(_snapshots_of(briefing, some)):
                    at, texts = told.setdefault(row.story_id, (row.generated_at, []))
                    texts += [row.title, row.summary, row.update]
                    told[row.story_id] = (max(at, row.generated_at), texts)
                for story, text in connection.execute(_texts_weighed(briefing, some)):
                    if story in told:
                        told[story][1].append(text)
        return {story: ToldBefore(at, "\n".join(texts)) for story, (at, texts) in told.items()}

    def told_by_dailies(
        self, briefing: Briefing, since: datetime
    ) -> Collection[tuple[int | None, int | None]]:
        """By dailies of the same user that go to all of its recipients."""
        query = (
            select(items.c.story_id, items.c.id, briefings.c.recipients)
            .join(report_items, report_items.c.item_id == items.c.id)
            .join(reports, reports.c.id == report_items.c.report_id)
            .join(briefings, briefings.c.id == reports.c.briefing_id)
            .where(
                briefings.c.user_id == briefing.user_id,
                ~reports.c.weekly,
                ~briefings.c.at_once,
                reports.c.generated_at > since,
                reports.c.closed_at.is_(None),
            )
        )
        return {
            (story, item if story is None else None)
            for story, item, recipients in self._rows(query)
            if set(briefing.recipients) <= set(recipients)
        }

    def topics(self, user_id: int) -> Mapping[int, Movement]:
        members = (
            select(topic_members.c.item_id, topic_clusters)
            .join(topic_clusters, topic_clusters.c.id == topic_members.c.cluster_id)
            .join(topic_runs, topic_runs.c.user_id == topic_clusters.c.user_id)
            .where(topic_clusters.c.user_id == user_id, topic_clusters.c.run == topic_runs.c.run)
        )
        return {
            row.item_id: Movement(row.label, row.this_week, row.week_before)
            for row in self._rows(members)
        }

    def undelivered(self, briefing: Briefing) -> tuple[Undelivered, ...]:
        last = (
            select(reports)
            .where(
                _of_kind(briefing),
                exists().where(deliveries.c.report_id == reports.c.id),
            )
            .order_by(reports.c.generated_at.desc(), reports.c.id.desc())
            .limit(1)
        )
        row = self._row(last)
        if row is None:
            return ()
        in_doubt = select(deliveries.c.id).where(
            deliveries.c.report_id == row.id,
            deliveries.c.status != "SENT",
            # a channel without addresses has one delivery, named like itself
            deliveries.c.address.in_((*briefing.recipients, *briefing.channels)),
        )
        if row.closed_at is not None or self._scalar(in_doubt.limit(1)) is None:
            return ()
        local = row.generated_at.astimezone(zone_or_utc(briefing.plan.timezone))
        return (Undelivered(row.id, local.date().isoformat(), row.subject),)


def _of_kind(briefing: Briefing) -> ColumnElement[bool]:
    """The briefing's own reports, daily or weekly as it is now."""
    weekly = reports.c.weekly if briefing.plan.weekly else ~reports.c.weekly
    return and_(reports.c.briefing_id == briefing.id, reports.c.status == "GENERATED", weekly)


def _shown(briefing: Briefing, since: datetime) -> Select[Any]:
    return (
        select(items.c.story_id, items.c.id)
        .join(report_items, report_items.c.item_id == items.c.id)
        .join(reports, reports.c.id == report_items.c.report_id)
        .where(
            _of_kind(briefing),
            reports.c.closed_at.is_(None),
            reports.c.generated_at > since,
        )
    )


def _snapshots_of(briefing: Briefing, story_ids: Sequence[int]) -> Select[Any]:
    return (
        select(report_items, items.c.story_id, reports.c.generated_at)
        .join(items, items.c.id == report_items.c.item_id)
        .join(reports, reports.c.id == report_items.c.report_id)
        .where(_of_kind(briefing), reports.c.closed_at.is_(None), items.c.story_id.in_(story_ids))
    )


def _texts_weighed(briefing: Briefing, story_ids: Sequence[int]) -> Select[Any]:
    """What the articles of the stories say that its reports have weighed."""
    weighed = exists().where(
        item_scores.c.item_id == items.c.id,
        item_scores.c.briefing_id.in_([wish.id for wish in briefing.wishes]),
        item_scores.c.considered_in.is_not(None),
    )
    return (
        select(items.c.story_id, searched_text())
        .join(item_texts, item_texts.c.item_id == items.c.id)
        .where(items.c.story_id.in_(story_ids), weighed)
    )
