"""What a search in another index needs of the database: whose sources, what names mean, and what
is shown of the items that were found.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from sqlalchemy import Connection, and_, bindparam, exists, func, select

from morningdeck.asked.names import Named, named_in
from morningdeck.asked.wanted import shown_terms, wanted
from morningdeck.model.finding import Hit, ItemFilter, SearchQuery
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
from morningdeck.store.views.shown_hits import asking, hits_of, names_of

MOST_LOOKED_AT = 1000
"""Where more items wait for the index, nobody's own are looked for among them."""
_READ = Prepared(sources_of_reader(bindparam("user")).order_by(subscriptions.c.source_id))
_MARKED = select(items.c.id).where(items.c.search_mark > 0).order_by(items.c.id)
_LOOKED_AT = _MARKED.limit(MOST_LOOKED_AT + 1).cte("looked_at")
_OWN = select(_LOOKED_AT.c.id).join(
    item_states,
    and_(item_states.c.item_id == _LOOKED_AT.c.id, item_states.c.user_id == bindparam("user")),
)
_WAITING = Prepared(
    select(
        exists(_OWN).label("own"),
        select(func.count()).select_from(_LOOKED_AT).scalar_subquery().label("waiting"),
    )
)


class SearchReach(Repository):
    def reach(self, query: SearchQuery, *, own_changes: bool) -> Reach:
        """NotFoundError where the search is limited to what is not the reader's. Whether changes of
        the reader wait for the index is looked up on demand.
        """
        user_id, named = query.user_id, named_in(query.asked.asks)
        runs = _runs([source for (source,) in self._database.run(_READ, {"user": user_id})])
        if named == Named() and query.only == ItemFilter():
            return Reach(runs)
        with self._database.read() as connection:
            item_filter.check_filter(connection, user_id, query.only)
            called = _sources(connection, user_id) if named.sources else {}
            titles = _briefings(connection, user_id) if named.briefings else {}
            return Reach(
                runs,
                {name: _meant(name, called) for name in named.sources},
                {name: _meant(name, titles) for name in named.briefings},
                own_changes and _has_changed(connection, user_id),
            )

    def hits(
        self,
        query: SearchQuery,
        ids: Sequence[int],
        shown: Mapping[int, str],
        source_ids: Collection[int],
    ) -> tuple[tuple[Hit, ...], dict[int, str]]:
        """As they are now, in this order; without what the reader does not see any more. Some have
        a highlight that is `shown` already. And what the reader calls these sources.
        """
        known = [one for one in ids if one in shown]
        rest = [one for one in ids if one not in shown]
        user_id, at_once = query.user_id, self._database.run
        found = {hit.id: hit for hit in hits_of(at_once, user_id, known, shown)}
        if rest:  # whose texts are read
            terms = [wanted(term) for term in shown_terms(query.asked.asks)]
            with self._database.read() as connection:
                found.update(
                    {one.id: one for one in hits_of(asking(connection), user_id, rest, terms)}
                )
        names = names_of(at_once, user_id, tuple(source_ids))
        return tuple(found[one] for one in ids if one in found), names


def _runs(ids: Sequence[int]) -> Sequence[tuple[int, int]]:
    """The first and the last of those that follow each other: of the reader's sources, never of all
    but those of others, as a document of a source that is gone would be everybody's.
    """
    gaps = [(last, first) for last, first in pairwise(ids) if first - last > 1]
    firsts, lasts = (
        [*ids[:1], *(first for _, first in gaps)],
        [*(last for last, _ in gaps), *ids[-1:]],
    )
    return list(zip(firsts, lasts, strict=True))


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
    ((own, waiting),) = _WAITING.within(connection, {"user": user_id})
    return bool(own) or waiting > MOST_LOOKED_AT
