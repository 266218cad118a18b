"""What finding needs: a search index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from morningdeck.model import SearchAnswer, SearchDocument, SearchQuery


class SearchIndex(Protocol):
    @property
    def name(self) -> str: ...

    def put(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None:
        """Add or replace documents and remove those gone; returns when they can be found."""

    def clear(self) -> None: ...
    def search(self, query: SearchQuery) -> SearchAnswer: ...
