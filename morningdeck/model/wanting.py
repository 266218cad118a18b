"""What users ask for: a source to read, a briefing to get."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from morningdeck.model.kinds import SourceType

if TYPE_CHECKING:
    from morningdeck.model.sending import Plan

ON_THE_SUBJECT = 40
"""What scores lower speaks of something else, or only touches on it."""


@dataclass(frozen=True, slots=True)
class NewSource:
    """What somebody wants to read, and how."""

    url: str
    type: str = SourceType.RSS
    title: str = ""
    name: str = ""
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    prompt: str = ""
    refresh: timedelta | None = None


@dataclass(frozen=True, slots=True)
class WantedSection:
    """A further wish of a briefing, whose places stand under its title."""

    title: str
    criteria: str


@dataclass(frozen=True, slots=True)
class NewBriefing:
    """A briefing as its user wants it; without `source_ids` it takes all of their sources."""

    title: str
    criteria: str
    plan: Plan
    channels: tuple[str, ...]
    recipients: tuple[str, ...] = ()
    max_items: int = 10
    min_score: int = ON_THE_SUBJECT
    quiet_note: bool = False
    language: str | None = None
    ping: str | None = None
    source_ids: tuple[int, ...] = ()
    sections: tuple[WantedSection, ...] = ()


@dataclass(frozen=True, slots=True)
class BriefingChanges:
    """What becomes of a briefing; what is None stays as it is, and `()` are all sources."""

    title: str | None = None
    criteria: str | None = None
    plan: Plan | None = None
    channels: tuple[str, ...] | None = None
    recipients: tuple[str, ...] | None = None
    max_items: int | None = None
    min_score: int | None = None
    quiet_note: bool | None = None
    language: str | None = None
    ping: str | None = None
    """Empty: none any more."""
    source_ids: tuple[int, ...] | None = None
    sections: tuple[WantedSection, ...] | None = None


@dataclass(frozen=True, slots=True)
class NewSearch:
    """A search to be saved; `briefing_id` tells what it finds, or it has mails of its own."""

    name: str
    query: str
    briefing_id: int | None = None
    at_once: bool = False
    recipients: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceChanges:
    """What becomes of a source as one user reads it; what is None stays as it is."""

    name: str | None = None
    topics: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    prompt: str | None = None
    refresh: timedelta | None = None
