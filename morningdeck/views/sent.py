"""What is sent: briefings, reports, deliveries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


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
