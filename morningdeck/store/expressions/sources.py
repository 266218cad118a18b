"""A source as the fetch verb sees it: its columns, and what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from morningdeck.store.tables.news import sources

if TYPE_CHECKING:
    from morningdeck.model.reading import Source

_AS_STORED = ("id", "type", "url", "title", "etag", "last_modified", "to_ask", "prompt")
"""The columns that a Source has as they are."""

# "IS NULL" is told wrong by the RETURNING of SQLite 3.40
SOURCE_COLUMNS = (
    sources.c.refresh_seconds,
    sources.c.rhythm_seconds,
    sources.c.health,
    sources.c.last_success_at,
    sources.c.moved_to,
    *(sources.c[name] for name in _AS_STORED),
)


def source_of(values: Sequence[Any]) -> Source:
    """Of the values of `SOURCE_COLUMNS`."""
    from morningdeck.model.kinds import Health  # lists know the columns only
    from morningdeck.model.reading import Source

    refresh, rhythm, health, last_success_at, moved_to, *known = values
    return Source(
        **dict(zip(_AS_STORED, known, strict=True)),
        refresh=timedelta(seconds=refresh),
        rhythm=None if rhythm is None else timedelta(seconds=rhythm),
        health=Health(health),
        first_import=last_success_at is None,
        moving=moved_to is not None,
    )
