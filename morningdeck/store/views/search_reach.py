"""What a search in another index needs of the database: whose sources, what names mean, and what
is shown of the items that were found.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, bindparam, select

from morningdeck.asked.names import named_in
from morningdeck.asked.wanted import shown_terms, wanted
from morningdeck.model.finding import Hit, SearchQuery
from morningdeck.model.indexing import Reach
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import (
    briefings_of_reader,
    sources_of_reader,
    subscribes,
)
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.news import item_states, items, sources, subscriptions
from morningdeck.store.views import item_filter
from morningdeck.store.views.asked_conditions import is_called
from morningdeck.store.views.shown_hits import hits_of, names_of

MOST_LOOKED_AT = 1000
"""Where more items wait for the index, nobody's own are looked for among them."""
_OF_READER = Prepared(sources_of_reader(bindparam("user")))
"""Of a thousand sources, SQLAlchemy takes a millisecond."""


class SearchReach(Repository):
    def reach(self, query: SearchQuery, *, own_changes: bool) -> Reach:
        """NotFoundError where the search is limited to what is not the reader's. Whether changes of
        the reader wait for the index is looked up on demand.
        """
        user_id, named = query.user_id, named_in(query.asked.asks)
        with self._database.read() as connection:
            item_filter.check_filter(connection, user_id, query.only)
            called = _sources(connection, user_id) if named.sources else {}
            titles = _briefings(connection, user_id) if named.briefings else {}
            return Reach(
                _source_ids(connection, user_id),
                {name: _meant(name, called) for name in named.sources},
                {name: _meant(name, titles) for name in named.briefings},
                own_changes and _has_changed(connection, user_id),
            )

    def hits(
        self, query: SearchQuery, ids: Sequence[int], shown: Collection[int]
    ) -> tuple[Hit, ...]:
        """As they are now, in this order; without what the reader does not see any more, and
        without a highlight where one is `shown` already.
        """
        terms = [wanted(term) for term in shown_terms(query.asked.asks)]
        with self._database.read() as connection:
            bare = hits_of(connection, query.user_id, [one for one in ids if one in shown], None)
            rest = [one for one in ids if one not in shown]
            full = hits_of(connection, query.user_id, rest, terms)
        found = {hit.id: hit for hit in (*bare, *full)}
        return tuple(found[one] for one in ids if one in found)

    def source_names(self, user_id: int, ids: Collection[int]) -> dict[int, str]:
        with self._database.read() as connection:
            return names_of(connection, user_id, tuple(ids))


def _source_ids(connection: Connection, user_id: int) -> tuple[int, ...]:
    """The reader's. Never all but those of others: a document of a source that the database does
    not know would be everybody's.
    """
    return tuple(one for (one,) in _OF_READER.within(connection, {"user": user_id}))


def _sources(connection: Connection, user_id: int) -> dict[int, str]:
    """What they may be called by."""
    columns = (sources.c.id, source_name().label("name"), sources.c.host)
    query = select(*columns).join(subscriptions, subscribes(user_id, sources.c.id))
    return {row.id: f"{row.name} {row.host}" for row in connection.execute(query)}


def _briefings(connection: Connection, user_id: int) -> dict[int, str]:
    columns = (briefings.c.id, briefings.c.title)
    query = briefings_of_reader(user_id).where(briefings.c.section_of.is_(None))
    return {row.id: row.title for row in connection.execute(query.with_only_columns(*columns))}


def _meant(name: str, titles: Mapping[int, str]) -> tuple[int, ...]:
    return tuple(number for number, title in titles.items() if is_called(name, number, title))


def _has_changed(connection: Connection, user_id: int) -> bool:
    """Whether something that the reader has read or saved may wait for the index."""
    waiting = select(items.c.id).where(items.c.search_mark > 0).order_by(items.c.id)
    first = waiting.limit(MOST_LOOKED_AT + 1).subquery()
    mine = select(item_states.c.item_id).where(item_states.c.user_id == user_id)
    own = select(first.c.id).where(first.c.id.in_(mine)).limit(1)
    if connection.execute(own).first() is not None:
        return True
    return len(connection.execute(select(first.c.id)).all()) > MOST_LOOKED_AT
