"""What a reader of one format found, as it stood there; `entries` makes news of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

MAX_ENTRIES = 2000


@dataclass(slots=True)
class Draft:
    """An entry in its own words: links may be relative to `base`, bodies are unsafe HTML."""

    base: str = ""
    is_atom: bool = False
    id: str = ""
    link: str = ""
    permalink: str = ""
    """A guid that says it is a link."""
    spare_link: str = ""
    enclosure: str = ""
    title: str = ""
    title_is_plain: bool = False
    spare_title: str = ""
    bodies: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    published: str = ""
    updated: str = ""
    created: str = ""
    published_at: datetime | None = None
    """Where the reader has worked the date out itself."""


@dataclass(slots=True)
class FeedDraft:
    title: str = ""
    link: str = ""
    ttl: timedelta | None = None
    drafts: Iterable[Draft] = ()
    """To be gone through once: of a large feed they are made one by one."""
    whole: bool = True
    left_out: int = 0
    """How many entries came after the first MAX_ENTRIES; known at the end of the drafts."""
