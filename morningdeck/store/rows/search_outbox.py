"""The search index's outbox: items that have changed, or are gone, since they were indexed."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select, tuple_

from morningdeck.model.finding import SearchDocument
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.repository import Repository, made_of, names_in
from morningdeck.store.expressions.texts import searched_text
from morningdeck.store.tables.news import item_texts, items, search_gone

INDEXED = (
    items.c.id,
    items.c.search_mark.label("mark"),
    items.c.source_id,
    items.c.title,
    items.c.summary,
    items.c.author,
    items.c.tags,
)


class SearchOutbox(Repository):
    def gone(self, limit: int) -> tuple[int, ...]:
        """The ids of removed items."""
        query = select(search_gone.c.item_id).order_by(search_gone.c.item_id).limit(limit)
        return self._column(query)

    def documents(self, limit: int) -> tuple[SearchDocument, ...]:
        """The longest waiting first."""
        query = (
            select(*INDEXED, searched_text().label("content"))
            .outerjoin(item_texts)
            .where(items.c.search_mark > 0)
            .order_by(items.c.id)
            .limit(limit)
        )
        return tuple(
            made_of(row, SearchDocument, author=row.author or "", **names_in(row.tags))
            for row in self._rows(query)
        )

    def clear(self, documents: Sequence[SearchDocument], gone: Sequence[int] = ()) -> None:
        """Clear the marks that these documents were made for; one that has grown since stays.
        What is gone is forgotten.

        A row that another transaction is writing is skipped and will be indexed again: to wait
        for it while holding other rows could deadlock with a heartbeat.
        """
        marks = [(document.id, document.mark) for document in documents]
        pick = (
            select(items.c.id)
            .where(tuple_(items.c.id, items.c.search_mark).in_(marks))
            .with_for_update(skip_locked=True)
            .cte("pick")
        )
        with self._database.write() as connection:
            change(connection, items, items.c.id.in_(select(pick.c.id)), search_mark=0)
            connection.execute(delete(search_gone).where(search_gone.c.item_id.in_(gone)))

    def mark_all(self) -> int:
        """Have every item indexed again; returns how many there are."""
        return self._change(items, search_mark=items.c.search_mark + 1)

    def waits(self) -> bool:
        marked = select(items.c.id).where(items.c.search_mark > 0)
        query = marked.union_all(select(search_gone.c.item_id)).limit(1)
        with self._database.read() as connection:
            return connection.execute(query).first() is not None
