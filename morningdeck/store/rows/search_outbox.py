"""What the search index is to be told: items that have changed, or are gone, since it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select, tuple_

from morningdeck import notice_texts
from morningdeck.model.finding import SearchDocument
from morningdeck.model.indexing import Refusal
from morningdeck.store.database.bulk import change, in_chunks, insert_new
from morningdeck.store.database.connect import Lock
from morningdeck.store.expressions.repository import Repository, grouped, made_of, names_in
from morningdeck.store.expressions.search_marks import mark_for_search
from morningdeck.store.expressions.texts import searched_text
from morningdeck.store.notices.telling import (
    SEARCH_REFUSED,
    open_subjects,
    tell_admins,
    tell_end,
)
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.news import (
    item_date,
    item_states,
    item_texts,
    items,
    next_search_mark,
    search_gone,
    sources,
)
from morningdeck.store.tables.running import tallies

INDEXED = (
    items.c.id,
    items.c.search_mark.label("mark"),
    items.c.source_id,
    items.c.title,
    items.c.summary,
    items.c.author,
    items.c.tags,
    items.c.category,
    items.c.language,
    items.c.published_at,
    items.c.first_seen_at.label("created_at"),
    item_date.label("dated_at"),
    sources.c.topics.label("source_topics"),
)
INDEX_COMPARED = "index compared"
"""Counted on the day of a night."""


class SearchOutbox(Repository):
    def alone(self) -> AbstractContextManager[bool]:
        """Yields whether nobody else fills the index."""
        return self._database.held_if_free(Lock.INDEXING)

    # ---- by night

    def alone_comparing(self) -> AbstractContextManager[bool]:
        """Yields whether nobody else compares the index with what is here."""
        return self._database.held_if_free(Lock.COMPARING)

    def was_compared(self, day: date) -> bool:
        query = select(tallies.c.day).where(tallies.c.day == day, tallies.c.what == INDEX_COMPARED)
        return self._scalar(query) is not None

    def has_compared(self, day: date) -> None:
        row = {"day": day, "what": INDEX_COMPARED, "number": 1}
        with self._database.write() as connection:
            insert_new(connection, tallies, [row], ("day", "what"))

    # ---- reading

    def gone(self, limit: int) -> tuple[int, ...]:
        """The ids of removed items."""
        query = select(search_gone.c.item_id).order_by(search_gone.c.item_id).limit(limit)
        return self._column(query)

    def documents(self, limit: int, after: int = 0) -> tuple[SearchDocument, ...]:
        """Of the items that have changed, in the order of their ids, from above that one."""
        changed = _documents().where(items.c.search_mark > 0, items.c.id > after)
        return self._documents(changed.limit(limit))

    def after(self, item_id: int, limit: int) -> tuple[SearchDocument, ...]:
        """Of all items with higher ids, changed or not."""
        return self._documents(_documents().where(items.c.id > item_id).limit(limit))

    def between(self, first: int, last: int) -> tuple[SearchDocument, ...]:
        """Of all items with these ids, both included."""
        return self._documents(_documents().where(items.c.id.between(first, last)))

    def _documents(self, query: Select[Any]) -> tuple[SearchDocument, ...]:
        with self._database.read() as connection:
            rows = connection.execute(query).all()
            of_readers = _of_readers(connection, [row.id for row in rows])
        return tuple(_document(row, of_readers) for row in rows)

    def highest(self) -> int:
        return self._scalar(select(func.max(items.c.id))) or 0

    def count(self) -> int:
        return self._scalar(select(func.count()).select_from(items)) or 0

    def waits(self) -> bool:
        marked = select(items.c.id).where(items.c.search_mark > 0)
        query = marked.union_all(select(search_gone.c.item_id)).limit(1)
        with self._database.read() as connection:
            return connection.execute(query).first() is not None

    # ---- writing

    def clear(self, documents: Sequence[SearchDocument], gone: Sequence[int] = ()) -> None:
        """Clear the marks that these documents were made for; one that has grown since stays.
        What is gone is forgotten.

        A row that another transaction is writing is skipped and will be indexed again: to wait
        for it while holding other rows could deadlock with a heartbeat. One that somebody has
        cleared for a later document is marked again: it may have been overwritten by this one.
        """
        marks = [(document.id, document.mark) for document in documents if document.mark > 0]
        for chunk in in_chunks(marks):
            pick = (
                select(items.c.id)
                .where(tuple_(items.c.id, items.c.search_mark).in_(chunk))
                .with_for_update(skip_locked=True)
                .cte("pick")
            )
            picked = items.c.id.in_(select(pick.c.id))
            later = tuple_(items.c.id, -items.c.search_mark).not_in(chunk)
            pushed = items.c.id.in_([item_id for item_id, _ in chunk])
            with self._database.write() as connection:
                change(connection, items, picked, search_mark=-items.c.search_mark)
                overwritten = (pushed, items.c.search_mark < 0, later)
                change(connection, items, *overwritten, search_mark=next_search_mark)
        for those in in_chunks(gone):
            with self._database.write() as connection:
                connection.execute(delete(search_gone).where(search_gone.c.item_id.in_(those)))

    def mark(self, item_ids: Sequence[int]) -> None:
        """Have these indexed again."""
        for chunk in in_chunks(item_ids):
            with self._database.write() as connection:
                mark_for_search(connection, items.c.id.in_(chunk))

    def forget_gone(self) -> None:
        """Where no index is told of them."""
        with self._database.write() as connection:
            connection.execute(delete(search_gone))

    def forget(self, item_ids: Sequence[int]) -> None:
        """Have these removed: there are no such items."""
        for chunk in in_chunks(item_ids):
            those = select(items.c.id).where(items.c.id.in_(chunk))
            with self._database.write() as connection:
                there = set(connection.scalars(those))  # one that came just now is there
                rows = [{"item_id": item_id} for item_id in chunk if item_id not in there]
                insert_new(connection, search_gone, rows, ("item_id",))

    def tell(self, refused: Iterable[Refusal], taken: Iterable[int], now: datetime) -> None:
        """Whoever runs the deck, of documents that the index does not take; until it does."""
        with self._database.write() as connection:
            for one in refused:
                text = notice_texts.search_refused(one.id, one.why)
                tell_admins(connection, SEARCH_REFUSED, str(one.id), text)
            told = {int(subject) for subject in open_subjects(connection, SEARCH_REFUSED)}
            for item_id in told.intersection(taken):
                tell_end(connection, SEARCH_REFUSED, str(item_id), now)


def _documents() -> Select[Any]:
    return (
        select(*INDEXED, searched_text().label("content"))
        .select_from(items.join(sources).outerjoin(item_texts))
        .order_by(items.c.id)
    )


def _document(row: Row[Any], of_readers: Mapping[str, Mapping[int, Any]]) -> SearchDocument:
    return made_of(
        row,
        SearchDocument,
        author=row.author or "",
        sentiment=row.tags.get("sentiment", ""),
        **{what: found.get(row.id, ()) for what, found in of_readers.items()},
        **names_in(row.tags, row.source_topics),
    )


def _of_readers(connection: Connection, ids: Sequence[int]) -> Mapping[str, Mapping[int, Any]]:
    """What each item is to its readers: who has read it, who saved it, its scores."""
    marks = select(item_states).where(item_states.c.item_id.in_(ids))
    states = connection.execute(marks.order_by(item_states.c.user_id)).all()
    scores = connection.execute(_scores(ids)).all()
    best: dict[tuple[int, int], int] = {}
    for row in scores:
        whose = (row.item_id, row.user_id)
        best[whose] = max(row.score, best.get(whose, 0))
    return {
        "read_by": grouped((row.item_id, row.user_id) for row in states if row.read_at),
        "saved_by": grouped((row.item_id, row.user_id) for row in states if row.saved_at),
        "scores": grouped((row.item_id, (row.briefing_id, row.score)) for row in scores),
        "best": grouped((item, (user, score)) for (item, user), score in sorted(best.items())),
    }


def _scores(ids: Sequence[int]) -> Select[Any]:
    """The best by each briefing with its sections."""
    whole = func.coalesce(briefings.c.section_of, briefings.c.id).label("briefing_id")
    of = (item_scores.c.item_id, whole, briefings.c.user_id)
    return (
        select(*of, func.max(item_scores.c.score).label("score"))
        .join(briefings, briefings.c.id == item_scores.c.briefing_id)
        .where(item_scores.c.item_id.in_(ids))
        .group_by(*of)
        .order_by(item_scores.c.item_id, whole)
    )
