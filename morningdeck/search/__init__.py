"""The ways to find items: one file each, one line each in `SEARCHERS`.

A file has a function `open_index` that makes its index of `SearchMeans`. It is imported when
that is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from morningdeck.ports.verbs import SearchIndex


@dataclass(frozen=True, slots=True)
class SearchMeans:
    """What indexes are made of; each takes what it needs."""

    in_database: SearchIndex
    """The one that is always there."""


SEARCHERS = {
    "database": "morningdeck.search.database",
}
ALWAYS_THERE = "database"
"""For `auto`, and for what this version does not have yet."""


def open_index(name: str, means: SearchMeans) -> SearchIndex:
    """As `search.backend` in the settings names it."""
    module = import_module(SEARCHERS.get(name, SEARCHERS[ALWAYS_THERE]))
    index: SearchIndex = module.open_index(means)
    return index
