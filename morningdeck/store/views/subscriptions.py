"""The sources of a reader: joining, leaving, looking, editing, pausing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, case, delete, func, select, update

from morningdeck.errors import ConflictError, NotFoundError
from morningdeck.model import NewSource, SourceChanges, SourceType
from morningdeck.store.database.connect import Database
from morningdeck.store.database.upsert import insert_new
from morningdeck.store.expressions.from_rows import made_of
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import check_briefing, check_source, subscribes
from morningdeck.store.notices.telling import tell_source_is_well
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.queue.rescoring import ask_for_scores
from morningdeck.store.tables.briefs import briefing_subscriptions
from morningdeck.store.tables.news import items, sources, subscriptions
from morningdeck.store.views.shared_sources import (
    FETCHED,
    INACTIVE,
    find_or_make,
    keep_private,
    tend,
    welcome,
)
from morningdeck.store.views.sources_by_hand import (
    ANEW,
    due_by,
    refresh_all,
    reset_all,
    set_prompt,
    switch_off,
    switch_on,
)
from morningdeck.views import SourceView

IN_ONE_GO = 100
"""Feeds of a list in one transaction: others can write in between."""


class Subscriptions:
    """`refresh` is how often a source is fetched whose readers set no interval."""

    def __init__(self, database: Database, *, refresh: timedelta = timedelta(minutes=15)) -> None:
        self._database = database
        self._every_seconds = _seconds(refresh)

    # ---- joining and leaving

    def subscribe(
        self,
        user_id: int,
        wanted: NewSource,
        *,
        now: datetime,
        due_at: datetime,
        briefing_ids: Collection[int] = (),
    ) -> SourceView:
        with self._database.write() as connection:
            source_id, new = self.subscribe_within(connection, user_id, wanted, now, due_at)
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
        due_at: datetime,
        briefing_ids: Collection[int] = (),
        progress: Callable[[int], None] = lambda count: None,
    ) -> int:
        """Read all of these; returns how many were not read before."""
        added = 0
        for start in range(0, len(all_wanted), IN_ONE_GO):
            with self._database.write() as connection:
                for wanted in all_wanted[start : start + IN_ONE_GO]:
                    source_id, new = self.subscribe_within(connection, user_id, wanted, now, due_at)
                    _link(connection, user_id, source_id, briefing_ids)
                    added += new
            progress(min(start + IN_ONE_GO, len(all_wanted)))
        return added

    def subscribe_within(
        self,
        connection: Connection,
        user_id: int,
        wanted: NewSource,
        now: datetime,
        due_at: datetime,
    ) -> tuple[int, bool]:
        """The source, and whether it is new to this reader; within somebody's transaction."""
        source_id = find_or_make(connection, wanted, due_at)
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
            welcome(
                connection, source_id, every_seconds=self._every_seconds, now=now, due_at=due_at
            )
        return source_id, new

    def remove(self, user_id: int, source_id: int) -> None:
        with self._database.write() as connection:
            check_source(connection, user_id, source_id)
            connection.execute(delete(subscriptions).where(subscribes(user_id, source_id)))
            tend(connection, source_id, every_seconds=self._every_seconds)
            end_what_is_over(connection)

    # ---- looking

    def list(
        self, user_id: int, limit: int = 50, *, health: str | None = None
    ) -> tuple[SourceView, ...]:
        query = (
            self._views(user_id)
            .order_by(subscriptions.c.since.desc(), subscriptions.c.id.desc())
            .limit(limit)
        )
        if health is not None:
            query = query.where(sources.c.health == health)
        with self._database.read() as connection:
            return tuple(_view(row) for row in connection.execute(query))

    def show(self, user_id: int, source_id: int) -> SourceView:
        query = self._views(user_id).where(sources.c.id == source_id)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFoundError(f"there is no source {source_id}")
        return _view(row)

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
        with self._database.write() as connection:
            self._set_paused(connection, user_id, source_id, True)
        return self.show(user_id, source_id)

    def resume(self, user_id: int, source_id: int, *, now: datetime) -> SourceView:
        """Unpause it for this reader, and switch it on if somebody has switched it off."""
        with self._database.write() as connection:
            check_source(connection, user_id, source_id)
            switch_on(connection, source_id, now)
            self._set_paused(connection, user_id, source_id, False)
            ask_for_scores(connection, (source_id,), now)
        return self.show(user_id, source_id)

    def _set_paused(
        self, connection: Connection, user_id: int, source_id: int, paused: bool
    ) -> None:
        check_source(connection, user_id, source_id)
        own = update(subscriptions).where(subscribes(user_id, source_id))
        connection.execute(own.values(paused=paused))
        tend(connection, source_id, every_seconds=self._every_seconds)

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
        with self._database.write() as connection:
            check_source(connection, user_id, source_id)
            self._set(connection, source_id, due_at=now)
        return self.show(user_id, source_id)

    def reset(self, user_id: int, source_id: int, *, now: datetime) -> SourceView:
        """Forget its failures and its validators, and fetch it now."""
        with self._database.write() as connection:
            check_source(connection, user_id, source_id)
            self._set(connection, source_id, due_at=now, **ANEW)
            tell_source_is_well(connection, source_id, now)
        return self.show(user_id, source_id)

    def deactivate(self, user_id: int, source_id: int, reason: str = "") -> SourceView:
        """Not fetched until it is reset or resumed, or somebody new subscribes to it."""
        with self._database.write() as connection:
            switch_off(connection, user_id, source_id, reason)
            tend(connection, source_id, every_seconds=self._every_seconds)
        return self.show(user_id, source_id)

    def refresh_all(self, user_id: int, *, now: datetime) -> int:
        with self._database.write() as connection:
            return refresh_all(connection, user_id, now)

    def reset_all(self, user_id: int, *, now: datetime) -> int:
        with self._database.write() as connection:
            return reset_all(connection, user_id, now, every_seconds=self._every_seconds)

    def edit(
        self, user_id: int, source_id: int, changes: SourceChanges, *, now: datetime
    ) -> SourceView:
        """Name and interval are the reader's; topics and prompt are of the source itself."""
        own: dict[str, Any] = {}
        if changes.name is not None:
            own["name"] = changes.name
        if changes.refresh is not None:
            own["refresh_seconds"] = _seconds(changes.refresh)
        with self._database.write() as connection:
            check_source(connection, user_id, source_id)
            if changes.prompt is not None:
                set_prompt(connection, user_id, source_id, changes.prompt, now)
            if changes.topics is not None:
                of_all = update(sources).where(sources.c.id == source_id)
                connection.execute(of_all.values(topics=changes.topics))
            if own:
                connection.execute(
                    update(subscriptions).where(subscribes(user_id, source_id)).values(**own)
                )
            if changes.refresh is not None:
                tend(connection, source_id, every_seconds=self._every_seconds)
                due_by(connection, source_id, now + changes.refresh)
        return self.show(user_id, source_id)

    def _set(self, connection: Connection, source_id: int, **values: Any) -> None:
        connection.execute(update(sources).where(sources.c.id == source_id).values(**values))
        tend(connection, source_id, every_seconds=self._every_seconds)


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
    )
