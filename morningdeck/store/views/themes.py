"""The themes of a reader, as the last run has found them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, func, select

from morningdeck.store.expressions.places import below
from morningdeck.store.expressions.repository import Repository, found, grouped, made_of
from morningdeck.store.expressions.visibility import visible
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
    """Of each theme the newest stories, one item of each."""
    cluster = topic_members.c.cluster_id
    told = (
        select(cluster, func.max(items.c.id).label("id"))
        .join(items, items.c.id == topic_members.c.item_id)
        .where(cluster.in_(ids), visible(user_id))
        .group_by(cluster, items.c.story_id)
        .subquery()
    )
    place = func.row_number().over(partition_by=told.c.cluster_id, order_by=told.c.id.desc())
    placed = select(told, place.label("place")).subquery()
    query = (
        select(placed.c.cluster_id, items.c.id, items.c.title, items.c.url)
        .join(placed, placed.c.id == items.c.id)
        .where(placed.c.place <= count)
        .order_by(placed.c.cluster_id, placed.c.place)
    )
    return grouped((row[0], RelatedView(*row[1:])) for row in connection.execute(query))
