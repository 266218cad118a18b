"""Items as a reader sees them: of the reader's sources, with the reader's scores and marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, func, select, true

from morningdeck.errors import ConflictError
from morningdeck.model.finding import ItemFilter
from morningdeck.model.making import Tags
from morningdeck.model.query import AllOf, Asks
from morningdeck.store.database.bulk import change, in_chunks, put
from morningdeck.store.expressions.places import below
from morningdeck.store.expressions.repository import Repository, found, grouped, made_of, names_in
from morningdeck.store.expressions.search_marks import mark_for_search
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import (
    briefings_of_reader,
    check_item,
    sources_of_reader,
    subscribes,
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
    item_likenesses,
    item_profiles,
    item_states,
    items,
    sources,
    subscriptions,
)
from morningdeck.store.views import item_filter
from morningdeck.store.views.asked_conditions import asked_condition
from morningdeck.views.reading import ItemView, RelatedView, ScoreView

EVERYTHING, NO_LIMITS = ItemFilter(), AllOf()
_FIELDS = {field.name for field in fields(ItemView)}
_SHOWN = (*(column for column in items.c if column.key in _FIELDS), items.c.last_error)
_SCORED = (
    item_scores.c.item_id,
    *(item_scores.c[name] for name in ("briefing_id", "score", "reason", "feedback", "scored_by")),
)
MOST_RELATED = 5
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
                return _views(connection, user_id, connection.scalars(page).all())
            table = self._database.search_table
            wanted = partial(asked_condition, connection, table, user_id, asks)
            ids = _newest_asked(connection, page, wanted, limit, before)
            return _views(connection, user_id, ids)

    def show(self, user_id: int, item_id: int) -> ItemView:
        page = select(items.c.id).where(items.c.id == item_id, visible(user_id))
        with self._database.read() as connection:
            views = _views(connection, user_id, connection.scalars(page).all())
            related = _see_also(connection, user_id, item_id) if views else ()
        return replace(found(views, f"item {item_id}"), see_also=related)

    def those(self, user_id: int, ids: Sequence[int]) -> Mapping[int, ItemView]:
        """Of these the ones that the reader may see, by their ids."""
        with self._database.read() as connection:
            seen = [
                item_id
                for chunk in in_chunks(ids)
                for item_id in connection.scalars(
                    select(items.c.id).where(
                        items.c.id.in_(chunk), visible_each(self._database, user_id)
                    )
                )
            ]
            return {view.id: view for view in _views(connection, user_id, seen)}

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
                    select(items.c.id).where(items.c.id.in_(chunk), visible(user_id), *unread)
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
            return _views(connection, user_id, self._seen(connection, user_id, ids))

    def _seen(self, connection: Connection, user_id: int, ids: Sequence[int]) -> tuple[int, ...]:
        """Each once, in their order."""
        there = visible_each(self._database, user_id)
        queries = (select(items.c.id).where(items.c.id.in_(some), there) for some in in_chunks(ids))
        seen = {item_id for query in queries for item_id in connection.scalars(query)}
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


def _views(connection: Connection, user_id: int, ids: Sequence[int]) -> tuple[ItemView, ...]:
    """One view for each, in the order of the ids."""
    found: dict[int, ItemView] = {}
    for chunk in in_chunks(ids):
        scores = _scores(connection, user_id, chunk)
        for row in connection.execute(_rows(user_id).where(items.c.id.in_(chunk))):
            found[row.id] = _view(row, scores.get(row.id, ()))
    return tuple(found[item_id] for item_id in ids if item_id in found)


def _rows(user_id: int) -> Select[Any]:
    others = items.alias("others")
    also_in = (
        select(func.count())
        .where(
            others.c.story_id == items.c.story_id,
            others.c.id != items.c.id,
            others.c.source_id.in_(sources_of_reader(user_id)),
        )
        .scalar_subquery()
    )
    own_mark = and_(item_states.c.item_id == items.c.id, item_states.c.user_id == user_id)
    return (
        select(
            *_SHOWN,
            item_states.c.read_at,
            item_states.c.saved_at,
            also_in.label("also_in"),
            source_name().label("source"),
            sources.c.topics.label("source_topics"),
        )
        .select_from(items.join(sources))
        .outerjoin(subscriptions, subscribes(user_id, items.c.source_id))
        .outerjoin(item_states, own_mark)
    )


def _see_also(connection: Connection, user_id: int, item_id: int) -> tuple[RelatedView, ...]:
    """The newest stories on its subject, one item of each."""
    mine, others = item_likenesses.alias("mine"), item_likenesses.alias("others")
    newest = (
        select(items.c.story_id, func.max(items.c.id).label("id"))
        .join(others, others.c.item_id == items.c.id)
        .join(mine, and_(mine.c.subject_id == others.c.subject_id, mine.c.item_id == item_id))
        .where(others.c.story_id != mine.c.story_id, visible(user_id))
        .group_by(items.c.story_id)
        .order_by(func.max(items.c.id).desc())
        .limit(MOST_RELATED)
        .subquery()
    )
    query = select(items.c.id, items.c.title, items.c.url).join(newest, newest.c.id == items.c.id)
    rows = connection.execute(query.order_by(items.c.id.desc()))
    return tuple(RelatedView(*row) for row in rows)


def _scores(
    connection: Connection, user_id: int, ids: Sequence[int]
) -> dict[int, tuple[ScoreView, ...]]:
    query = (
        select(*_SCORED)
        .where(
            item_scores.c.item_id.in_(ids),
            item_scores.c.briefing_id.in_(briefings_of_reader(user_id)),
        )
        .order_by(item_scores.c.briefing_id)
    )
    return grouped(
        (row.item_id, made_of(row, ScoreView, by=row.scored_by))
        for row in connection.execute(query)
    )


def _view(row: Row[Any], scores: tuple[ScoreView, ...]) -> ItemView:
    names = names_in(row.tags, row.source_topics)
    return made_of(
        row,
        ItemView,
        see_also=(),
        tags=Tags(**names, sentiment=row.tags.get("sentiment", "neutral")),
        scores=scores,
        error=row.last_error,
        read=row.read_at is not None,
        saved=row.saved_at is not None,
    )
