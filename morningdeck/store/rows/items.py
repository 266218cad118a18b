"""Items as the processing verb sees them, and the briefings that they are to be scored for."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import exists, func, select

from morningdeck.model import Criteria, Item, SourceType
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.briefings import serves
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
    items.c.processed_at,
    items.c.first_seen_at,
    readable_text().label("text"),
    item_texts.c.web_content,
    sources.c.type.label("source_type"),
    sources.c.title.label("source_title"),
    sources.c.topics.label("source_topics"),
)


class SqlItemRows:
    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, item_id: int) -> Item | None:
        query = select(*COLUMNS).join(sources).outerjoin(item_texts).where(items.c.id == item_id)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _item(row)

    def has_readers(self, item_id: int) -> bool:
        """Does anybody subscribe to its source? Saved pages have one of their own."""
        query = select(
            exists().where(subscriptions.c.source_id == items.c.source_id, items.c.id == item_id)
        )
        with self._database.read() as connection:
            return bool(connection.scalar(query))

    def next_slot(self, item_id: int) -> datetime | None:
        """When the first of the briefings that it serves is to be written."""
        by_hand = briefings.c.run_requested_at
        query = select(func.min(func.coalesce(by_hand, briefings.c.next_run_at)))
        with self._database.read() as connection:
            slot: datetime | None = connection.scalar(query.where(serves(item_id)))
        return slot

    def unscored(self, item_id: int, leader: int | None) -> tuple[Criteria, ...]:
        """The briefings that the item serves without a current score of it or its leader."""
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
        with self._database.read() as connection:
            return tuple(Criteria(*row) for row in connection.execute(query))


def _item(row: Any) -> Item:
    return Item(
        id=row.id,
        title=row.title,
        url=row.url,
        canonical_url=row.canonical_url,
        author=row.author,
        published_at=row.published_at,
        text=row.text,
        content_hash=row.content_hash,
        language=row.language,
        source_title=row.source_title,
        source_topics=row.source_topics,
        done_before=row.processed_at is not None,
        saved=row.source_type == SourceType.SAVED,
        page_read=bool(row.web_content),
        first_seen_at=row.first_seen_at,
    )
