"""The search index follows the database: what has changed or is gone is pushed, then its mark is
cleared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from morningdeck.model import SearchDocument
from morningdeck.ports import SearchIndex

BATCH = 200


class Outbox(Protocol):
    def gone(self, limit: int) -> tuple[int, ...]: ...

    def documents(self, limit: int) -> tuple[SearchDocument, ...]: ...

    def clear(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None: ...


def push(outbox: Outbox, index: SearchIndex) -> bool:
    """One batch; True when there may be more. A crash in between only pushes it again."""
    gone = outbox.gone(BATCH)  # first: an item that goes meanwhile is in the next batch
    documents = outbox.documents(BATCH)
    if documents or gone:
        index.put(documents, gone)
        outbox.clear(documents, gone)
    return BATCH in (len(documents), len(gone))
