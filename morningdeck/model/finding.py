"""What is found: documents, questions, answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from morningdeck.model.query import Asked


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """An item as the search index holds it; `mark` is the outbox mark it answers."""

    id: int
    mark: int
    source_id: int
    title: str
    summary: str
    content: str
    author: str
    topics: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()
    sentiment: str = ""
    category: str = ""
    language: str | None = None
    published_at: datetime | None = None
    created_at: datetime | None = None
    """When it was first seen."""
    read_by: tuple[int, ...] = ()
    saved_by: tuple[int, ...] = ()
    """Users."""
    scores: tuple[tuple[int, int], ...] = ()
    """Briefing and score, the best of it and its sections."""
    best: tuple[tuple[int, int], ...] = ()
    """User and score, the best of all briefings."""
    dated_at: datetime | None = None
    """What lists are ordered by."""


NO_STORY = 0


@dataclass(frozen=True, slots=True)
class Comparable:
    """What an item is compared by with all others, packed as in its `Likeness`."""

    item_id: int
    story_id: int
    """NO_STORY while it is in none."""
    vector: bytes
    title_words: bytes


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """What a list or a search of items is limited to; `since` is a date of publication, or of
    arrival where that is earlier or all that is known.
    """

    source_id: int | None = None
    briefing_id: int | None = None
    status: str | None = None
    unread: bool = False
    saved: bool = False
    min_score: int | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Stream:
    """What one of the filters takes, or one of the sources has brought; without either, nothing."""

    filters: tuple[ItemFilter, ...] = ()
    source_ids: tuple[int, ...] = ()


EVERY_ITEM = Stream((ItemFilter(),))


@dataclass(frozen=True, slots=True)
class StreamQuery:
    """Items that are in all of these streams and in none of the others, by when they were seen."""

    all_of: tuple[Stream, ...] = (EVERY_ITEM,)
    none_of: tuple[Stream, ...] = ()
    seen_from: datetime | None = None
    seen_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What a reader asks; never answered beyond `user_id`'s own sources."""

    user_id: int
    asked: Asked
    only: ItemFilter = ItemFilter()
    sort: str = "relevance"
    limit: int = 20
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    id: int
    title: str
    url: str | None
    summary: str
    highlight: str
    published_at: datetime | None
    source: str = ""
    first_seen_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    backend: str
    degraded: bool
    total: int
    hits: tuple[Hit, ...] = ()
    facets: dict[str, dict[str, int]] = field(default_factory=dict)
    facets_of: int = 0
    """How many of what was found, the first in their order, the facets count."""
    understood: str = ""
