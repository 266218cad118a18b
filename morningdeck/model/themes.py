"""Themes: what a reader's news of two weeks turns around, and how it has moved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class ThemeReader:
    """Whose themes are found, when they were last, and how many pages were saved since."""

    user_id: int
    timezone: str
    day: date | None
    ran_at: datetime | None
    saved: int


@dataclass(frozen=True, slots=True)
class ThemeItem:
    """What themes are found by; packed as in the item's `Likeness`."""

    item_id: int
    story_id: int
    recent: bool
    """Of the last week."""
    vector: bytes
    title_words: bytes


@dataclass(frozen=True, slots=True)
class ThemeText:
    """What themes are called by."""

    item_id: int
    story_id: int
    title: str
    names: tuple[str, ...]
    """Topics, people, companies and technologies."""
    language: str | None


@dataclass(frozen=True, slots=True)
class FoundTheme:
    items: tuple[tuple[int, int], ...]
    """Item and story, in the order in which they were shown."""
    this_week: int
    """So many stories were told then."""
    week_before: int
    near: float = 0.0
    """How strictly it was found."""


@dataclass(frozen=True, slots=True)
class ThemeLabel:
    text: str
    main: tuple[str, ...]
    """Two themes with the same are one."""


@dataclass(frozen=True, slots=True)
class KnownTheme:
    """One that was found before, with the newest of its items."""

    id: int
    label: str
    since: date
    items: frozenset[int]


@dataclass(frozen=True, slots=True)
class NamedTheme:
    label: str
    items: tuple[int, ...]
    """The newest first."""
    size: int
    this_week: int
    week_before: int | None
    """None where the reader has not read for so long."""
    continues: KnownTheme | None = None
