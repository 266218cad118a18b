"""Items as the processing verb sees them, and what enrichment leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)

from morningdeck.model import Criteria, Enrichment, Item, ParsedPage, Processed, Score, SourceType
from morningdeck.store.database.connect import Database
from morningdeck.store.database.upsert import insert, put
from morningdeck.store.tables import (
    briefing_subscriptions,
    briefings,
    item_scores,
    item_texts,
    items,
    sources,
    subscriptions,
    users,
)
from morningdeck.store.tables.columns import BigInt
from morningdeck.work import Job

ENRICHMENT = ("summary", "category", "intent", "tags", "language", "enriched_by")


class ItemTable:
    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, item_id: int) -> Item | None:
        query = (
            select(
                items,
                func.coalesce(
                    func.nullif(item_texts.c.web_content, ""),
                    func.nullif(item_texts.c.clean_content, ""),
                    item_texts.c.raw_content,
                    "",
                ).label("text"),
                item_texts.c.web_content,
                sources.c.type.label("source_type"),
                sources.c.title.label("source_title"),
                sources.c.topics.label("source_topics"),
            )
            .join(sources)
            .outerjoin(item_texts)
            .where(items.c.id == item_id)
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _item(row)

    def read(self, item_id: int) -> bool:
        """Does anybody read its source, or has somebody saved it by hand?"""
        query = select(
            exists().where(subscriptions.c.source_id == items.c.source_id, items.c.id == item_id)
        )
        with self._database.read() as connection:
            return bool(connection.scalar(query))

    def unscored(self, item_id: int, leader: int | None) -> tuple[Criteria, ...]:
        """The briefings that the item serves without a current score of it or its leader."""
        scored = exists().where(
            item_scores.c.briefing_id == briefings.c.id,
            item_scores.c.item_id.in_([item_id, leader or item_id]),
            item_scores.c.criteria_version == briefings.c.criteria_version,
        )
        columns = (
            briefings.c.id,
            briefings.c.criteria_version,
            briefings.c.criteria,
            briefings.c.user_id,
        )
        query = (
            select(*columns)
            .where(serves(item_id), ~scored)
            .order_by(briefings.c.user_id, briefings.c.id)
        )
        with self._database.read() as connection:
            return tuple(Criteria(*row) for row in connection.execute(query))


def serves(item_id: int) -> ColumnElement[bool]:
    """Of a briefing: it runs, and takes the item's source from its user's subscriptions."""
    linked = (
        exists()
        .where(
            briefing_subscriptions.c.briefing_id == briefings.c.id,
            briefing_subscriptions.c.subscription_id == subscriptions.c.id,
        )
        .correlate(briefings, subscriptions)  # two levels up, where nobody looks unasked
    )
    return and_(
        ~briefings.c.paused,
        exists().where(
            items.c.id == item_id,
            subscriptions.c.source_id == items.c.source_id,
            subscriptions.c.user_id == briefings.c.user_id,
            ~subscriptions.c.paused,
            users.c.id == briefings.c.user_id,
            users.c.enabled,
            or_(briefings.c.all_sources, linked),
        ),
    )


def _item(row: Any) -> Item:
    return Item(
        id=row.id,
        source_id=row.source_id,
        title=row.title,
        url=row.url,
        canonical_url=row.canonical_url,
        author=row.author,
        published_at=row.published_at,
        first_seen_at=row.first_seen_at,
        text=row.text,
        content_hash=row.content_hash,
        language=row.language,
        source_title=row.source_title,
        source_topics=row.source_topics,
        story_id=row.story_id,
        enriched=row.processed_at is not None,
        saved=row.source_type == SourceType.SAVED,
        page_read=bool(row.web_content),
    )


def save_processed(connection: Connection, job: Job, processed: Processed, now: datetime) -> None:
    """The enrichment, the scores, and the mark that the search index must follow."""
    item_id, found = job.id, processed.found
    if processed.page is not None:
        save_page(connection, job, processed.page, now)
    this = update(items).where(items.c.id == item_id)
    connection.execute(this.values(processed_at=now, search_mark=items.c.search_mark + 1))
    if isinstance(found, Enrichment):
        connection.execute(this.values(**_enrichment(found)))
        _put_scores(connection, item_id, found.scores)
    else:
        _put_scores(connection, item_id, found)
    if processed.leader is not None:
        _take_over(connection, item_id, processed.leader)
    connection.execute(
        this.where(items.c.content_hash != processed.content_hash).values(
            status="NEW", processed_at=None, due_at=None
        )
    )


def save_page(connection: Connection, job: Job, page: ParsedPage, now: datetime) -> None:
    """The article, and what its page says where the source said nothing."""
    untitled = items.c.title.in_((items.c.url, items.c.canonical_url))
    connection.execute(
        update(items)
        .where(items.c.id == job.id)
        .values(
            title=case((untitled, page.title or items.c.title), else_=items.c.title),
            author=func.coalesce(items.c.author, page.author),
            image_url=func.coalesce(items.c.image_url, page.image_url),
            published_at=func.coalesce(items.c.published_at, page.published_at),
            search_mark=items.c.search_mark + 1,
        )
    )
    raw = item_texts.c.raw_content
    connection.execute(
        update(item_texts)
        .where(item_texts.c.item_id == job.id)
        .values(web_content=page.text, raw_content=case((raw == "", page.html), else_=raw))
    )


def _enrichment(found: Enrichment) -> dict[str, Any]:
    return {
        "summary": found.summary,
        "category": found.category,
        "intent": found.intent,
        "tags": asdict(found.tags),
        "language": found.language or None,
        "enriched_by": found.by,
    }


def _put_scores(connection: Connection, item_id: int, scores: Sequence[Score]) -> None:
    """A new score of what was weighed before does not bring it back."""
    rows = [
        {
            "item_id": item_id,
            "briefing_id": score.briefing_id,
            "score": score.value,
            "reason": score.reason,
            "criteria_version": score.version,
            "scored_by": score.by,
        }
        for score in scores
    ]
    put(connection, item_scores, rows, ("briefing_id", "item_id"))


def _take_over(connection: Connection, item_id: int, leader: int) -> None:
    """The leader's enrichment, and its scores for the briefings that this item serves too."""
    of_leader = select(*(items.c[name] for name in ENRICHMENT)).where(items.c.id == leader)
    row = connection.execute(of_leader).one()
    connection.execute(update(items).where(items.c.id == item_id).values(**row._mapping))
    copied = ("briefing_id", "score", "reason", "criteria_version", "scored_by")
    scores = (
        select(literal(item_id, BigInt), *(item_scores.c[name] for name in copied))
        .join(briefings, briefings.c.id == item_scores.c.briefing_id)
        .where(item_scores.c.item_id == leader, serves(item_id))
    )
    connection.execute(
        insert(connection, item_scores)
        .from_select(["item_id", *copied], scores)
        .on_conflict_do_nothing(index_elements=["briefing_id", "item_id"])
    )
