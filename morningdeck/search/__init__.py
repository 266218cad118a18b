"""The ways to find items: one file each, one line each in `SEARCHERS`.

A file has a function `open_index` that makes its index of `SearchMeans`. It is imported when
that is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from morningdeck.ports.verbs import SearchIndex
    from morningdeck.search.meilisearch import ReachRows
    from morningdeck.search.service import MeilisearchService


@dataclass(frozen=True, slots=True)
class SearchMeans:
    """What indexes are made of; each takes what it needs."""

    in_database: SearchIndex
    """The one that is always there."""
    reach: ReachRows
    service: Callable[[], MeilisearchService]
    """Made when it is first asked: what it imports takes longer than most commands."""


SEARCHERS = {
    "database": "morningdeck.search.database",
    "meilisearch": "morningdeck.search.meilisearch",
}
ALWAYS_THERE = "database"
"""Its index changes with the items, and it answers where another does not."""


def open_index(name: str, means: SearchMeans) -> SearchIndex:
    """As `search.backend` in the settings names it."""
    module = import_module(SEARCHERS[name])
    index: SearchIndex = module.open_index(means)
    return index
