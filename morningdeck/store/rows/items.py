"""Items as the processing verb sees them, and the briefings that they are to be scored for."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BindParameter, bindparam, exists, func, or_, select

from morningdeck.model.kinds import PRIVATE, SourceType
from morningdeck.model.making import Criteria, Item
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.expressions.briefings import serves
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.expressions.texts import readable_text
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.columns import BigInt, among
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
    among(sources.c.type, *PRIVATE).label("private"),
    (func.coalesce(item_texts.c.web_content, "") != "").label("page_read"),
    # saved pages have a source of their own
    exists().where(subscriptions.c.source_id == items.c.source_id).label("has_readers"),
    items.c.story_id.is_not(None).label("has_story"),
)
_NAMES = tuple(str(column.key) for column in select(*COLUMNS).selected_columns)


_ITEM: BindParameter[int] = bindparam("item_id", type_=BigInt)
_LOADING = Prepared(select(*COLUMNS).join(sources).outerjoin(item_texts).where(items.c.id == _ITEM))
_SCORED = exists().where(
    item_scores.c.briefing_id == briefings.c.id,
    or_(item_scores.c.item_id == _ITEM, item_scores.c.item_id == bindparam("leader")),
    item_scores.c.criteria_version == briefings.c.criteria_version,
)
_UNSCORED = Prepared(
    select(briefings.c.id, briefings.c.criteria_version, briefings.c.criteria)
    .add_columns(briefings.c.user_id, briefings.c.language)
    .where(serves(_ITEM), ~_SCORED)
    .order_by(briefings.c.user_id, briefings.c.id)
)


class SqlItemRows(Repository):
    """The port `ItemRows`."""

    def load(self, item_id: int) -> Item | None:
        rows = self._database.run(_LOADING, {"item_id": item_id})
        return Item(**dict(zip(_NAMES, rows[0], strict=True))) if rows else None

    def next_slot(self, item_id: int) -> datetime | None:
        """When the first of the briefings that it serves is to be written."""
        by_hand = briefings.c.run_requested_at
        query = select(func.min(func.coalesce(by_hand, briefings.c.next_run_at)))
        slot: datetime | None = self._scalar(query.where(serves(item_id)))
        return slot

    def unscored(self, item_id: int, leader: int | None) -> tuple[Criteria, ...]:
        values = {"item_id": item_id, "leader": leader or item_id}
        return tuple(Criteria(*row) for row in self._database.run(_UNSCORED, values))
