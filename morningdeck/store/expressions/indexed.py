"""Items in the database's own search index: whoever changes what it holds of an item, changes the
index in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, bindparam, delete, select

from morningdeck.asked.indexed import index_names, index_words
from morningdeck.model.reading import Entry
from morningdeck.store.database.bulk import in_chunks
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.database.search_table import INDEX, TABLES_BY_KIND
from morningdeck.store.expressions.repository import NAMED, names_in
from morningdeck.store.expressions.texts import searched_text
from morningdeck.store.tables.columns import storable
from morningdeck.store.tables.news import item_texts, items, sources

if TYPE_CHECKING:
    from morningdeck.store.database.search_table import IndexWords

_HELD = (
    select(
        items.c.id,
        items.c.title,
        items.c.summary,
        items.c.author,
        items.c.language,
        items.c.tags,
        sources.c.topics.label("source_topics"),
        searched_text().label("content"),
    )
    .select_from(items.join(sources).outerjoin(item_texts))
    .order_by(items.c.id)
    .with_for_update(of=items, key_share=True)
)
"""Nobody may change one between its reading and its indexing."""
_NAMES = tuple(column.name for column in _HELD.selected_columns)
_READING = Prepared(_HELD.where(items.c.id == bindparam("this")))
_TOPICS = Prepared(select(sources.c.topics).where(sources.c.id == bindparam("source")))


def index_items(connection: Connection, ids: Collection[int]) -> None:
    """As they are now."""
    table = TABLES_BY_KIND[connection.dialect.name]
    for chunk in in_chunks(sorted(ids)):
        found = connection.execute(_HELD.where(items.c.id.in_(chunk))).all()
        rows = [table.row(row.id, _words(row)) for row in found]
        if table.replaces:
            unindex(connection, chunk)
        if rows:
            table.add(connection, rows)


def index_new(
    connection: Connection,
    source_id: int,
    entries: Sequence[tuple[int, Entry]],
    enriched: Collection[str],
) -> None:
    """Items as they have just been stored, with their ids: nobody has made anything of them yet.
    With stems where it will never be `enriched`, which brings them.
    """
    table = TABLES_BY_KIND[connection.dialect.name]
    ((topics,),) = _TOPICS.within(connection, {"source": source_id})
    about = index_names(topics)
    rows = [
        table.row(item_id, {**_told(entry, entry.guid not in enriched), "topics": about})
        for item_id, entry in entries
    ]
    table.add(connection, rows)


def _told(entry: Entry, stemmed: bool) -> dict[str, Sequence[str]]:
    language = entry.language if stemmed else None
    return {
        "title": index_words(storable(entry.title), language),
        "summary": (),
        "names": (),
        "author": index_words(storable(entry.author or "")),
        "content": index_words(storable(entry.text) or storable(entry.html), language),
    }


def index_item(connection: Connection, item_id: int) -> None:
    """As `index_items`, for the one item of a job: every job does it."""
    table = TABLES_BY_KIND[connection.dialect.name]
    for values in _READING.within(connection, {"this": item_id}):
        words = _words(SimpleNamespace(**dict(zip(_NAMES, values, strict=True))))
        if table.replaces:
            _unindexing(connection.dialect.name).within(connection, {"this": item_id})
        table.add(connection, [table.row(item_id, words)])


def unindex(connection: Connection, ids: Collection[int]) -> None:
    table = TABLES_BY_KIND[connection.dialect.name]
    connection.execute(delete(INDEX).where(table.item_id.in_(ids)))


@cache
def _unindexing(kind: str) -> Prepared:
    return Prepared(delete(INDEX).where(TABLES_BY_KIND[kind].item_id == bindparam("this")))


def _words(row: Any) -> IndexWords:
    names, language = names_in(row.tags, row.source_topics), row.language
    return {
        "title": index_words(row.title, language),
        "summary": index_words(row.summary, language),
        "topics": index_names(names["topics"], language),
        "names": index_names([name for of in NAMED if of != "topics" for name in names[of]]),
        "author": index_words(row.author or ""),
        "content": index_words(row.content, language),
    }
