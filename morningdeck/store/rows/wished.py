"""What a briefing would weigh that nobody has saved."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, func, literal, select

from morningdeck.model.alerting import Found
from morningdeck.model.sending import Briefing
from morningdeck.model.weighing import Candidate
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.repository import made_of, names_in
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.rows.briefings import IS_PRIVATE, NOT_KNOWN_YET, SqlBriefingRows
from morningdeck.store.tables.columns import among
from morningdeck.store.tables.news import item_likenesses, items, sources, stories, subscriptions

MOST_WEIGHED_FOR_A_WISH = 2_000
"""The newest; of more no wish is any clearer."""


class SqlWishedRows(SqlBriefingRows):
    """The port `BriefingRows`, for a wish of this reader and these of their sources, or all.
    `scored` is what there is to choose from.
    """

    def __init__(self, database: Database, user_id: int, source_ids: Collection[int]) -> None:
        super().__init__(database)
        self._of = [subscriptions.c.user_id == user_id, ~subscriptions.c.paused]
        if source_ids:
            self._of.append(subscriptions.c.source_id.in_(tuple(source_ids)))
        self.scored: tuple[Candidate, ...] = ()

    def candidates(self, briefing: Briefing, since: datetime) -> tuple[Candidate, ...]:
        return self.scored

    def found(self, briefing: Briefing, since: datetime) -> tuple[Found, ...]:
        return ()

    def unscored(self, since: datetime) -> tuple[Candidate, ...]:
        """All that was read and enriched since then, without a score."""
        rows = self._rows(_read_since(since, self._of))
        return tuple(
            made_of(
                row,
                Candidate,
                topics=names_in(row.tags, row.source_topics)["topics"],
                story_shown=False,
                **NOT_KNOWN_YET,
            )
            for row in rows
        )

    def not_known(self, since: datetime) -> tuple[int, int]:
        """How many sources nobody has read yet, and how many items wait to be enriched."""
        of = and_(*self._of)
        reads = select(func.count()).select_from(subscriptions.join(sources)).where(of)
        unread = reads.where(sources.c.last_fetched_at.is_(None), sources.c.wanted)
        waits = among(items.c.status, "NEW", "PENDING", "PROCESSING")
        to_enrich = (
            select(func.count())
            .select_from(items)
            .where(waits, items.c.first_seen_at > since)
            .where(items.c.source_id.in_(select(subscriptions.c.source_id).where(of)))
        )
        return self._scalar(unread) or 0, self._scalar(to_enrich) or 0


def _read_since(since: datetime, of: Sequence[ColumnElement[bool]]) -> Select[Any]:
    return (
        select(
            items.c.id.label("item_id"),
            source_name().label("source_title"),
            *(items.c.source_id, items.c.story_id, item_likenesses.c.subject_id),
            *(items.c.title, items.c.url, items.c.summary, items.c.tags),
            sources.c.topics.label("source_topics"),
            *(items.c.published_at, items.c.first_seen_at, items.c.language),
            IS_PRIVATE.label("private"),
            literal(0).label("score"),
            literal("").label("reason"),
            literal(0).label("wish_id"),
            func.coalesce(stories.c.representative_id == items.c.id, false()).label("is_leader"),
        )
        .select_from(items)
        .join(sources, sources.c.id == items.c.source_id)
        .join(subscriptions, subscriptions.c.source_id == sources.c.id)
        .outerjoin(stories, stories.c.id == items.c.story_id)
        .outerjoin(item_likenesses, item_likenesses.c.item_id == items.c.id)
        .where(among(items.c.status, "DONE"), items.c.first_seen_at > since, *of)
        .order_by(items.c.first_seen_at.desc(), items.c.id.desc())
        .limit(MOST_WEIGHED_FOR_A_WISH)
    )
