"""Items as the processing verb sees them, and the briefings that they are to be scored for."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import exists, func, select

from morningdeck.model.kinds import PRIVATE, SourceType
from morningdeck.model.making import Criteria, Item
from morningdeck.store.expressions.briefings import serves
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.expressions.texts import readable_text
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.news import item_texts, items, sources, subscriptions

COLUMNS = (
    items.c.id,
    items.c.title,
    items.c.url,
    items.c.canonical_url,
    items.c.author,
    items.c.published_at,
    items.c.content_hash,
    items.c.language,
    items.c.first_seen_at,
    readable_text().label("text"),
    sources.c.title.label("source_title"),
    sources.c.topics.label("source_topics"),
    items.c.processed_at.is_not(None).label("done_before"),
    (sources.c.type == SourceType.SAVED.value).label("saved"),
    sources.c.type.in_(PRIVATE).label("private"),
    (func.coalesce(item_texts.c.web_content, "") != "").label("page_read"),
)


class SqlItemRows(Repository):
    """The port `ItemRows`."""

    def load(self, item_id: int) -> Item | None:
        query = select(*COLUMNS).join(sources).outerjoin(item_texts).where(items.c.id == item_id)
        row = self._row(query)
        return None if row is None else Item(**row._mapping)

    def has_readers(self, item_id: int) -> bool:
        """Does anybody subscribe to its source? Saved pages have one of their own."""
        query = select(
            exists().where(subscriptions.c.source_id == items.c.source_id, items.c.id == item_id)
        )
        return bool(self._scalar(query))

    def next_slot(self, item_id: int) -> datetime | None:
        """When the first of the briefings that it serves is to be written."""
        by_hand = briefings.c.run_requested_at
        query = select(func.min(func.coalesce(by_hand, briefings.c.next_run_at)))
        slot: datetime | None = self._scalar(query.where(serves(item_id)))
        return slot

    def unscored(self, item_id: int, leader: int | None) -> tuple[Criteria, ...]:
        scored = exists().where(
            item_scores.c.briefing_id == briefings.c.id,
            item_scores.c.item_id.in_([item_id, leader or item_id]),
            item_scores.c.criteria_version == briefings.c.criteria_version,
        )
        query = (
            select(briefings.c.id, briefings.c.criteria_version, briefings.c.criteria)
            .add_columns(briefings.c.user_id, briefings.c.language)
            .where(serves(item_id), ~scored)
            .order_by(briefings.c.user_id, briefings.c.id)
        )
        return tuple(Criteria(*row) for row in self._rows(query))
