"""What users are shown: the JSON objects of the command line and the REST API.

Each class is one object, field by field; `to_json` writes any of them. Nothing in here
asks a database or decides anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from morningdeck.model.making import Tags
    from morningdeck.model.spending import ModelState


def to_json(view: object) -> str:
    """One JSON document in plain ASCII, so that no terminal and no locale can spoil it."""
    return json.dumps(as_json(view), indent=2)


def as_json(value: object) -> Any:
    """The view as JSON knows it: objects, arrays, strings, numbers; times in UTC with `Z`."""
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case Enum():
            return value.value
        case Mapping():
            return {str(as_json(key)): as_json(held) for key, held in value.items()}
        case tuple() | list():
            return [as_json(held) for held in value]
        case PurePath():
            return str(value)
        case _ if is_dataclass(value):
            return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value


# ---- people


@dataclass(frozen=True, slots=True)
class UserView:
    id: int
    email: str
    name: str
    role: str
    timezone: str
    language: str
    enabled: bool
    credits: int | None
    created_at: datetime


# ---- what is read


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source as one reader subscribes to it."""

    id: int
    type: str
    url: str
    name: str
    status: str
    paused: bool
    health: str
    consecutive_failures: int
    last_error: str | None
    last_fetched_at: datetime | None
    last_success_at: datetime | None
    next_fetch_at: datetime | None
    items: int
    etag: str | None
    last_modified: str | None
    warnings: tuple[str, ...]
    topics: tuple[str, ...]
    tags: tuple[str, ...]
    refresh_seconds: int
    prompt: str
    since: datetime


@dataclass(frozen=True, slots=True)
class SourceCheckView:
    """What a look at an address found."""

    type: str
    url: str
    title: str
    feed_url: str | None
    entries: int
    newest: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RejectedView:
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportView:
    """What became of a list of feeds."""

    added: int
    existing: int
    rejected: tuple[RejectedView, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreView:
    briefing_id: int
    score: int
    reason: str
    by: str
    feedback: int


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item as one reader sees it, with that reader's scores and marks."""

    id: int
    source_id: int
    source: str
    title: str
    url: str | None
    author: str | None
    image_url: str | None
    published_at: datetime | None
    first_seen_at: datetime
    status: str
    summary: str
    category: str
    intent: str
    tags: Tags
    scores: tuple[ScoreView, ...]
    story_id: int | None
    also_in: int
    attempts: int
    failures: int
    error: str | None
    read: bool
    saved: bool
    language: str | None


# ---- what is sent


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


# ---- how it runs


@dataclass(frozen=True, slots=True)
class QueueView:
    """`waiting` and `failed` are counted up to a cap, so that a look stays cheap."""

    waiting: int
    queued: int
    running: int
    failed: int
    oldest_waiting_seconds: int | None
    capacity: int
    workers: int


@dataclass(frozen=True, slots=True)
class QueueStatsView:
    """Every status of every stage with its exact count."""

    fetch: dict[str, int]
    processing: dict[str, int]
    briefing: dict[str, int]
    deliveries: dict[str, int]


@dataclass(frozen=True, slots=True)
class DaemonView:
    running: bool
    since: datetime | None


@dataclass(frozen=True, slots=True)
class SearchStateView:
    backend: str
    waiting: int


@dataclass(frozen=True, slots=True)
class NextBriefing:
    id: int
    title: str
    at: datetime
    channels: tuple[str, ...]
    recipients: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """How a reader's deck stands. Sources that the reader has paused count only as such."""

    sources: int
    sources_paused: int
    sources_in_trouble: int
    items_today: int
    briefings: int
    next_fetch_at: datetime | None = None
    next_briefing: NextBriefing | None = None
    last_run_at: datetime | None = None
    """When a daemon, or a `run --once`, has ended last."""


@dataclass(frozen=True, slots=True)
class StatusView:
    version: str
    database: str
    daemon: DaemonView
    queues: dict[str, QueueView]
    deliveries: dict[str, int]
    search: SearchStateView
    model: ModelState
    notices: tuple[str, ...]
    outlook: Outlook


@dataclass(frozen=True, slots=True)
class DeadLetterView:
    """A piece of work that failed for good; `queue retry` brings it back."""

    stage: str
    id: int
    title: str
    url: str | None
    error: str | None
    failures: int
    losses: int
    first_seen_at: datetime


@dataclass(frozen=True, slots=True)
class DatabaseView:
    """The state of the database itself."""

    database: str
    revision: str | None
    newest: str | None
    ok: bool
    problems: tuple[str, ...] = ()
