"""Which items tell the same story: assigned once, one at a time, before enrichment.

The recent items are kept in memory as a window that grows by what others have assigned
since, so that finding a story does not read thousands of vectors again.

An item may tell what two stories tell: then they become one. The items of the younger move
to the older in the same transaction, and the item's row says so to the other processes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, and_, case, delete, select

from morningdeck.errors import PermanentError
from morningdeck.model.kinds import PRIVATE
from morningdeck.model.making import Likeness, StoryMatch, StoryRole
from morningdeck.ports.verbs import StoryWindow
from morningdeck.store.database.bulk import change
from morningdeck.store.database.connect import Database, Lock
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.tables.news import item_likenesses, items, sources, stories

WINDOW = timedelta(hours=72)
UNABLE = ("ERROR", "CANCELLED")
"""A leader with one of these statuses is replaced by the next item."""
LONGEST_STORY_LABEL = 200


class SqlStoryRows(Repository):
    """The port `StoryRows`."""

    def __init__(self, database: Database, window: Callable[[], StoryWindow]) -> None:
        super().__init__(database)
        self._make_window = window
        self._read_up_to = 0
        self._is_sure = True
        """What the window holds is what the database holds."""

    @cached_property
    def _window(self) -> StoryWindow:
        return self._make_window()

    def role(self, item_id: int) -> StoryRole | None:
        leader = items.alias("leader")
        query = (
            select(
                items.c.story_id,
                stories.c.representative_id,
                sources.c.type,
                leader.c.status,
                leader.c.enriched_by,
                leader.c.due_at,
            )
            .join(stories, stories.c.id == items.c.story_id)
            .join(sources, sources.c.id == items.c.source_id)
            .outerjoin(leader, leader.c.id == stories.c.representative_id)
            .where(items.c.id == item_id)
        )
        row = self._row(query)
        if row is None:
            return None
        if row.representative_id != item_id and _cannot_lead(row) and row.type not in PRIVATE:
            return self._lead(row.story_id, row.representative_id, item_id)
        return StoryRole(row.story_id, row.representative_id, row.enriched_by is not None)

    def _lead(self, story_id: int, before: int | None, item_id: int) -> StoryRole:
        """A story that only private items told has its name from whoever leads it first."""
        leads = stories.c.representative_id.is_not_distinct_from(before)
        title = select(items.c.title).where(items.c.id == item_id).scalar_subquery()
        label = case((stories.c.label == "", title), else_=stories.c.label)
        this = and_(stories.c.id == story_id, leads)
        with self._database.write() as connection:
            won = change(connection, stories, this, representative_id=item_id, label=label)
        return StoryRole(story_id, item_id if won else before, enriched=False)

    def assign(
        self, item_id: int, likeness: Likeness, now: datetime, *, may_lead: bool = True
    ) -> StoryRole:
        window = self._window  # takes time the first time: nobody else shall wait for it
        try:
            with self._database.write() as connection:
                self._database.hold(connection, Lock.STORIES)
                self._catch_up(connection, now)
                if not _is_placed(connection, item_id):
                    label = likeness.title if may_lead else None
                    match = window.match(likeness)
                    story_id = min(match.stories, default=0) or _make(connection, item_id, label)
                    _join(connection, item_id, story_id, match, likeness, now)
        except BaseException:
            self._is_sure = False  # what it has read may have been undone
            raise
        role = self.role(item_id)
        if role is None:
            raise PermanentError("the item is gone")
        return role

    def _catch_up(self, connection: Connection, now: datetime) -> None:
        """Add to the window what any process has assigned since, in the order of assignment."""
        if not self._is_sure:
            self._window.clear()
            self._read_up_to = 0
            self._is_sure = True
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
            self._window.add(row.story_id, row.subject_id, row.first_seen_at, likeness)
            for story in row.merged_stories:
                self._window.merge(int(story), row.story_id)
            for subject in row.merged_subjects:
                self._window.merge_subjects(int(subject), row.subject_id)
            self._read_up_to = row.id


def _cannot_lead(row: Any) -> bool:
    parked = row.due_at is not None and row.due_at >= PARKED
    return row.status is None or row.status in UNABLE or (parked and row.enriched_by is None)


def _is_placed(connection: Connection, item_id: int) -> bool:
    row = connection.execute(select(items.c.story_id).where(items.c.id == item_id)).one_or_none()
    if row is None:
        raise PermanentError("the item is gone")
    return row.story_id is not None


def _make(connection: Connection, item_id: int, label: str | None) -> int:
    """Without a label the story is a private item's: nobody leads it yet."""
    made = stories.insert().values(
        label=(label or "")[:LONGEST_STORY_LABEL],
        representative_id=None if label is None else item_id,
    )
    return int(connection.execute(made.returning(stories.c.id)).scalar_one())


def _join(
    connection: Connection,
    item_id: int,
    story_id: int,
    match: StoryMatch,
    likeness: Likeness,
    now: datetime,
) -> None:
    subject_id = min(match.subjects, default=story_id)
    twins, others = set(match.stories) - {story_id}, set(match.subjects) - {subject_id}
    for twin in twins:
        _merge(connection, twin, story_id)
    if others:
        those = item_likenesses.c.subject_id.in_(others)
        change(connection, item_likenesses, those, subject_id=subject_id)
    row = {
        "item_id": item_id,
        "story_id": story_id,
        "subject_id": subject_id,
        "first_seen_at": now,
        "merged_stories": tuple(map(str, twins)),
        "merged_subjects": tuple(map(str, others)),
        **asdict(likeness),
    }
    connection.execute(item_likenesses.insert().values(row))
    change(connection, items, items.c.id == item_id, story_id=story_id)


def _merge(connection: Connection, story_id: int, into: int) -> None:
    """Its items are the other's, with what reports have told of them; that one keeps its leader."""
    for table in (items, item_likenesses):
        change(connection, table, table.c.story_id == story_id, story_id=into)
    connection.execute(delete(stories).where(stories.c.id == story_id))
