"""Search by Meilisearch, and by the database where that does not answer or cannot be asked.

    query --reach: sources, names--> translated --one request--> ids --database--> what is shown
                                         |                         |
             it cannot be said ----------+    away, held ----------+
                     |                               |
                     v                               v
              the database answers         it answers, and says `degraded`

What is shown, and that the reader may see it, comes from the database. A question about what is
read or saved goes to it too, while changes of the reader's wait for the index.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from morningdeck.asked.names import named_in
from morningdeck.asked.understood import understood
from morningdeck.errors import DatabaseAwayError, TransientError
from morningdeck.model.finding import Hit, SearchAnswer, SearchDocument, SearchQuery
from morningdeck.model.indexing import Reach

if TYPE_CHECKING:
    from morningdeck.ports.verbs import SearchIndex
    from morningdeck.search import SearchMeans
    from morningdeck.search.service import MeilisearchService


class ReachRows(Protocol):
    """What the database knows of a reader's search."""

    def reach(self, query: SearchQuery, *, own_changes: bool) -> Reach: ...
    def hits(
        self,
        query: SearchQuery,
        ids: Sequence[int],
        shown: Mapping[int, str],
        source_ids: Collection[int],
    ) -> tuple[Sequence[Hit], Mapping[int, str]]:
        """What is found, as it is now: no more than the reader may see. Some have a highlight that
        is `shown` already. And the names of these sources.
        """


@dataclass(frozen=True, slots=True)
class Answered:
    """What the server says: ids in their order, pieces of text with marks for some, counts."""

    ids: tuple[int, ...]
    pieces: Mapping[int, str]
    total: int
    facets: Mapping[str, Mapping[str, int]]


class MeilisearchIndex:
    name = "meilisearch"

    def __init__(self, means: SearchMeans) -> None:
        self._means = means
        self._rows: ReachRows = means.reach
        self._database: SearchIndex = means.in_database

    @cached_property
    def _service(self) -> MeilisearchService:
        """With all that it imports."""
        return self._means.service()

    def search(self, query: SearchQuery) -> SearchAnswer:
        only, named = query.only, named_in(query.asked.asks)
        marks = named.marks or only.unread or only.saved
        reach = self._rows.reach(query, own_changes=marks)
        if reach.has_changed:
            return self._database.search(query)
        try:
            found = self._service.find(query, reach)
        except DatabaseAwayError:
            raise
        except TransientError:
            return replace(self._database.search(query), degraded=True)
        if found is None:
            return self._database.search(query)
        return self._answer(query, found)

    def put(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None:
        with self._service.asked():
            self._service.put(documents, gone)

    def clear(self) -> None:
        with self._service.asked():
            self._service.begin()
            self._service.swap()

    def _answer(self, query: SearchQuery, found: Answered) -> SearchAnswer:
        facets = {of: dict(counts) for of, counts in found.facets.items() if counts}
        counts = {int(number): count for number, count in facets.pop("source_id", {}).items()}
        hits, names = self._rows.hits(query, found.ids, found.pieces, counts)
        if counts:
            facets = {"source": _by_name(counts, names), **facets}
        told = understood(query.asked)
        return SearchAnswer(self.name, False, found.total, tuple(hits), facets, found.total, told)


def _by_name(counts: Mapping[int, int], names: Mapping[int, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, count in counts.items():
        if name := names.get(number):
            found[name] = found.get(name, 0) + count
    return found


def open_index(means: SearchMeans) -> MeilisearchIndex:
    return MeilisearchIndex(means)
