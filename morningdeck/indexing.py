"""The search index follows the database: what is marked is pushed, then its mark is cleared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from morningdeck.model import SearchDocument
from morningdeck.ports import SearchIndex

BATCH = 200


class Outbox(Protocol):
    def documents(self, limit: int) -> tuple[SearchDocument, ...]: ...

    def clear(self, documents: Sequence[SearchDocument]) -> None: ...


def push(outbox: Outbox, index: SearchIndex) -> bool:
    """One batch; True when there may be more. A crash in between only pushes it again."""
    documents = outbox.documents(BATCH)
    if documents:
        index.put(documents, gone=())
        outbox.clear(documents)
    return len(documents) == BATCH
