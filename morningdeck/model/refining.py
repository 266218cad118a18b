"""What refining works on: profiles that are kept, words that were counted, better scores."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from morningdeck.model.making import Profile


@dataclass(frozen=True, slots=True)
class KeptProfile:
    item_id: int
    source_id: int
    profile: Profile


@dataclass(frozen=True, slots=True)
class RatedProfile:
    """What a reader has liked (1) or disliked (-1)."""

    item_id: int
    title: str
    feedback: int
    profile: Profile


@dataclass(frozen=True, slots=True)
class WordCounts:
    """In how many articles of a language each word was, of those that left the window.

    They fade with time, so the numbers are no whole ones.
    """

    language: str
    articles: float
    words: bytes
    counted_at: datetime


@dataclass(frozen=True, slots=True)
class RefinedScore:
    briefing_id: int
    item_id: int
    version: int
    value: int
    reason: str
    shows: bool
    """It differs by so much that the search index is to know."""
