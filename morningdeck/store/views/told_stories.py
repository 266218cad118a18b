"""The stories of a reader: each as far as the reader's own sources tell it, and no further."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    and_,
    exists,
    or_,
    select,
    true,
)

from morningdeck.store.database.bulk import in_chunks
from morningdeck.store.expressions.places import below
from morningdeck.store.expressions.repository import Repository, found, grouped, made_of
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import (
    subscribes,
    visible,
    visible_each,
    visible_newest_first,
)
from morningdeck.store.tables.news import (
    date_of,
    item_date,
    items,
    sources,
    stories,
    subscriptions,
)
from morningdeck.views.reading import StoryView, TellerView

TELLERS_IN_LIST, TELLERS_OF_ONE = 5, 200


class ToldStories(Repository):
    def list(
        self,
        user_id: int,
        limit: int = 50,
        *,
        shared: bool = False,
        since: datetime | None = None,
        before: tuple[datetime, int] | None = None,
    ) -> tuple[StoryView, ...]:
        """By the newest that tells each, beyond the date and id of the last that was seen; only
        those that several of the reader's sources tell, if `shared`.
        """
        ends = (
            select(items.c.story_id)
            .where(items.c.story_id.is_not(None), ~_another(user_id, _is_newer))
            .order_by(item_date.desc(), items.c.id.desc())
            .limit(limit)
        )
        if shared:
            ends = ends.where(_another(user_id, _is_elsewhere))
        if since is not None:
            ends = ends.where(item_date >= since)
        if before is not None:
            ends = ends.where(below((item_date, items.c.id), before))
        with self._database.read() as connection:
            ends = ends.where(visible_newest_first(self._database, connection, user_id))
            return _views(connection, user_id, connection.scalars(ends).all(), TELLERS_IN_LIST)

    def show(self, user_id: int, story_id: int) -> StoryView:
        with self._database.read() as connection:
            views = _views(connection, user_id, [story_id], TELLERS_OF_ONE)
        return found(views, f"story {story_id}")


def _another(user_id: int, differs: Any) -> ColumnElement[bool]:
    """Whether the reader sees another item of the same story."""
    other = items.alias("another")
    same_story = other.c.story_id == items.c.story_id
    return exists(select(true()).where(same_story, differs(other), visible(user_id, other)))


def _is_newer(other: FromClause) -> ColumnElement[bool]:
    date = date_of(other)
    return or_(date > item_date, and_(date == item_date, other.c.id > items.c.id))


def _is_elsewhere(other: FromClause) -> ColumnElement[bool]:
    return other.c.source_id != items.c.source_id


def _views(
    connection: Connection, user_id: int, ids: Sequence[int], most: int
) -> tuple[StoryView, ...]:
    told: dict[int, tuple[Row[Any], ...]] = {}
    for chunk in in_chunks(ids):
        rows = connection.execute(_tellers(user_id).where(items.c.story_id.in_(chunk)))
        told |= grouped((row.story_id, row) for row in rows)
    return tuple(_view(told[one], most) for one in ids if one in told)


def _tellers(user_id: int) -> Select[Any]:
    """All that the reader sees of stories, the newest first."""
    return (
        select(
            items,
            item_date.label("date"),
            source_name().label("source"),
            stories.c.representative_id,
        )
        .select_from(items.join(sources).join(stories, stories.c.id == items.c.story_id))
        .outerjoin(subscriptions, subscribes(user_id, items.c.source_id))
        .where(visible_each(user_id))
        .order_by(item_date.desc(), items.c.id.desc())
    )


def _view(rows: Sequence[Row[Any]], most: int) -> StoryView:
    """Under the article that leads it, or the oldest where the reader does not see that one."""
    leads = next((row for row in rows if row.id == row.representative_id), rows[-1])
    return made_of(
        leads,
        StoryView,
        id=leads.story_id,
        items=len(rows),
        sources=len({row.source_id for row in rows}),
        newest_at=rows[0].date,
        told_by=tuple(made_of(row, TellerView) for row in rows[:most]),
    )
