"""Search: by words or by meaning; the index follows the database, and can be made anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from morningdeck.asked.meant import limits, words_meant

if TYPE_CHECKING:
    from morningdeck.indexing import Indexing
    from morningdeck.model.finding import SearchAnswer, SearchQuery
    from morningdeck.ports.verbs import Embedder, SearchIndex
    from morningdeck.store.rows.search_outbox import SearchOutbox
    from morningdeck.store.views.meant import MeantItems
    from morningdeck.store.views.search_index import FulltextIndex

BATCH = 200


class Meant(Protocol):
    """Holds items against what was meant."""

    def look(self, those: Sequence[tuple[int, bytes]]) -> None: ...
    def nearest(self) -> Sequence[int]: ...


@dataclass(frozen=True, slots=True)
class ByMeaning:
    """Search by the embeddings that the database has, whichever index finds words."""

    items: MeantItems
    index: FulltextIndex
    embedder: Callable[[], Embedder]
    meant: Callable[[bytes], Meant]

    def search(self, query: SearchQuery) -> SearchAnswer:
        """Plain words say what it is about; all else that the query asks for keeps filtering."""
        words = words_meant(query.asked.asks)
        if not words:
            return self.index.search(replace(query, sort="date"))
        (vector,) = self.embedder().embed([words])
        meaning = self.meant(vector)
        for those in self.items.slices():
            meaning.look(those)
        found = self._within(query, meaning.nearest())
        return self.index.shown(query, found)

    def _within(self, query: SearchQuery, near: Sequence[int]) -> Sequence[int]:
        """What the reader may see of these, and what else the query asks for leaves."""
        limited = replace(query.asked, asks=limits(query.asked.asks))
        kept = self.index.matching(replace(query, asked=limited), near)
        return [item_id for item_id in near if item_id in kept]


def find(
    index: SearchIndex, by_meaning: Callable[[], ByMeaning], query: SearchQuery
) -> SearchAnswer:
    return by_meaning().search(query) if query.sort == "meaning" else index.search(query)


def push(outbox: SearchOutbox, index: SearchIndex) -> bool:
    """Push one batch of what has changed or is gone into an index that is not the database's, then
    clear its marks; True when there may be more. A crash in between only pushes it again.
    """
    gone = outbox.gone(BATCH)  # first: an item that goes meanwhile is in the next batch
    documents = outbox.documents(BATCH)
    if documents or gone:
        index.put(documents, gone)
        outbox.clear(documents, gone)
    return BATCH in (len(documents), len(gone))


def reindex(
    outbox: SearchOutbox,
    index: FulltextIndex,
    indexing: Indexing | None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> int:
    """Returns how many documents it holds. `indexing` fills that of a search server; that of the
    database finds whatever it did find all the while.
    """
    if indexing is not None:
        return indexing.rebuild(progress)
    last, done, of = 0, 0, outbox.count()
    while documents := outbox.after(last, BATCH):
        index.put(documents, ())
        last, done = documents[-1].id, done + len(documents)
        progress(done, of)
    index.forget_removed()
    return done
