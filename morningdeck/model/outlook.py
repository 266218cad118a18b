"""How a reader's deck stands: what is read, what is in trouble, what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class NextBriefing:
    id: int
    title: str
    at: datetime
    channels: tuple[str, ...]
    recipients: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """Sources that the reader has paused count only as such."""

    sources: int
    sources_paused: int
    sources_in_trouble: int
    items_today: int
    briefings: int
    next_fetch_at: datetime | None = None
    next_briefing: NextBriefing | None = None
    last_run_at: datetime | None = None
    """When a daemon, or a `run --once`, has ended last."""
