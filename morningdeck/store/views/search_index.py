"""Search in the database itself: FTS5 on SQLite, tsvector on PostgreSQL.

The index is written in the transactions that change the items (`expressions/indexed.py`). What may
be found, and what is shown of it, comes from one query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    case,
    delete,
    false,
    func,
    select,
    true,
)

from morningdeck.asked.understood import understood
from morningdeck.asked.wanted import shown_terms, wanted
from morningdeck.model.finding import SearchAnswer, SearchDocument, SearchQuery
from morningdeck.store.database.bulk import in_chunks
from morningdeck.store.database.search_table import INDEX
from morningdeck.store.expressions.indexed import index_items, unindex
from morningdeck.store.expressions.repository import NAMED, Repository
from morningdeck.store.expressions.visibility import (
    visible,
    visible_each,
    visible_newest_first,
)
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.news import item_date, items, sources
from morningdeck.store.views import item_filter
from morningdeck.store.views.asked_conditions import SearchPlan, planned
from morningdeck.store.views.shown_hits import asking, hits_of, names_of

FACET_SAMPLE = 500
MOST_OF_A_FACET = 10
NEWEST_FIRST = (item_date.desc(), items.c.id.desc())
COUNTED_COLUMNS = (items.c.source_id, items.c.tags, items.c.category, items.c.language)
COUNTED = ("source", *NAMED, "category", "sentiment", "language")
"""The facets, in the order in which they are told."""


class FulltextIndex(Repository):
    name = "database"

    # ---- keeping

    def put(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None:
        """As the items are now: they are indexed already when they are stored."""
        with self._database.write() as connection:
            unindex(connection, gone)
            index_items(connection, [document.id for document in documents])

    def forget_removed(self) -> None:
        there = self._database.search_table.item_id.in_(select(items.c.id))
        with self._database.write() as connection:
            connection.execute(delete(INDEX).where(~there))

    def clear(self) -> None:
        with self._database.write() as connection:
            connection.execute(delete(INDEX))

    # ---- finding

    def search(self, query: SearchQuery) -> SearchAnswer:
        with self._database.read() as connection:
            plan = self._plan(connection, query)
            with self._database.search_table.planned(connection):
                total, best = self._best(connection, query, plan)
            return self._answer(connection, query, [row.id for row in best], best, total)

    def shown(self, query: SearchQuery, ids: Sequence[int]) -> SearchAnswer:
        """All of these, which somebody else has found and put in order, as an answer."""
        sample: Select[Any] = select(items.c.id, *COUNTED_COLUMNS)
        best = sample.where(items.c.id.in_(ids[:FACET_SAMPLE]))
        with self._database.read() as connection:
            rows = connection.execute(best).all()
            return self._answer(connection, query, ids, rows, len(ids))

    def matching(self, query: SearchQuery, item_ids: Sequence[int]) -> set[int]:
        """Which of these items a reader's query finds, whatever its order and its page."""
        with self._database.read() as connection:
            plan = self._plan(connection, query)
            found = self._seen(query, plan)
            matched: set[int] = set()
            for some in in_chunks(item_ids):
                these = found.where(items.c.id.in_(some))
                if plan.text is not None:
                    these = self._database.search_table.join(these, plan.text, some)
                matched.update(row.id for row in connection.execute(these))
            return matched

    def _plan(self, connection: Connection, query: SearchQuery) -> SearchPlan:
        item_filter.check_filter(connection, query.user_id, query.only)
        table = self._database.search_table
        return planned(connection, table, query.user_id, query.asked.asks)

    def _seen(
        self, query: SearchQuery, plan: SearchPlan, seen: ColumnElement[bool] | None = None
    ) -> Select[Any]:
        """What the reader may see and the conditions leave, before the index is asked for words."""
        if seen is None:
            by_words = plan.text is not None and self._database.plans_by_statistics
            seen = (visible_each if by_words else visible)(query.user_id)
        conditions = [seen, *item_filter.conditions(query.user_id, query.only)]
        conditions += plan.rest
        if plan.text is not None and not self._database.plans_by_statistics:
            # no index looks into a CASE: that of the words is asked, and no other
            conditions = [case((and_(*conditions), true()), else_=false())]
        return select(items.c.id, *COUNTED_COLUMNS).where(*conditions)

    def _answer(
        self,
        connection: Connection,
        query: SearchQuery,
        ids: Sequence[int],
        sample: Sequence[Row[Any]],
        total: int,
    ) -> SearchAnswer:
        page = ids[query.offset : query.offset + query.limit]
        terms = [wanted(term) for term in shown_terms(query.asked.asks)]
        hits = hits_of(asking(connection), query.user_id, page, terms)
        counted = sample[:FACET_SAMPLE]
        facets = _facets(connection, query.user_id, counted)
        told = understood(query.asked)
        return SearchAnswer(self.name, False, total, hits, facets, len(counted), told)

    def _best(
        self, connection: Connection, query: SearchQuery, plan: SearchPlan
    ) -> tuple[int, Sequence[Row[Any]]]:
        """How many match, and the best down to the end of the page, and enough for the facets; what
        matches but is not ranked follows by its age.
        """
        found = self._seen(query, plan)
        enough = max(FACET_SAMPLE, query.offset + query.limit)
        if plan.text is None:
            if query.sort != "score" and not self._database.plans_by_statistics:
                return self._newest(connection, query, plan, enough)
            return _in_order(connection, found, _order(query), enough)
        table = self._database.search_table
        if query.sort != "relevance":
            return _in_order(connection, table.join(found, plan.text), _order(query), enough)
        best = table.best(connection, found, plan.text, NEWEST_FIRST, enough)
        if best.first and enough > len(best.rows):
            older = table.join(found, plan.text).where(items.c.id < best.first)
            older = older.order_by(items.c.id.desc()).limit(enough - len(best.rows))
            return best.total, [*best.rows, *connection.execute(older)]
        return best.total, best.rows

    def _newest(
        self, connection: Connection, query: SearchQuery, plan: SearchPlan, enough: int
    ) -> tuple[int, Sequence[Row[Any]]]:
        """SQLite counts fast, and goes no further from the newest than it has to. To count beside
        the rows it would copy all of them, and sort them.
        """
        seen = visible_newest_first(self._database, connection, query.user_id)
        first = self._seen(query, plan, seen).order_by(*NEWEST_FIRST).limit(enough)
        rows = connection.execute(first).all()
        if len(rows) < enough:
            return len(rows), rows
        every = self._seen(query, plan).with_only_columns(items.c.id).subquery()
        return connection.scalar(select(func.count()).select_from(every)) or 0, rows


def _order(query: SearchQuery) -> tuple[ColumnElement[Any], ...]:
    if query.sort != "score":
        return NEWEST_FIRST
    scores = item_filter.scores(query.user_id, query.only)
    best = scores.with_only_columns(func.max(item_scores.c.score)).scalar_subquery()
    return (func.coalesce(best, -1).desc(), *NEWEST_FIRST)


def _in_order(
    connection: Connection, found: Select[Any], order: Sequence[ColumnElement[Any]], enough: int
) -> tuple[int, Sequence[Row[Any]]]:
    """In one statement: to find them costs far more than all the rest."""
    counted = found.add_columns(func.count().over().label("total"))
    rows = connection.execute(counted.order_by(*order).limit(enough)).all()
    return rows[0].total if rows else 0, rows


# ---- what was found


def _facets(
    connection: Connection, user_id: int, best: Sequence[Row[Any]]
) -> dict[str, dict[str, int]]:
    """How often each name occurs among the best matches."""
    named: dict[str, list[str]] = {of: [] for of in COUNTED}
    of_sources = _topics_of(connection, [row.source_id for row in best if not _topics(row)])
    for row in best:  # hundreds: counting each by itself would take longer than to find them
        named["topics"] += _topics(row) or of_sources.get(row.source_id, ())
        for of in NAMED[1:]:
            named[of] += row.tags.get(of, ())
        named["sentiment"].append(row.tags.get("sentiment") or "")
        named["category"].append(row.category)
        named["language"].append(row.language or "")
    found = {
        of: Counter(filter(None, names)).most_common(MOST_OF_A_FACET) for of, names in named.items()
    }
    found["source"] = _sources_among(connection, user_id, best)
    return {of: dict(those) for of, those in found.items() if those}


def _topics(row: Any) -> Any:
    return row.tags.get("topics")


def _topics_of(connection: Connection, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    told = select(sources.c.id, sources.c.topics).where(sources.c.id.in_(set(ids)))
    return {row.id: row.topics for row in connection.execute(told)} if ids else {}


def _sources_among(
    connection: Connection, user_id: int, best: Sequence[Row[Any]]
) -> list[tuple[str, int]]:
    counted = Counter(row.source_id for row in best).most_common(MOST_OF_A_FACET)
    names = names_of(asking(connection), user_id, [source_id for source_id, _ in counted])
    of_name: Counter[str] = Counter()
    for source_id, count in counted:
        of_name[names[source_id]] += count
    return of_name.most_common()
