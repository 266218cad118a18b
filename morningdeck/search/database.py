"""Search by the database itself; its SQL is the store's, see `FulltextIndex`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from morningdeck.ports.verbs import SearchIndex
    from morningdeck.search import SearchMeans


def open_index(means: SearchMeans) -> SearchIndex:
    return means.in_database
