"""The search index: it follows the database, and can be made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from morningdeck.ports.verbs import SearchIndex

if TYPE_CHECKING:
    from morningdeck.store.rows.search_outbox import SearchOutbox

BATCH = 200


def push(outbox: SearchOutbox, index: SearchIndex) -> bool:
    """Push one batch of what has changed or is gone, then clear its marks; True when there may be
    more. A crash in between only pushes it again.
    """
    gone = outbox.gone(BATCH)  # first: an item that goes meanwhile is in the next batch
    documents = outbox.documents(BATCH)
    if documents or gone:
        index.put(documents, gone)
        outbox.clear(documents, gone)
    return BATCH in (len(documents), len(gone))


def reindex(outbox: SearchOutbox, index: SearchIndex) -> int:
    """Returns how many documents the index holds."""
    documents = outbox.mark_all()
    index.clear()
    while push(outbox, index):
        pass
    return documents
