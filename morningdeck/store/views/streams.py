"""Items as reader apps ask for them: ids in the order in which they came, texts, unread counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, false, func, not_, or_, select

from morningdeck.model.finding import ItemFilter, Stream, StreamQuery
from morningdeck.store.database.bulk import in_chunks
from morningdeck.store.expressions.places import below, risen_past
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.expressions.visibility import (
    sources_of_reader,
    visible_each,
    visible_newest_first,
)
from morningdeck.store.tables.news import item_texts, items, subscriptions
from morningdeck.store.views import item_filter
from morningdeck.store.views.items import put_read
from morningdeck.views.reading import ArrivalView, BodyView, UnreadView

ORDER = (items.c.first_seen_at, items.c.id)
UNREAD = ItemFilter(unread=True)


class Streams(Repository):
    def arrivals(
        self,
        user_id: int,
        query: StreamQuery,
        limit: int,
        *,
        oldest_first: bool = False,
        beyond: tuple[datetime, int] | None = None,
    ) -> tuple[ArrivalView, ...]:
        """The last to come first, or the first, beyond the place of the last that was seen."""
        page = select(items.c.id, items.c.source_id, items.c.first_seen_at).limit(limit)
        page = page.order_by(*(ORDER if oldest_first else [one.desc() for one in ORDER]))
        if beyond is not None:
            page = page.where((risen_past if oldest_first else below)(ORDER, beyond))
        with self._database.read() as connection:
            page = page.where(visible_newest_first(self._database, connection, user_id))
            rows = connection.execute(page.where(*_conditions(connection, user_id, query)))
            return tuple(made_of(row, ArrivalView) for row in rows)

    def mark_read(self, user_id: int, query: StreamQuery, *, at: datetime) -> int:
        """All that the reader sees of these; returns how many were unread."""
        with self._database.write() as connection:
            chosen = _conditions(connection, user_id, query)
            return put_read(connection, user_id, *chosen, at=at)

    def bodies(self, user_id: int, ids: Sequence[int]) -> dict[int, BodyView]:
        """The texts of those of them that the reader sees."""
        found: dict[int, BodyView] = {}
        with self._database.read() as connection:
            for chunk in in_chunks(ids):
                query = (
                    select(
                        items.c.id,
                        func.coalesce(item_texts.c.raw_content, "").label("html"),
                        func.coalesce(item_texts.c.clean_content, "").label("told"),
                        func.coalesce(item_texts.c.web_content, "").label("page"),
                    )
                    .outerjoin(item_texts, item_texts.c.item_id == items.c.id)
                    .where(items.c.id.in_(chunk), visible_each(user_id))
                )
                for row in connection.execute(query):
                    found[row.id] = made_of(row, BodyView)
        return found

    def unread_by_source(self, user_id: int) -> dict[int, UnreadView]:
        """Of each of the reader's sources, also where all is read."""
        count = (
            select(items.c.source_id, func.count().label("count"))
            .where(items.c.source_id.in_(sources_of_reader(user_id)))
            .where(*item_filter.conditions(user_id, UNREAD))
            .group_by(items.c.source_id)
            .subquery()
        )
        newest = (
            select(func.max(items.c.first_seen_at))
            .where(items.c.source_id == subscriptions.c.source_id)
            .scalar_subquery()
        )
        query = (
            select(
                subscriptions.c.source_id,
                func.coalesce(count.c.count, 0).label("count"),
                newest.label("newest_at"),
            )
            .outerjoin(count, count.c.source_id == subscriptions.c.source_id)
            .where(subscriptions.c.user_id == user_id)
        )
        return {row.source_id: made_of(row, UnreadView) for row in self._rows(query)}

    def unread_of_briefing(self, user_id: int, briefing_id: int, min_score: int) -> UnreadView:
        """Of what it scored as high as that; its newest is the newest that is unread."""
        only = ItemFilter(briefing_id=briefing_id, min_score=min_score)
        with self._database.read() as connection:
            item_filter.check_filter(connection, user_id, only)
            query = select(
                func.count().label("count"), func.max(items.c.first_seen_at).label("newest_at")
            ).where(
                visible_newest_first(self._database, connection, user_id),
                # collected once: to look for each item by itself takes SQLite three times as long
                items.c.id.in_(item_filter.scored(user_id, only)),
                *item_filter.conditions(user_id, UNREAD),
            )
            return made_of(connection.execute(query).one(), UnreadView)


def _conditions(
    connection: Connection, user_id: int, query: StreamQuery
) -> list[ColumnElement[bool]]:
    chosen = [_within(connection, user_id, stream) for stream in query.all_of]
    chosen += [not_(_within(connection, user_id, stream)) for stream in query.none_of]
    if query.seen_from is not None:
        chosen.append(items.c.first_seen_at >= query.seen_from)
    if query.seen_until is not None:
        chosen.append(items.c.first_seen_at <= query.seen_until)
    return chosen


def _within(connection: Connection, user_id: int, stream: Stream) -> ColumnElement[bool]:
    ways: list[ColumnElement[bool]] = []
    for one in stream.filters:
        item_filter.check_filter(connection, user_id, one)
        conditions = item_filter.conditions(user_id, one)
        if not conditions:  # everything is in it
            return items.c.id.is_not(None)
        ways.append(and_(*conditions))
    if stream.source_ids:
        ways.append(items.c.source_id.in_(stream.source_ids))
    return or_(*ways) if ways else false()
