"""Search in the database itself: FTS5 on SQLite, tsvector on PostgreSQL.

Accents are folded before indexing and asking, so both databases find the same. What may
be found, and what is shown of it, comes from the same query on both.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    delete,
    desc,
    func,
    literal_column,
    select,
)

from morningdeck.model.finding import Hit, SearchAnswer, SearchDocument, SearchQuery, SearchTerm
from morningdeck.store.database.search_table import INDEX
from morningdeck.store.expressions.repository import NAMED, Repository, made_of, names_in
from morningdeck.store.expressions.texts import searched_text, source_name
from morningdeck.store.expressions.visibility import subscribes, visible
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.columns import storable
from morningdeck.store.tables.news import item_date, item_texts, items, sources, subscriptions
from morningdeck.store.views import item_filter

FACET_SAMPLE = 500
MOST_TERMS = 16
AROUND = 90
"""Characters that are shown on each side of the first match."""
ANY_WORD = re.compile(r"\w+")

_TERM = re.compile(r'"([^"]*)"|(\S+)')


class FulltextIndex(Repository):
    name = "database"

    # ---- keeping

    def put(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None:
        table, rows = self._database.search_table, [_row(document) for document in documents]
        old = table.item_id.in_([*gone, *(document.id for document in documents)])
        with self._database.write() as connection:
            connection.execute(delete(INDEX).where(old))
            if rows:
                connection.execute(table.adding, rows)

    def clear(self) -> None:
        with self._database.write() as connection:
            connection.execute(delete(INDEX))

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
        table = self._database.search_table
        match, rank = table.matches(terms)
        found = select(items.c.id, rank.label("rank")).join(INDEX, table.item_id == items.c.id)
        return found.where(match, *conditions)


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
    named = (getattr(document, of) for of in NAMED)
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
    counts: dict[str, Counter[str]] = {of: Counter() for of in NAMED}
    for row in best:
        for of, names in names_in(row.tags).items():
            counts[of].update(names)
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
    return tuple(
        made_of(row, Hit, highlight=highlight((row.title, row.summary, row.content), terms))
        for row in map(rows.get, ids)
        if row is not None
    )


# ---- what is asked, and where a text has it


def terms_of(folded: str) -> tuple[SearchTerm, ...]:
    """`"a phrase"`, `begin*`, and plain words; the last word of a query may be unfinished."""
    terms = []
    for phrase, word in _TERM.findall(folded)[:MOST_TERMS]:
        words = tuple(ANY_WORD.findall(phrase or word))
        if words:
            terms.append(SearchTerm(words, prefix=word.endswith("*")))
    if terms and not folded.rstrip().endswith('"'):
        terms[-1] = SearchTerm(terms[-1].words, prefix=True)
    return tuple(terms)


def highlight(texts: Sequence[str], terms: Sequence[SearchTerm]) -> str:
    """A piece of the first text that has a match, each match between <mark> and </mark>.

    The text's own angle brackets are escaped, so that the result is safe as HTML.
    """
    for text in texts:
        spans = _matches(text, terms)
        if spans:
            return _piece(text, spans)
    return _escape(next((text for text in texts if text), "")[: 2 * AROUND])


def _matches(text: str, terms: Sequence[SearchTerm]) -> list[tuple[int, int]]:
    whole = {word for term in terms for word in term.words}
    beginnings = tuple(term.words[-1] for term in terms if term.prefix)
    found = []
    for match in ANY_WORD.finditer(text):
        word = fold(match.group())
        if word in whole or (beginnings and word.startswith(beginnings)):
            found.append(match.span())
    return found


def _piece(text: str, spans: Sequence[tuple[int, int]]) -> str:
    start = max(0, spans[0][0] - AROUND)
    end = min(len(text), spans[0][1] + AROUND)
    if start:
        start = text.find(" ", start, spans[0][0]) + 1 or start
    pieces, at = ["… " if start else ""], start
    for begin, stop in spans:
        if stop > end:
            break
        pieces += [_escape(text[at:begin]), "<mark>", _escape(text[begin:stop]), "</mark>"]
        at = stop
    return "".join(pieces) + _escape(text[at:end]) + (" …" if end < len(text) else "")


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
