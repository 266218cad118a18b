"""Items as a reader sees them: of the reader's sources, with the reader's scores and marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select, true

from morningdeck.errors import ConflictError
from morningdeck.model.finding import ItemFilter
from morningdeck.model.query import AllOf, Asks
from morningdeck.store.database.bulk import change, in_chunks, put
from morningdeck.store.expressions.places import below
from morningdeck.store.expressions.repository import Repository, found
from morningdeck.store.expressions.search_marks import mark_for_search
from morningdeck.store.expressions.visibility import (
    READER,
    THESE,
    briefings_of_reader,
    check_item,
    visible,
    visible_each,
    visible_newest_first,
)
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.queue.line import line_up
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.columns import UtcTime
from morningdeck.store.tables.news import (
    dead_letter,
    item_date,
    item_profiles,
    item_states,
    items,
)
from morningdeck.store.views import item_filter
from morningdeck.store.views.asked_conditions import asked_condition
from morningdeck.store.views.shown_items import see_also, views
from morningdeck.views.reading import ItemView

EVERYTHING, NO_LIMITS = ItemFilter(), AllOf()
_THERE = select(items.c.id).where(items.c.id.in_(THESE), visible_each(READER))
LOOKED_AT_FIRST = 2_000


class Items(Repository):
    def list(
        self,
        user_id: int,
        only: ItemFilter = EVERYTHING,
        limit: int = 50,
        *,
        asks: Asks = NO_LIMITS,
        before: tuple[datetime, int] | None = None,
    ) -> tuple[ItemView, ...]:
        """The newest first, beyond the date and id of the last that was seen."""
        page = (
            select(items.c.id)
            .where(*item_filter.conditions(user_id, only))
            .order_by(item_date.desc(), items.c.id.desc())
            .limit(limit)
        )
        if before is not None:
            page = page.where(below((item_date, items.c.id), before))
        with self._database.read() as connection:
            if not only.saved:  # which the reader sees as it is
                page = page.where(visible_newest_first(self._database, connection, user_id))
            item_filter.check_filter(connection, user_id, only)
            if asks == NO_LIMITS:
                return views(connection, user_id, connection.scalars(page).all())
            table = self._database.search_table
            wanted = partial(asked_condition, connection, table, user_id, asks)
            ids = _newest_asked(connection, page, wanted, limit, before)
            return views(connection, user_id, ids)

    def show(self, user_id: int, item_id: int) -> ItemView:
        with self._database.read() as connection:
            shown = views(connection, user_id, self._seen(connection, user_id, (item_id,)))
            related = see_also(connection, user_id, item_id) if shown else ()
        return replace(found(shown, f"item {item_id}"), see_also=related)

    def those(self, user_id: int, ids: Sequence[int]) -> Mapping[int, ItemView]:
        """Of these the ones that the reader may see, by their ids."""
        with self._database.read() as connection:
            seen = self._seen(connection, user_id, ids)
            return {view.id: view for view in views(connection, user_id, seen)}

    def mark_read(self, user_id: int, item_id: int, at: datetime | None) -> ItemView:
        """Read at that time, or unread."""
        view = self._mark(user_id, item_id, read_at=at)
        return replace(view, read=at is not None)

    def mark_saved(self, user_id: int, item_id: int, at: datetime | None) -> ItemView:
        """Saved at that time, or no longer: then it is gone if the reader has left its source."""
        view = self._mark(user_id, item_id, saved_at=at)
        return replace(view, saved=at is not None)

    def _mark(self, user_id: int, item_id: int, **values: datetime | None) -> ItemView:
        view = self.show(user_id, item_id)
        with self._database.write() as connection:
            put_state(connection, user_id, (item_id,), **values)
        return view

    def mark_all_read(
        self,
        user_id: int,
        only: ItemFilter = EVERYTHING,
        *,
        at: datetime,
        until: datetime | None = None,
    ) -> int:
        """All that the reader sees of these, up to that date; returns how many were unread."""
        soon_enough = true() if until is None else item_date <= until
        with self._database.write() as connection:
            item_filter.check_filter(connection, user_id, only)
            chosen = item_filter.conditions(user_id, only)
            return put_read(connection, user_id, soon_enough, *chosen, at=at)

    def mark_these_read(self, user_id: int, ids: Sequence[int], *, at: datetime) -> int:
        """Those of them that the reader sees; returns how many were unread."""
        unread = item_filter.conditions(user_id, ItemFilter(unread=True))
        with self._database.write() as connection:
            seen = [
                item_id
                for chunk in in_chunks(ids)
                for item_id in connection.scalars(
                    select(items.c.id).where(items.c.id.in_(chunk), visible_each(user_id), *unread)
                )
            ]
            put_state(connection, user_id, sorted(seen), read_at=at)
        return len(seen)

    def mark_these(
        self, user_id: int, ids: Sequence[int], **marks: datetime | None
    ) -> tuple[int, ...]:
        """Set `read_at` or `saved_at` of those of them that the reader sees; returns which."""
        with self._database.write() as connection:
            seen = self._seen(connection, user_id, ids)
            put_state(connection, user_id, sorted(seen), **marks)
        return seen

    def some(self, user_id: int, ids: Sequence[int]) -> tuple[ItemView, ...]:
        """Those of them that the reader sees, in the order of the ids."""
        with self._database.read() as connection:
            return views(connection, user_id, self._seen(connection, user_id, ids))

    def _seen(self, connection: Connection, user_id: int, ids: Sequence[int]) -> tuple[int, ...]:
        """Each once, in their order."""
        seen = {
            item_id
            for chunk in in_chunks(ids)
            for item_id in connection.scalars(_THERE, {"reader": user_id, "these": list(chunk)})
        }
        return tuple(item_id for item_id in dict.fromkeys(ids) if item_id in seen)

    def unmark_read(self, user_id: int, *, at: datetime) -> int:
        """As if nothing had been marked as read at that very moment; returns how many were."""
        then = select(item_states.c.item_id).where(
            item_states.c.user_id == user_id, item_states.c.read_at == at
        )
        with self._database.write() as connection:
            ids = connection.scalars(then.order_by(item_states.c.item_id)).all()
            put_state(connection, user_id, ids, read_at=None)
        return len(ids)

    def rate(self, user_id: int, item_id: int, feedback: int) -> ItemView:
        """A thumb up (1), down (-1) or none (0), for the briefings that scored it."""
        own = item_scores.c.briefing_id.in_(briefings_of_reader(user_id))
        scores = and_(item_scores.c.item_id == item_id, own)
        with self._database.write() as connection:
            check_item(connection, user_id, item_id)
            if not change(connection, item_scores, scores, feedback=feedback):
                raise ConflictError(f"no briefing of yours has scored item {item_id} yet")
            this, marked = item_profiles.c.item_id == item_id, item_profiles.c.mark + 1
            change(connection, item_profiles, this, mark=marked)
        return self.show(user_id, item_id)

    def retry(self, user_id: int, item_id: int) -> ItemView:
        """A dead letter waits again, as if it had never failed."""
        dead = and_(items.c.id == item_id, dead_letter)
        with self._database.write() as connection:
            check_item(connection, user_id, item_id)
            if not line_up(connection, dead, failures=0, losses=0):
                raise ConflictError(f"item {item_id} is no dead letter: only ERROR is retried")
            end_what_is_over(connection)
        return self.show(user_id, item_id)


def put_read(
    connection: Connection, user_id: int, *which: ColumnElement[bool], at: datetime
) -> int:
    """The reader has read what they see of these; returns how many were unread."""
    unread = item_filter.conditions(user_id, ItemFilter(unread=True))
    those = select(items.c.id).where(visible(user_id), *which, *unread).order_by(items.c.id)
    ids = connection.scalars(those).all()
    put_state(connection, user_id, ids, read_at=at)
    return len(ids)


def put_state(
    connection: Connection, user_id: int, item_ids: Sequence[int], **values: datetime | None
) -> None:
    """What a reader has done with these items, as the search index is to show.

    Items first: whoever clears their marks locks them first too.
    """
    for chunk in in_chunks(item_ids):
        there = mark_for_search(connection, items.c.id.in_(chunk))
        rows = [{"user_id": user_id, "item_id": item_id, **values} for item_id in there]
        put(connection, item_states, rows, ("user_id", "item_id"))


def _newest_asked(
    connection: Connection,
    page: Select[int],
    wanted: Callable[..., ColumnElement[bool]],
    limit: int,
    before: tuple[datetime, int] | None,
) -> Sequence[int]:
    """First among the newest of all: what many items have fills a page there, and to look up all
    that have it in the index would take long.
    """
    newest = select(items.c.id, item_date.label("date"))
    newest = newest.order_by(item_date.desc(), items.c.id.desc()).limit(LOOKED_AT_FIRST)
    if before is not None:
        newest = newest.where(below((item_date, items.c.id), before))
    these = newest.subquery()
    first, since = connection.execute(
        select(func.min(these.c.id), func.min(these.c.date, type_=UtcTime()))
    ).one()
    if first is None:
        return ()
    ids = connection.scalars(page.where(item_date >= since, wanted(first))).all()
    return ids if len(ids) >= limit else connection.scalars(page.where(wanted())).all()
