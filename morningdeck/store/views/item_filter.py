"""What a list or a search of items is limited to: the same conditions for both."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, exists, select

from morningdeck.model.finding import ItemFilter
from morningdeck.store.expressions.briefings import with_sections
from morningdeck.store.expressions.visibility import (
    briefings_of_reader,
    check_briefing,
    check_source,
    saved_by_reader,
)
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.news import item_date, item_states, items


def check_filter(connection: Connection, user_id: int, only: ItemFilter) -> None:
    """Raise unless the source and the briefing are the reader's."""
    if only.source_id is not None:
        check_source(connection, user_id, only.source_id)
    if only.briefing_id is not None:
        check_briefing(connection, user_id, only.briefing_id)


def conditions(user_id: int, only: ItemFilter) -> list[ColumnElement[bool]]:
    """Of an item. `since` is about the date that lists are ordered by."""
    chosen: list[ColumnElement[bool]] = []
    if only.source_id is not None:
        chosen.append(items.c.source_id == only.source_id)
    if only.status is not None:
        chosen.append(items.c.status == only.status)
    if only.since is not None:
        chosen.append(item_date >= only.since)
    if only.unread:
        read = exists().where(
            item_states.c.item_id == items.c.id,
            item_states.c.user_id == user_id,
            item_states.c.read_at.is_not(None),
        )
        chosen.append(~read)
    if only.saved:  # few: SQLite starts from them, with an EXISTS it would read all items
        chosen.append(items.c.id.in_(saved_by_reader(user_id)))
    if only.briefing_id is not None or only.min_score is not None:
        high = item_scores.c.score >= (only.min_score or 0)
        chosen.append(exists(scores(user_id, only).where(high)))
    return chosen


def scores(user_id: int, only: ItemFilter) -> Select[Any]:
    """Of an item: its scores by that briefing and its sections, else by all of the reader's."""
    of_item = item_scores.c.item_id == items.c.id
    counts = item_scores.c.briefing_id.in_(_wishes(user_id, only))
    return select(item_scores.c.score).where(of_item, counts).correlate(items)


def scored(user_id: int, only: ItemFilter) -> Select[int]:
    """The items that have such a score, as high as is wanted."""
    high = item_scores.c.score >= (only.min_score or 0)
    counts = item_scores.c.briefing_id.in_(_wishes(user_id, only))
    return select(item_scores.c.item_id).where(counts, high)


def _wishes(user_id: int, only: ItemFilter) -> Select[int]:
    wishes = briefings_of_reader(user_id)
    return wishes if only.briefing_id is None else wishes.where(with_sections(only.briefing_id))
