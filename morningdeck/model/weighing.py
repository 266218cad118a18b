"""What a briefing weighs: which items, and each as a candidate for a place."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Scope:
    """What a briefing weighs: its sources' items that were first seen since then.

    Of its sources those count that were never read, and `overdue`, until they are read after
    `asked_at`.
    """

    briefing_id: int
    since: datetime
    asked_at: datetime | None = None
    overdue: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item that a briefing weighs."""

    item_id: int
    source_id: int
    source_title: str
    story_id: int | None
    title: str
    url: str | None
    summary: str
    score: int
    reason: str
    published_at: datetime | None
    first_seen_at: datetime
    topics: tuple[str, ...] = ()
    story_shown: bool = False
    """An earlier report of this briefing has told its story."""
    language: str | None = None
    private: bool = False
    wish_id: int = 0
    """The briefing, or the section of one, whose wish the score is by."""
    told: bool = False
    """A daily of this week has shown its story to the reader."""
    update: str = ""
    """What it adds to a story that was told at `update_since`."""
    update_since: datetime | None = None
    subject_id: int | None = None
    """What its story belongs to, looser than one event."""
    is_leader: bool = False
    """Its own text was enriched; the others of its story have its summary, score and reason."""
