"""The entries of a feed as its format has them; `entries.finish` makes news of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

MAX_ENTRIES = 2000


@dataclass(slots=True)
class RawEntry:
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
    published: str = ""
    updated: str = ""
    created: str = ""
    published_at: datetime | None = None
    """Where the reader has worked the date out itself."""


@dataclass(slots=True)
class RawFeed:
    title: str = ""
    ttl: timedelta | None = None
    entries: Iterable[RawEntry] = ()
    """To be gone through once: of a large feed they are made one by one."""
    whole: bool = True
    left_out: int = 0
    """How many came after the first MAX_ENTRIES; known when all entries have been made."""
