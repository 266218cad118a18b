"""Which items tell the same story: assigned once, one at a time, before enrichment.

The recent items are kept in memory as a window that grows by what others have assigned
since, so that finding a story does not read thousands of vectors again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, and_, select

from morningdeck.model.making import Likeness, StoryRole
from morningdeck.ports.verbs import StoryWindow
from morningdeck.store.database.bulk import change, insert_new
from morningdeck.store.database.connect import Database, Lock
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.tables.news import item_likenesses, items, stories

WINDOW = timedelta(hours=72)
UNABLE = ("ERROR", "CANCELLED")
"""A leader with one of these statuses is replaced by the next item."""


class SqlStoryRows(Repository):
    """The port `StoryRows`."""

    def __init__(self, database: Database, window: Callable[[], StoryWindow]) -> None:
        super().__init__(database)
        self._make_window = window
        self._read_up_to = 0

    @cached_property
    def _window(self) -> StoryWindow:
        return self._make_window()

    def role(self, item_id: int) -> StoryRole | None:
        leader = items.alias("leader")
        query = (
            select(
                items.c.story_id,
                stories.c.representative_id,
                leader.c.status,
                leader.c.enriched_by,
                leader.c.due_at,
            )
            .join(stories, stories.c.id == items.c.story_id)
            .outerjoin(leader, leader.c.id == stories.c.representative_id)
            .where(items.c.id == item_id)
        )
        row = self._row(query)
        if row is None:
            return None
        if row.representative_id != item_id and _cannot_lead(row):
            return self._lead(row.story_id, row.representative_id, item_id)
        return StoryRole(row.story_id, row.representative_id, row.enriched_by is not None)

    def _lead(self, story_id: int, before: int, item_id: int) -> StoryRole:
        led = and_(stories.c.id == story_id, stories.c.representative_id == before)
        with self._database.write() as connection:
            won = change(connection, stories, led, representative_id=item_id)
        return StoryRole(story_id, item_id if won else before, enriched=False)

    def assign(self, item_id: int, likeness: Likeness, now: datetime) -> StoryRole:
        window = self._window  # takes time the first time: nobody else shall wait for it
        with self._database.write() as connection:
            self._database.hold(connection, Lock.STORIES)
            self._catch_up(connection, now)
            story_id = window.find(likeness)
            if story_id is None:
                story_id = _make_story(connection, item_id, likeness)
            like = asdict(likeness)
            row = {"item_id": item_id, "story_id": story_id, "first_seen_at": now, **like}
            insert_new(connection, item_likenesses, [row], ("item_id",))
            change(connection, items, items.c.id == item_id, story_id=story_id)
        return self.role(item_id) or StoryRole(story_id, item_id, enriched=False)

    def _catch_up(self, connection: Connection, now: datetime) -> None:
        """Add to the window what any process has assigned since, in the order of assignment."""
        self._window.forget(now - WINDOW)
        query = (
            select(item_likenesses)
            .where(
                item_likenesses.c.id > self._read_up_to,
                item_likenesses.c.first_seen_at > now - WINDOW,
            )
            .order_by(item_likenesses.c.id)
        )
        for row in connection.execute(query):
            likeness = made_of(row, Likeness)
            self._window.add(row.item_id, row.story_id, row.first_seen_at, likeness)
            self._read_up_to = row.id


def _cannot_lead(row: Any) -> bool:
    parked = row.due_at is not None and row.due_at >= PARKED
    return row.status is None or row.status in UNABLE or (parked and row.enriched_by is None)


def _make_story(connection: Connection, item_id: int, likeness: Likeness) -> int:
    statement = (
        stories.insert()
        .values(label=likeness.title[:200], representative_id=item_id)
        .returning(stories.c.id)
    )
    return int(connection.execute(statement).scalar_one())
