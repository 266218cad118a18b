"""Which items tell the same story: assigned once, one at a time, before enrichment.

The recent items are kept in memory as a window that grows by what others have assigned
since, so that finding a story does not read thousands of vectors again.

An item may tell what two stories tell: then they become one. The items of the younger move
to the older in the same transaction, and the item's row says so to the other processes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    Text,
    and_,
    bindparam,
    case,
    delete,
    exists,
    select,
    update,
)

from morningdeck.errors import PermanentError
from morningdeck.model.kinds import PRIVATE
from morningdeck.model.making import Likeness, StoryMatch, StoryRole
from morningdeck.ports.verbs import StoryWindow
from morningdeck.store.database.bulk import change
from morningdeck.store.database.connect import Database, Lock
from morningdeck.store.database.prepared import Prepared, Rows
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.tables.columns import BigInt
from morningdeck.store.tables.news import item_likenesses, items, sources, stories

WINDOW = timedelta(hours=72)
UNABLE = ("ERROR", "CANCELLED")
"""A leader with one of these statuses is replaced by the next item."""
IN_WORK = ("PENDING", "PROCESSING")
LONGEST_STORY_LABEL = 200
READ_AT_ONCE = 5_000
"""Rows of the window, two kilobytes each; fewer would have PostgreSQL look too often."""

_THIS: BindParameter[int] = bindparam("this", type_=BigInt)
_leader = items.alias("leader")
_ROLE = Prepared(
    select(
        items.c.story_id,
        stories.c.representative_id,
        sources.c.type,
        _leader.c.status,
        _leader.c.enriched_by,
        _leader.c.due_at,
        _leader.c.rescore,
    )
    .join(stories, stories.c.id == items.c.story_id)
    .join(sources, sources.c.id == items.c.source_id)
    .outerjoin(_leader, _leader.c.id == stories.c.representative_id)
    .where(items.c.id == _THIS)
)
_STORY = Prepared(select(items.c.story_id).where(items.c.id == _THIS))
_MAKING = Prepared(
    stories.insert()
    .from_select(
        ["label", "representative_id"],
        select(bindparam("title", type_=Text), bindparam("leads", type_=BigInt)).where(
            exists().where(items.c.id == _THIS, items.c.story_id.is_(None))
        ),
    )
    .returning(stories.c.id)
)
_LIKENESS = tuple(field.name for field in fields(Likeness))
_PLACE = (
    *("item_id", "story_id", "subject_id", "first_seen_at"),
    *("merged_stories", "merged_subjects"),
    *_LIKENESS,
)
_PLACING = Prepared(
    item_likenesses.insert().values({name: bindparam(f"its_{name}") for name in _PLACE})
)
_JOINING = Prepared(update(items).where(items.c.id == _THIS).values(story_id=bindparam("joined")))
_PLACED_SINCE = Prepared(
    select(item_likenesses.c.id, *(item_likenesses.c[name] for name in _PLACE[1:]))
    .where(
        item_likenesses.c.id > bindparam("read"),
        item_likenesses.c.first_seen_at > bindparam("since"),
    )
    .order_by(item_likenesses.c.id)
    .limit(READ_AT_ONCE)
)


class RoleRow(NamedTuple):
    """A story as one of its items sees it; from `status` on, of its leader."""

    story_id: int
    leader: int | None
    source_type: str
    status: str | None
    enriched_by: str | None
    due_at: datetime | None
    rescore: bool | None

    @property
    def cannot_lead(self) -> bool:
        parked = self.due_at is not None and self.due_at >= PARKED
        return self.status is None or self.status in UNABLE or (parked and self.enriched_by is None)

    @property
    def rescores(self) -> bool:
        """Not if it was put off: then each may find out for itself how long it can wait."""
        waits = self.status == "DONE" and bool(self.rescore) and self.due_at is None
        return self.enriched_by is not None and (waits or self.status in IN_WORK)


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
        rows = self._database.run(_ROLE, {"this": item_id})
        if not rows:
            return None
        role = RoleRow(*rows[0])
        if role.leader != item_id and role.cannot_lead and role.source_type not in PRIVATE:
            return self._lead(role.story_id, role.leader, item_id)
        enriched = role.enriched_by is not None
        return StoryRole(role.story_id, role.leader, enriched, role.rescores)

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
        is_alone = False
        try:
            # no disk is waited for: before the item is settled nobody sees its place, and what
            # settles it is safe only together with what was written before
            with self._database.write(lasting=False) as connection:
                self._database.hold(connection, Lock.STORIES)
                rows = self._placed_since(connection, now)
                is_alone = True
                self._catch_up(connection, rows, now)
                match = window.match(likeness)
                leader = item_id if may_lead else None
                story_id = _story_for(connection, item_id, match, leader, likeness.title)
                if story_id is not None:
                    _join(connection, item_id, story_id, match, likeness, now)
        except BaseException:
            if is_alone:  # whoever waited in vain has read nothing
                self._is_sure = False  # what it has read may have been undone
            raise
        if story_id is not None and not match.stories:
            return StoryRole(story_id, leader, enriched=False)
        role = self.role(item_id)
        if role is None:
            raise PermanentError("the item is gone")
        return role

    def _placed_since(self, connection: Connection, now: datetime) -> Rows:
        values = {"read": self._read_up_to, "since": now - WINDOW}
        return _PLACED_SINCE.within(connection, values)

    def _catch_up(self, connection: Connection, rows: Rows, now: datetime) -> None:
        """Add to the window what any process has assigned since, in the order of assignment.

        The lock came with the rows, so others may have added some of them meanwhile.
        """
        if not self._is_sure:
            self._window.clear()
            self._read_up_to = 0
            self._is_sure = True
            rows = self._placed_since(connection, now)
        self._window.forget(now - WINDOW)
        self._take_in(rows)
        while len(rows) == READ_AT_ONCE:
            rows = self._placed_since(connection, now)
            self._take_in(rows)

    def _take_in(self, rows: Rows) -> None:
        for row in rows:
            if row[0] <= self._read_up_to:
                continue
            place, story_id, subject_id, seen_at, merged_stories, merged_subjects, *known = row
            self._window.add(story_id, subject_id, seen_at, Likeness(*known))
            for story in merged_stories:
                self._window.merge(int(story), story_id)
            for subject in merged_subjects:
                self._window.merge_subjects(int(subject), subject_id)
            self._read_up_to = place


def _story_for(
    connection: Connection, item_id: int, match: StoryMatch, leader: int | None, title: str
) -> int | None:
    """One that it tells, else its own; None if it has one already. Without a leader its own is a
    private item's: nobody leads it yet, and it has no name.
    """
    if match.stories:
        placed = _STORY.within(connection, {"this": item_id})
        return min(match.stories) if placed == [(None,)] else None
    label = "" if leader is None else title[:LONGEST_STORY_LABEL]
    made = _MAKING.within(connection, {"this": item_id, "title": label, "leads": leader})
    return int(made[0][0]) if made else None


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
        **{name: getattr(likeness, name) for name in _LIKENESS},
    }
    _PLACING.soon(connection, {f"its_{name}": value for name, value in row.items()})
    _JOINING.soon(connection, {"this": item_id, "joined": story_id})


def _merge(connection: Connection, story_id: int, into: int) -> None:
    """Its items are the other's, with what reports have told of them; that one keeps its leader."""
    for table in (items, item_likenesses):
        change(connection, table, table.c.story_id == story_id, story_id=into)
    connection.execute(delete(stories).where(stories.c.id == story_id))
