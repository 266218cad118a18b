"""What is shown of items that a search has found, in statements made ready once: to make them anew
for each search would take as long as Meilisearch takes to search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, exists, literal_column, or_, select

from morningdeck.asked.highlight import highlight
from morningdeck.asked.wanted import Wanted
from morningdeck.model.finding import Hit
from morningdeck.store.database.prepared import Prepared, Rows
from morningdeck.store.expressions.texts import searched_text, source_name
from morningdeck.store.expressions.visibility import saved_by_reader, subscribes
from morningdeck.store.tables.news import item_states, item_texts, items, sources, subscriptions

STATEMENTS_KEPT = 64
"""One for each number of items: pages are nearly always of the same."""
_USER: BindParameter[int] = bindparam("user")


class _Row(NamedTuple):
    id: int
    title: str
    url: str | None
    summary: str
    language: str | None
    published_at: Any
    first_seen_at: Any
    source: str
    content: str


Ask = Callable[[Prepared, dict[str, Any]], Rows]
"""By itself, as `Database.run`, or as one of several of a transaction."""


def asking(connection: Connection) -> Ask:
    return lambda statement, values: statement.within(connection, values)


def hits_of(
    ask: Ask,
    user_id: int,
    ids: Sequence[int],
    marked: Sequence[Wanted] | Mapping[int, str],
) -> tuple[Hit, ...]:
    """Of these items in their order, as they are now, those that the reader may see; `marked` are
    the terms in their highlights, or these highlights, for which no texts are read.
    """
    if not ids:
        return ()
    texts = not isinstance(marked, Mapping)
    found = ask(_hits(len(ids), texts), _values(user_id, ids))
    rows = {row.id: row for row in map(_Row._make, found)}
    return tuple(_hit(row, marked) for row in map(rows.get, ids) if row is not None)


def names_of(ask: Ask, user_id: int, ids: Sequence[int]) -> dict[int, str]:
    """What the reader calls these sources."""
    return dict(ask(_names(len(ids)), _values(user_id, ids))) if ids else {}


def _values(user_id: int, ids: Sequence[int]) -> dict[str, int]:
    return {"user": user_id, **{f"id{number}": one for number, one in enumerate(ids)}}


def _these(count: int) -> list[BindParameter[int]]:
    return [bindparam(f"id{number}") for number in range(count)]


@lru_cache(STATEMENTS_KEPT)
def _hits(count: int, texts: bool) -> Prepared:
    seen = saved_by_reader(_USER).where(item_states.c.item_id == items.c.id)
    query = (
        select(
            items.c.id,
            items.c.title,
            items.c.url,
            items.c.summary,
            items.c.language,
            items.c.published_at,
            items.c.first_seen_at,
            source_name().label("source"),
            (searched_text() if texts else literal_column("''")).label("content"),
        )
        .select_from(items.join(sources))
        .outerjoin(subscriptions, subscribes(_USER, sources.c.id))
        .where(items.c.id.in_(_these(count)))
        .where(or_(subscriptions.c.id.is_not(None), exists(seen)))  # `visible`, of each by itself
    )
    if texts:
        query = query.outerjoin(item_texts, item_texts.c.item_id == items.c.id)
    return Prepared(query)


@lru_cache(STATEMENTS_KEPT)
def _names(count: int) -> Prepared:
    named = select(sources.c.id, source_name().label("name"))
    own = named.outerjoin(subscriptions, subscribes(_USER, sources.c.id))
    return Prepared(own.where(sources.c.id.in_(_these(count))))


def _hit(row: _Row, marked: Sequence[Wanted] | Mapping[int, str]) -> Hit:
    return Hit(
        id=row.id,
        title=row.title,
        url=row.url,
        summary=row.summary,
        highlight=marked[row.id] if isinstance(marked, Mapping) else _highlight(row, marked),
        published_at=row.published_at,
        source=row.source,
        first_seen_at=row.first_seen_at,
    )


def _highlight(row: _Row, terms: Sequence[Wanted]) -> str:
    texts = {"title": row.title, "summary": row.summary, "content": row.content}
    return highlight(texts, terms, row.language)
