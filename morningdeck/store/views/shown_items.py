"""Items as their reader sees them, made of their rows: every list ends here, and many pages.

The statements are made once and asked for each reader: to make one anew takes longer than to have
it answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, select

from morningdeck.model.making import Tags
from morningdeck.store.database.bulk import in_chunks
from morningdeck.store.expressions.repository import grouped, made_of, names_in
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import (
    READER,
    THESE,
    THIS,
    briefings_of_reader,
    sources_of_reader,
    subscribes,
    visible,
)
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.news import (
    item_likenesses,
    item_states,
    items,
    sources,
    subscriptions,
)
from morningdeck.views.reading import ItemView, RelatedView, ScoreView

MOST_RELATED = 5
_SCORED = ("briefing_id", "score", "reason", "feedback", "scored_by")


def views(connection: Connection, user_id: int, ids: Sequence[int]) -> tuple[ItemView, ...]:
    """One view for each, in the order of the ids."""
    found: dict[int, ItemView] = {}
    for chunk in in_chunks(ids):
        asked = {"reader": user_id, "these": list(chunk)}
        scores = grouped(
            (row.item_id, made_of(row, ScoreView, by=row.scored_by))
            for row in connection.execute(_scores(), asked)
        )
        for row in connection.execute(_rows(), asked):
            found[row.id] = _view(row, scores.get(row.id, ()))
    return tuple(found[item_id] for item_id in ids if item_id in found)


def see_also(connection: Connection, user_id: int, item_id: int) -> tuple[RelatedView, ...]:
    """The newest stories on its subject, one item of each."""
    rows = connection.execute(_related(), {"reader": user_id, "this": item_id})
    return tuple(RelatedView(*row) for row in rows)


@cache
def _rows() -> Select[Any]:
    others = items.alias("others")
    also_in = (
        select(func.count())
        .where(
            others.c.story_id == items.c.story_id,
            others.c.id != items.c.id,
            others.c.source_id.in_(sources_of_reader(READER)),
        )
        .scalar_subquery()
    )
    shown = {field.name for field in fields(ItemView)}
    own_mark = and_(item_states.c.item_id == items.c.id, item_states.c.user_id == READER)
    return (
        select(
            *(column for column in items.c if column.key in shown),
            items.c.last_error,
            item_states.c.read_at,
            item_states.c.saved_at,
            also_in.label("also_in"),
            source_name().label("source"),
            sources.c.topics.label("source_topics"),
        )
        .select_from(items.join(sources))
        .outerjoin(subscriptions, subscribes(READER, items.c.source_id))
        .outerjoin(item_states, own_mark)
        .where(items.c.id.in_(THESE))
    )


@cache
def _related() -> Select[Any]:
    mine, others = item_likenesses.alias("mine"), item_likenesses.alias("others")
    newest = (
        select(items.c.story_id, func.max(items.c.id).label("id"))
        .join(others, others.c.item_id == items.c.id)
        .join(mine, and_(mine.c.subject_id == others.c.subject_id, mine.c.item_id == THIS))
        .where(others.c.story_id != mine.c.story_id, visible(READER))
        .group_by(items.c.story_id)
        .order_by(func.max(items.c.id).desc())
        .limit(MOST_RELATED)
        .subquery()
    )
    query = select(items.c.id, items.c.title, items.c.url).join(newest, newest.c.id == items.c.id)
    return query.order_by(items.c.id.desc())


@cache
def _scores() -> Select[Any]:
    return (
        select(item_scores.c.item_id, *(item_scores.c[name] for name in _SCORED))
        .where(
            item_scores.c.item_id.in_(THESE),
            item_scores.c.briefing_id.in_(briefings_of_reader(READER)),
        )
        .order_by(item_scores.c.briefing_id)
    )


def _view(row: Row[Any], scores: tuple[ScoreView, ...]) -> ItemView:
    names = names_in(row.tags, row.source_topics)
    return made_of(
        row,
        ItemView,
        see_also=(),
        tags=Tags(**names, sentiment=row.tags.get("sentiment", "neutral")),
        scores=scores,
        error=row.last_error,
        read=row.read_at is not None,
        saved=row.saved_at is not None,
    )
