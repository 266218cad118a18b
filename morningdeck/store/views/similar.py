"""What a reader's items are compared by, slice by slice, and what is shown of the nearest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Row, Select, func, select

from morningdeck.model.finding import Comparable
from morningdeck.model.making import Article
from morningdeck.store.database.bulk import in_chunks
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.expressions.slices import A_SLICE, id_ranges
from morningdeck.store.expressions.texts import searched_text, source_name
from morningdeck.store.expressions.visibility import check_item, subscribes, visible_each
from morningdeck.store.tables.news import item_likenesses, item_texts, items, sources, subscriptions
from morningdeck.views.reading import SimilarView

MOST_COMPARED = 100_000
"""The newest of all that was read."""


class SimilarItems(Repository):
    def __init__(
        self, database: Database, *, most: int = MOST_COMPARED, a_slice: int = A_SLICE
    ) -> None:
        super().__init__(database)
        self._most = most
        self._a_slice = a_slice

    def known(self, user_id: int, item_id: int) -> Comparable | None:
        """None of what is not processed, yet or ever."""
        with self._database.read() as connection:
            check_item(connection, user_id, item_id)
            this = _comparable().where(item_likenesses.c.item_id == item_id)
            row = connection.execute(this).one_or_none()
        return None if row is None else _of_row(row)

    def article(self, item_id: int) -> Article:
        """As much of it as tells what it is about."""
        told = select(items.c.title, searched_text().label("text"), items.c.url)
        told = told.add_columns(items.c.author, items.c.language)
        with self._database.read() as connection:
            row = connection.execute(told.outerjoin(item_texts).where(items.c.id == item_id)).one()
        return Article(**row._mapping)

    def slices(self, user_id: int) -> Iterator[Sequence[Comparable]]:
        """What the reader may see, the newest first; no transaction is open in between."""
        newest = self._scalar(select(func.max(item_likenesses.c.id))) or 0
        for first, last in id_ranges(newest, self._most, self._a_slice):
            here = item_likenesses.c.id.between(first, last)
            rows = self._rows(_comparable().where(here, visible_each(user_id)))
            yield list(map(_of_row, rows))

    def shown(self, user_id: int, near: Sequence[tuple[int, float]]) -> tuple[SimilarView, ...]:
        """In the order that they are given, each with how close it is."""
        found = {}
        for chunk in in_chunks(near):
            query = (
                select(items.c.id, items.c.story_id, items.c.title, items.c.url)
                .add_columns(items.c.published_at, source_name().label("source"))
                .join(sources, sources.c.id == items.c.source_id)
                .outerjoin(subscriptions, subscribes(user_id, sources.c.id))
                .where(items.c.id.in_([item_id for item_id, _ in chunk]), visible_each(user_id))
            )
            found.update({row.id: row for row in self._rows(query)})
        return tuple(
            made_of(found[item_id], SimilarView, closeness=round(100 * close))
            for item_id, close in near
            if item_id in found
        )


def _comparable() -> Select[Any]:
    likeness = item_likenesses.c
    return select(likeness.item_id, likeness.story_id, likeness.vector, likeness.title_words).join(
        items, items.c.id == likeness.item_id
    )


def _of_row(row: Row[Any]) -> Comparable:
    return Comparable(row.item_id, row.story_id, row.vector, row.title_words)
