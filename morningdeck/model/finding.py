"""What is found: documents, questions, answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


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


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """Words that stand side by side; the last may be only a beginning."""

    words: tuple[str, ...]
    prefix: bool = False


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
class SearchQuery:
    """What a reader asks; never answered beyond `user_id`'s own sources."""

    user_id: int
    text: str
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
