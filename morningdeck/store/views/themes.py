"""The themes of a reader, as the last run has found them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, select

from morningdeck.store.database.bulk import in_chunks
from morningdeck.store.expressions.places import below
from morningdeck.store.expressions.repository import Repository, found, grouped, made_of
from morningdeck.store.expressions.visibility import visible_each
from morningdeck.store.tables.briefs import topic_clusters, topic_members, topic_runs
from morningdeck.store.tables.news import items
from morningdeck.views.reading import RelatedView, TopicView

STORIES_IN_LIST, STORIES_OF_ONE = 3, 50
"""Stories, in a list and where one is shown."""


class TopicTable(Repository):
    def list(
        self, user_id: int, limit: int = 50, *, before: tuple[int, int, int] | None = None
    ) -> tuple[TopicView, ...]:
        """What was told most this week first, beyond the stories of this week, size and id of the
        last that was seen.
        """
        told, size, number = topic_clusters.c.this_week, topic_clusters.c.size, topic_clusters.c.id
        ordered = _themes(user_id).order_by(told.desc(), size.desc(), number)
        if before is not None:
            *counts, last = before
            ordered = ordered.where(below((told, size, -number), (*counts, -last)))
        return self._views(user_id, ordered.limit(limit), STORIES_IN_LIST)

    def show(self, user_id: int, topic_id: int) -> TopicView:
        this = _themes(user_id).where(topic_clusters.c.id == topic_id)
        return found(self._views(user_id, this, STORIES_OF_ONE), f"topic {topic_id}")

    def _views(self, user_id: int, query: Select[Any], newest: int) -> tuple[TopicView, ...]:
        with self._database.read() as connection:
            rows = connection.execute(query).all()
            told = _newest(connection, user_id, [row.id for row in rows], newest)
        return tuple(
            made_of(
                row,
                TopicView,
                items=row.size,
                moved=None if row.week_before is None else row.this_week - row.week_before,
                newest=told.get(row.id, ()),
            )
            for row in rows
        )


def _themes(user_id: int) -> Select[Any]:
    of_last_run = and_(
        topic_runs.c.user_id == topic_clusters.c.user_id, topic_runs.c.run == topic_clusters.c.run
    )
    return (
        select(topic_clusters)
        .select_from(topic_clusters.join(topic_runs, of_last_run))
        .where(topic_clusters.c.user_id == user_id)
    )


def _newest(
    connection: Connection, user_id: int, ids: Sequence[int], count: int
) -> dict[int, tuple[RelatedView, ...]]:
    """Of each theme the newest stories, one item of each.

    In steps, as PostgreSQL would go through all items for a join.
    """
    of_themes = select(topic_members.c.cluster_id, topic_members.c.item_id)
    members = connection.execute(of_themes.where(topic_members.c.cluster_id.in_(ids))).all()
    seen = _seen(connection, user_id, {item for _, item in members})
    newest: dict[tuple[int, int | None], int] = {}
    for theme, item in members:
        if item in seen:
            key = theme, seen[item].story_id
            newest[key] = max(item, newest.get(key, 0))
    latest_first = sorted(newest.items(), key=lambda one: -one[1])
    told = grouped((theme, made_of(seen[item], RelatedView)) for (theme, _), item in latest_first)
    return {theme: views[:count] for theme, views in told.items()}


def _seen(
    connection: Connection, user_id: int, item_ids: Collection[int]
) -> Mapping[int, Row[Any]]:
    """Those of the items that the user sees."""
    what = select(items.c.id, items.c.story_id, items.c.title, items.c.url)
    found: dict[int, Row[Any]] = {}
    for some in in_chunks(sorted(item_ids)):
        query = what.where(items.c.id.in_(some), visible_each(user_id))
        found.update({row.id: row for row in connection.execute(query)})
    return found
