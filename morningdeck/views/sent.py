"""What is sent: briefings, reports, deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime

from morningdeck.model.sending import Movement, PassedOver, ReportItem, Undelivered, WhyNot


@dataclass(frozen=True, slots=True)
class SectionView:
    id: int
    title: str
    criteria: str


@dataclass(frozen=True, slots=True)
class BriefingView:
    id: int
    title: str
    criteria: str
    status: str
    paused: bool
    frequency: str
    weekday: str | None
    local_time: str
    days: tuple[str, ...]
    timezone: str
    next_run_at: datetime | None
    last_slot: str | None
    last_executed_at: datetime | None
    last_error: str | None
    recipients: tuple[str, ...]
    channels: tuple[str, ...]
    max_items: int
    min_score: int
    per_source: int
    quiet_days: str
    language: str | None
    all_sources: bool
    source_ids: tuple[int, ...]
    sections: tuple[SectionView, ...]
    ended: tuple[str, ...] = ()
    """Recipients that it does not go to any more: mail to them came back."""
    ping: str | None = None
    feed: bool = False
    """It can be read as a feed, at a secret address."""


@dataclass(frozen=True, slots=True)
class BriefingFeedView:
    """The secret addresses of a briefing's reports, as they are told once."""

    briefing_id: int
    rss: str
    atom: str
    json: str


@dataclass(frozen=True, slots=True)
class FeedOwnerView:
    """Whose feed a secret opens."""

    user_id: int
    briefing_id: int
    title: str
    language: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class RecipientView:
    """An address that a briefing goes to, as whoever has its mail may see it."""

    briefing_id: int
    title: str
    at_once: bool
    """It tells what a saved search has found."""
    address: str
    ended: str | None
    """Why nothing goes there any more, if so."""


@dataclass(frozen=True, slots=True)
class SavedSearchView:
    id: int
    name: str
    query: str
    alert: int | str | None
    """The briefing that tells what it finds, `now` for mails of its own."""
    to: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    """Where that goes."""
    understood: str = ""


@dataclass(frozen=True, slots=True)
class DeliveryView:
    id: int
    channel: str
    address: str
    state: str
    attempts: int
    message_id: str
    reply: str | None
    error: str | None


@dataclass(frozen=True, slots=True)
class ListedDelivery(DeliveryView):
    report_id: int
    """Of which it is."""


@dataclass(frozen=True, slots=True)
class ReportItemView:
    position: int
    item_id: int | None
    title: str
    url: str | None
    score: int
    summary: str
    reason: str
    source: str
    published_at: datetime | None
    also_in: tuple[str, ...]
    section: str
    language: str | None
    translated: bool
    minutes: int
    told: bool
    missed: bool
    update: str
    update_since: datetime | None

    @classmethod
    def of(cls, item: ReportItem) -> ReportItemView:
        same = {field.name for field in fields(cls)} - {"source", "also_in"}
        return cls(
            source=item.source_title,
            also_in=tuple(teller.source for teller in item.also_in),
            **{name: getattr(item, name) for name in same},
        )


@dataclass(frozen=True, slots=True)
class HeadingView:
    """What leads to a report."""

    id: int
    briefing_id: int
    slot: str
    subject: str
    generated_at: datetime


@dataclass(frozen=True, slots=True)
class ReportView:
    id: int
    briefing_id: int
    slot: str
    status: str
    subject: str
    summary: str
    generated_at: datetime | None
    closed_at: datetime | None
    """When it was given up, because nobody could get it."""
    weighed: int
    items: tuple[ReportItemView, ...]
    deliveries: tuple[DeliveryView, ...]
    weekly: bool = False
    moved: tuple[Movement, ...] = ()
    left_out: Mapping[WhyNot, int] = field(default_factory=dict)
    undelivered: tuple[Undelivered, ...] = ()


@dataclass(frozen=True, slots=True)
class StepView:
    """What was said to the other side of a channel, and what it answered."""

    said: str
    answer: str


@dataclass(frozen=True, slots=True)
class TrialView:
    """What became of a test, which is no report."""

    briefing_id: int
    channel: str
    address: str
    subject: str
    items: int
    sent: bool
    steps: tuple[StepView, ...]
    reply: str | None
    error: str | None
    unscored: int = 0
    unread_sources: int = 0


@dataclass(frozen=True, slots=True)
class LeftOutView(ReportView):
    """A report with the best of what it weighed and left out."""

    passed_over: tuple[PassedOver, ...] = ()


@dataclass(frozen=True, slots=True)
class BriefingRunView:
    report: int
    items: int
    deliveries: tuple[DeliveryView, ...]
    unscored: int = 0
    unread_sources: int = 0


@dataclass(frozen=True, slots=True)
class PreviewView(ReportView):
    unscored: int = 0
    unread_sources: int = 0
