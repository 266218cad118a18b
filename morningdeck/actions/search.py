"""The search index, made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from morningdeck.indexing import push
from morningdeck.ports import SearchIndex

if TYPE_CHECKING:
    from morningdeck.store.store import Store


def reindex(store: Store, index: SearchIndex) -> int:
    """Returns how many documents the index holds."""
    documents = store.search_outbox.mark_all()
    index.clear()
    while push(store.search_outbox, index):
        pass
    return documents
