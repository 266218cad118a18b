"""The sources of a reader: joining, leaving, looking, editing, pausing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, case, delete, func, select

from morningdeck.errors import ConflictError
from morningdeck.model.kinds import SourceType
from morningdeck.model.wanting import NewSource, SourceChanges
from morningdeck.store.database.bulk import change, insert_new
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.places import below
from morningdeck.store.expressions.recent import read_recent
from morningdeck.store.expressions.repository import Repository, found, made_of
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import (
    check_briefing,
    check_source,
    sources_of_reader,
    subscribes,
)
from morningdeck.store.notices.telling import tell_source_is_well
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.queue.line import ask_for_scores
from morningdeck.store.tables.briefs import briefing_subscriptions
from morningdeck.store.tables.news import items, sources, subscriptions
from morningdeck.store.views.sections import follow_briefing
from morningdeck.store.views.shared_sources import (
    ACTIVE,
    ANEW,
    FETCHED,
    INACTIVE,
    due_by,
    find_or_make,
    keep_private,
    lock_sources,
    set_prompt,
    set_topics,
    switch_off,
    switch_on,
    tend,
    welcome,
)
from morningdeck.views.reading import FollowedView, SourceView

FETCHABLE = sources.c.type != SourceType.SAVED.value
IN_ONE_GO = 100
"""Feeds of a list in one transaction: others can write in between."""


class Subscriptions(Repository):
    """`refresh` is how often a source is fetched whose readers set no interval."""

    def __init__(self, database: Database, *, refresh: timedelta = timedelta(minutes=15)) -> None:
        super().__init__(database)
        self._every_seconds = _seconds(refresh)

    # ---- joining and leaving

    def subscribe(
        self,
        user_id: int,
        wanted: NewSource,
        *,
        now: datetime,
        briefing_ids: Collection[int] = (),
    ) -> SourceView:
        with self._database.write() as connection:
            source_id, new = self.subscribe_within(connection, user_id, wanted, now)
            if not new:
                raise ConflictError(f"already subscribed to it: it is source {source_id}")
            _link(connection, user_id, source_id, briefing_ids)
        return self.show(user_id, source_id)

    def subscribe_all(
        self,
        user_id: int,
        all_wanted: Sequence[NewSource],
        *,
        now: datetime,
        briefing_ids: Collection[int] = (),
        progress: Callable[[int], None] = lambda count: None,
    ) -> int:
        """Read all of these; returns how many were not read before."""
        added = 0
        for start in range(0, len(all_wanted), IN_ONE_GO):
            with self._database.write() as connection:
                for wanted in all_wanted[start : start + IN_ONE_GO]:
                    source_id, new = self.subscribe_within(connection, user_id, wanted, now)
                    _link(connection, user_id, source_id, briefing_ids)
                    added += new
            progress(min(start + IN_ONE_GO, len(all_wanted)))
        return added

    def subscribe_within(
        self, connection: Connection, user_id: int, wanted: NewSource, now: datetime
    ) -> tuple[int, bool]:
        """The source, and whether it is new to this reader; within somebody's transaction."""
        source_id = find_or_make(connection, wanted, now)
        if wanted.type == SourceType.EMAIL:
            keep_private(connection, source_id, user_id)
        row = {
            "user_id": user_id,
            "source_id": source_id,
            "name": wanted.name,
            "tags": wanted.tags,
            "refresh_seconds": None if wanted.refresh is None else _seconds(wanted.refresh),
            "since": now,
        }
        new = bool(insert_new(connection, subscriptions, [row], ("user_id", "source_id"), ("id",)))
        if new:
            welcome(connection, source_id, every_seconds=self._every_seconds, now=now)
        return source_id, new

    def remove(self, user_id: int, source_id: int) -> None:
        with self._changing(user_id, source_id) as connection:
            connection.execute(delete(subscriptions).where(subscribes(user_id, source_id)))
            end_what_is_over(connection)

    @contextmanager
    def _changing(self, user_id: int, source_id: int) -> Iterator[Connection]:
        """A transaction on one of the reader's sources, which is tended at its end."""
        with self._database.write() as connection:
            check_source(connection, user_id, source_id)
            yield connection
            tend(connection, source_id, every_seconds=self._every_seconds)

    # ---- looking

    def list(
        self,
        user_id: int,
        limit: int = 50,
        *,
        health: str | None = None,
        before: tuple[datetime, int] | None = None,
    ) -> tuple[SourceView, ...]:
        """The newest first, beyond the beginning and id of the last that was seen."""
        order = (subscriptions.c.since.desc(), subscriptions.c.source_id.desc())
        page = sources_of_reader(user_id).order_by(*order).limit(limit)
        if health is not None:
            page = page.join(sources).where(sources.c.health == health)
        if before is not None:
            place = (subscriptions.c.since, subscriptions.c.source_id)
            page = page.where(below(place, before))
        # SQLite would count the items of all sources before it takes the first few
        query = self._views(user_id).where(sources.c.id.in_(page)).order_by(*order)
        return tuple(_view(row) for row in self._rows(query))

    def followed(self, user_id: int) -> tuple[FollowedView, ...]:
        """All of them in the order in which they were added, without what has to be counted."""
        query = (
            select(sources.c.id, sources.c.type, sources.c.url, subscriptions.c.tags)
            .add_columns(source_name().label("name"))
            .select_from(subscriptions.join(sources))
            .where(subscriptions.c.user_id == user_id)
            .order_by(subscriptions.c.since, sources.c.id)
        )
        return tuple(made_of(row, FollowedView) for row in self._rows(query))

    def retag(self, user_id: int, tag: str, new: str | None) -> int:
        """The sources with that tag have the new one in its place, or none; returns how many."""
        own = subscriptions.c.user_id == user_id
        query = select(subscriptions.c.id, subscriptions.c.tags).where(own)
        changed = 0
        with self._database.write() as connection:
            for row in connection.execute(query.order_by(subscriptions.c.id)).all():
                if tag in row.tags:
                    put = ((new if one == tag else one) for one in row.tags)
                    tags = tuple(dict.fromkeys(one for one in put if one))
                    this = subscriptions.c.id == row.id
                    changed += change(connection, subscriptions, this, tags=tags)
        return changed

    def show(self, user_id: int, source_id: int) -> SourceView:
        query = self._views(user_id).where(sources.c.id == source_id)
        return _view(found(self._rows(query), f"source {source_id}"))

    def arrivals(
        self, user_id: int, source_id: int, since: datetime, limit: int = 10_000
    ) -> Sequence[datetime]:
        """When its newest items were first seen, none before `since`."""
        with self._database.read() as connection:
            check_source(connection, user_id, source_id)
            seen = items.c.first_seen_at
            of = and_(items.c.source_id == source_id, seen >= since)
            return connection.scalars(
                select(seen).where(of).order_by(seen.desc()).limit(limit)
            ).all()

    def _views(self, user_id: int) -> Select[Any]:
        refresh = func.coalesce(subscriptions.c.refresh_seconds, self._every_seconds)
        reason = case((sources.c.health == INACTIVE, sources.c.inactive_reason))
        count = select(func.count()).where(items.c.source_id == sources.c.id).scalar_subquery()
        return (
            select(
                sources,
                subscriptions.c.paused,
                subscriptions.c.tags,
                subscriptions.c.since,
                source_name().label("name"),
                refresh.label("own_refresh_seconds"),
                func.coalesce(reason, sources.c.last_error).label("trouble"),
                count.label("items"),
            )
            .select_from(subscriptions.join(sources))
            .where(subscriptions.c.user_id == user_id)
        )

    # ---- what a reader sets

    def pause(self, user_id: int, source_id: int) -> SourceView:
        with self._changing(user_id, source_id) as connection:
            change(connection, subscriptions, subscribes(user_id, source_id), paused=True)
        return self.show(user_id, source_id)

    def tend_all(self, user_id: int) -> None:
        """The reader was switched on or off: who else is awake counts for each of their sources."""
        theirs = select(subscriptions.c.source_id).where(subscriptions.c.user_id == user_id)
        for source_id in self._column(theirs.order_by(subscriptions.c.source_id)):
            with self._database.write() as connection:
                tend(connection, source_id, every_seconds=self._every_seconds)

    def resume(self, user_id: int, source_id: int, *, now: datetime) -> SourceView:
        """Unpause it for this reader, and switch it on if somebody has switched it off."""
        with self._changing(user_id, source_id) as connection:
            switch_on(connection, source_id, now)
            change(connection, subscriptions, subscribes(user_id, source_id), paused=False)
            ask_for_scores(connection, (source_id,), now)
        return self.show(user_id, source_id)

    def refresh(self, user_id: int, source_id: int, *, now: datetime) -> SourceView:
        """Make it due now, whatever it was waiting for."""
        view = self.show(user_id, source_id)
        if view.health not in FETCHED:
            raise ConflictError(
                f"source {source_id} is {view.health}, use: morningdeck source reset {source_id}"
            )
        if view.paused:
            raise ConflictError(
                f"source {source_id} is paused, use: morningdeck source resume {source_id}"
            )
        with self._changing(user_id, source_id) as connection:
            change(connection, sources, sources.c.id == source_id, due_at=now)
        return self.show(user_id, source_id)

    def reset(self, user_id: int, source_id: int, *, now: datetime) -> SourceView:
        """Forget its failures and its validators, and fetch it now."""
        with self._changing(user_id, source_id) as connection:
            change(connection, sources, sources.c.id == source_id, due_at=now, **ANEW)
            tell_source_is_well(connection, source_id, now)
        return self.show(user_id, source_id)

    def deactivate(self, user_id: int, source_id: int, reason: str = "") -> SourceView:
        """Not fetched until it is reset or resumed, or somebody new subscribes to it."""
        with self._changing(user_id, source_id) as connection:
            switch_off(connection, user_id, source_id, reason)
        return self.show(user_id, source_id)

    def refresh_all(self, user_id: int, *, now: datetime) -> int:
        """Make all that are fetched at all due now; returns how many."""
        awake = sources_of_reader(user_id).where(~subscriptions.c.paused)
        chosen = and_(sources.c.id.in_(awake), FETCHABLE, sources.c.health.in_(FETCHED))
        with self._database.write() as connection:
            lock_sources(connection, chosen)
            return change(connection, sources, chosen, due_at=now)

    def reset_all(self, user_id: int, *, now: datetime) -> int:
        """Also those that are gone or switched off."""
        chosen = and_(sources.c.id.in_(sources_of_reader(user_id)), FETCHABLE)
        ill = select(sources.c.id).where(chosen, sources.c.health != ACTIVE).order_by(sources.c.id)
        with self._database.write() as connection:
            lock_sources(connection, chosen)
            source_ids = connection.scalars(ill).all()
            count = change(connection, sources, chosen, **ANEW, due_at=now)
            for source_id in source_ids:
                tell_source_is_well(connection, source_id, now)
                tend(connection, source_id, every_seconds=self._every_seconds)
        return count

    def edit(
        self, user_id: int, source_id: int, changes: SourceChanges, *, now: datetime
    ) -> SourceView:
        """Name, tags and interval are the reader's; topics and prompt are of the source itself."""
        own: dict[str, Any] = {}
        if changes.name is not None:
            own["name"] = changes.name
        if changes.tags is not None:
            own["tags"] = changes.tags
        if changes.refresh is not None:
            own["refresh_seconds"] = _seconds(changes.refresh)
        with self._changing(user_id, source_id) as connection:
            if changes.prompt is not None:
                set_prompt(connection, user_id, source_id, changes.prompt, now)
            if changes.topics is not None:
                set_topics(connection, source_id, changes.topics)
            if own:
                change(connection, subscriptions, subscribes(user_id, source_id), **own)
            if changes.refresh is not None:
                due_by(connection, source_id, now + changes.refresh)
        return self.show(user_id, source_id)


def _link(
    connection: Connection, user_id: int, source_id: int, briefing_ids: Collection[int]
) -> None:
    """Have these briefings take what the source brings."""
    if not briefing_ids:
        return
    subscription_id = connection.scalar(
        select(subscriptions.c.id).where(subscribes(user_id, source_id))
    )
    for briefing_id in briefing_ids:
        check_briefing(connection, user_id, briefing_id)
    rows = [
        {"briefing_id": briefing_id, "subscription_id": subscription_id}
        for briefing_id in briefing_ids
    ]
    insert_new(connection, briefing_subscriptions, rows, ("briefing_id", "subscription_id"))
    for briefing_id in briefing_ids:
        follow_briefing(connection, briefing_id)


def _seconds(length: timedelta) -> int:
    return max(1, int(length.total_seconds()))


def _view(row: Row[Any]) -> SourceView:
    return made_of(
        row,
        SourceView,
        type=row.type.lower(),
        consecutive_failures=row.failures,
        last_error=row.trouble,
        next_fetch_at=row.due_at,
        refresh_seconds=row.own_refresh_seconds,
        recent=read_recent(row.recent),
    )
