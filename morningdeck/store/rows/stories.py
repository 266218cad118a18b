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

from sqlalchemy import BindParameter, Connection, and_, bindparam, case, delete, select, update

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
    .values(label=bindparam("title"), representative_id=bindparam("leads"))
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
                is_alone = True
                self._catch_up(connection, now)
                if not _is_placed(connection, item_id):
                    label = likeness.title if may_lead else None
                    match = window.match(likeness)
                    story_id = min(match.stories, default=0) or _make(connection, item_id, label)
                    _join(connection, item_id, story_id, match, likeness, now)
        except BaseException:
            if is_alone:  # whoever waited in vain has read nothing
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
        while rows := _PLACED_SINCE.within(
            connection, {"read": self._read_up_to, "since": now - WINDOW}
        ):
            self._take_in(rows)
            if len(rows) < READ_AT_ONCE:
                return

    def _take_in(self, rows: Rows) -> None:
        for row in rows:
            place, story_id, subject_id, seen_at, merged_stories, merged_subjects, *known = row
            self._window.add(story_id, subject_id, seen_at, Likeness(*known))
            for story in merged_stories:
                self._window.merge(int(story), story_id)
            for subject in merged_subjects:
                self._window.merge_subjects(int(subject), subject_id)
            self._read_up_to = place


def _is_placed(connection: Connection, item_id: int) -> bool:
    rows = _STORY.within(connection, {"this": item_id})
    if not rows:
        raise PermanentError("the item is gone")
    return rows[0][0] is not None


def _make(connection: Connection, item_id: int, label: str | None) -> int:
    """Without a label the story is a private item's: nobody leads it yet."""
    leads = None if label is None else item_id
    values = {"title": (label or "")[:LONGEST_STORY_LABEL], "leads": leads}
    ((story_id,),) = _MAKING.within(connection, values)
    return int(story_id)


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
