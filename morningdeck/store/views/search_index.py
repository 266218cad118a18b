"""Search in the database itself: FTS5 on SQLite, tsvector on PostgreSQL.

Accents are folded before indexing and asking, so both databases find the same. What may
be found, and what is shown of it, comes from the same query on both.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, desc, func, literal_column, select

from morningdeck.model import Hit, SearchAnswer, SearchDocument, SearchQuery, SearchTerm
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.texts import searched_text, source_name
from morningdeck.store.expressions.visibility import subscribes, visible
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.columns import storable
from morningdeck.store.tables.news import item_date, item_texts, items, sources, subscriptions
from morningdeck.store.views import item_filter
from morningdeck.store.views.highlight import highlight
from morningdeck.store.views.terms import ANY_WORD, terms_of

FACET_SAMPLE = 500
FACETS = ("topics", "people", "companies", "technologies")


class FulltextIndex:
    name = "database"

    def __init__(self, database: Database) -> None:
        self._database = database

    # ---- keeping

    def put(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None:
        with self._database.write() as connection:
            rows = [_row(document) for document in documents]
            self._database.search_table.put(connection, rows, gone)

    def clear(self) -> None:
        with self._database.write() as connection:
            self._database.search_table.clear(connection)

    # ---- finding

    def search(self, query: SearchQuery) -> SearchAnswer:
        terms = terms_of(fold(query.text))
        with self._database.read() as connection:
            item_filter.check_filter(connection, query.user_id, query.only)
            found = self._matching(query, terms)
            best = _best(connection, found.order_by(*_order(query, terms)), query)
            page = best[query.offset : query.offset + query.limit]
            hits = _hits(connection, query.user_id, [row.id for row in page], terms)
        total = best[0].total if best else 0
        facets = _facets(best[:FACET_SAMPLE])
        return SearchAnswer(self.name, False, total, hits, facets)

    def _matching(self, query: SearchQuery, terms: Sequence[SearchTerm]) -> Select[Any]:
        """The ids of matching items that the reader may see, with how well they match as `rank`."""
        conditions = [visible(query.user_id), *item_filter.conditions(query.user_id, query.only)]
        if not terms:
            return select(items.c.id, literal_column("0").label("rank")).where(*conditions)
        match, rank = self._database.search_table.matches(terms)
        joined = self._database.search_table.joined()
        return select(items.c.id, rank.label("rank")).select_from(joined).where(match, *conditions)


def fold(value: str) -> str:
    """Lower case, without accents and without what databases refuse."""
    kept = storable(value)
    if kept.isascii():
        return kept.lower()
    decomposed = unicodedata.normalize("NFKD", kept)
    for mark in filter(unicodedata.combining, set(decomposed)):  # few, in however long a text
        decomposed = decomposed.replace(mark, "")
    return decomposed.casefold()


def _row(document: SearchDocument) -> dict[str, Any]:
    named = (document.topics, document.people, document.companies, document.technologies)
    return {
        "id": document.id,
        "title": _words(document.title),
        "summary": _words(document.summary),
        "tags": _words(", ".join(name for names in named for name in names)),
        "author": _words(document.author),
        "content": _words(document.content),
    }


def _words(value: str) -> str:
    """Words alone: PostgreSQL would see hosts, paths and tags where people see words."""
    return " ".join(ANY_WORD.findall(fold(value)))


def _order(query: SearchQuery, terms: Sequence[SearchTerm]) -> tuple[ColumnElement[Any], ...]:
    newest = (item_date.desc(), items.c.id.desc())
    if query.sort == "score":
        scores = item_filter.scores(query.user_id, query.only)
        best = scores.with_only_columns(func.max(item_scores.c.score)).scalar_subquery()
        return (func.coalesce(best, -1).desc(), *newest)
    if query.sort == "relevance" and terms:
        return (desc("rank"), *newest)
    return newest


def _best(connection: Connection, found: Select[Any], query: SearchQuery) -> Sequence[Row[Any]]:
    """The matches down to the end of the page, and enough for the facets, in one statement:
    to find and rank them costs far more than all the rest.
    """
    enough = max(FACET_SAMPLE, query.offset + query.limit)
    counted = found.add_columns(items.c.tags, func.count().over().label("total"))
    return connection.execute(counted.limit(enough)).all()


def _facets(best: Sequence[Row[Any]]) -> dict[str, dict[str, int]]:
    """How often each name occurs among the best matches."""
    counts: dict[str, Counter[str]] = {facet: Counter() for facet in FACETS}
    for row in best:
        for facet in FACETS:
            counts[facet].update(row.tags.get(facet, ()))
    return {facet: dict(counted.most_common(10)) for facet, counted in counts.items() if counted}


def _hits(
    connection: Connection, user_id: int, ids: Sequence[int], terms: Sequence[SearchTerm]
) -> tuple[Hit, ...]:
    query = (
        select(
            items.c.id,
            items.c.title,
            items.c.url,
            items.c.summary,
            items.c.published_at,
            items.c.first_seen_at,
            source_name().label("source"),
            searched_text().label("content"),
        )
        .select_from(items.join(sources).outerjoin(item_texts))
        .outerjoin(subscriptions, subscribes(user_id, sources.c.id))
        .where(items.c.id.in_(ids))
    )
    rows = {row.id: row for row in connection.execute(query)}
    return tuple(_hit(rows[item_id], terms) for item_id in ids if item_id in rows)


def _hit(row: Any, terms: Sequence[SearchTerm]) -> Hit:
    shown = highlight((row.title, row.summary, row.content), terms, fold)
    return Hit(
        row.id,
        row.title,
        row.url,
        row.summary,
        shown,
        row.published_at,
        row.source,
        row.first_seen_at,
    )
