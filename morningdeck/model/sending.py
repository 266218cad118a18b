"""What is sent: briefings, candidates, reports, deliveries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Plan:
    """When a briefing runs, in its own zone; `weekday` (0 = Monday) makes it weekly."""

    hour: int
    minute: int
    timezone: str
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Briefing:
    id: int
    user_id: int
    title: str
    plan: Plan
    recipients: tuple[str, ...]
    channels: tuple[str, ...]
    max_items: int
    min_score: int
    per_source: int
    language: str | None
    quiet_note: bool
    next_run_at: datetime
    manual: bool
    """A manual run was asked for and is still owed."""
    user_email: str
    last_slot: str | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """What a briefing weighs: its sources' items that were first seen since then."""

    briefing_id: int
    since: datetime


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
    is_leader: bool = False
    """Its own text was enriched; the others of its story have its summary, score and reason."""


@dataclass(frozen=True, slots=True)
class ReportItem:
    """A snapshot: history shows what was sent, whatever becomes of the item."""

    position: int
    item_id: int
    title: str
    url: str | None
    summary: str
    score: int
    reason: str
    source_title: str
    published_at: datetime | None = None
    also_in: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a briefing says for one slot."""

    id: int
    briefing_id: int
    briefing_title: str
    slot: str
    subject: str
    overview: str
    generated_at: datetime
    timezone: str
    language: str | None
    weighed: int
    items: tuple[ReportItem, ...] = ()
    weekly: bool = False
    broken_sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """A report as people read it; all its mails and its page are made from these parts."""

    subject: str
    text: str
    html: str
    unsubscribe_url: str | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """One report for one address by one channel: the exact bytes that go out."""

    channel: str
    address: str
    message_id: str
    content: bytes
    file_stem: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """Result of a briefing's run: the report with all it weighed, or the slots that were missed."""

    report: Report | None
    weighed: tuple[int, ...] = ()
    rendered: Rendered | None = None
    """None when the report is sent to nobody."""
    envelopes: tuple[Envelope, ...] = ()
    next_run_at: datetime | None = None
    slot: str | None = None
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivery:
    """One envelope on its way."""

    id: int
    report_id: int
    channel: str
    address: str
    message_id: str
    content: bytes
    html: str | None = None
    """The page that `content` was made from."""
    file_stem: str = ""
    give_up_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """Result of a send: what the other side said."""

    reply: str
