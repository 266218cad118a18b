"""How it runs: queues, the daemon, the outlook, the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from morningdeck.model.spending import ModelState


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
    limited_by: str | None = None
    """What more of would have less wait: a daemon, a worker, workers, capacity; None: nothing."""


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
    """What the search server has not been told yet, counted up to a cap, and since when."""

    backend: str
    waiting: int
    oldest_waiting_seconds: int | None = None


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
    worker_processes: int | None = None
    """Those that take work out of a broker; None where there is no broker."""


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
class ProcessView:
    """One that has not ended; one that does not live has died without a word."""

    node: str
    kind: str
    pid: int
    version: str
    started_at: datetime
    beat_at: datetime
    """Its last heartbeat."""
    lives: bool


@dataclass(frozen=True, slots=True)
class HoldView:
    """An endpoint that nobody asks until then."""

    endpoint: str
    reason: str
    until: datetime
    failures: int


@dataclass(frozen=True, slots=True)
class TroubledDelivery:
    id: int
    subject: str
    channel: str
    address: str
    state: str
    attempts: int
    reply: str | None
    due_at: datetime | None


@dataclass(frozen=True, slots=True)
class NoticeView:
    kind: str
    subject: str
    text: str
    since: datetime


@dataclass(frozen=True, slots=True)
class DayCost:
    """What the calls of models on a day have cost, with what is reserved."""

    day: str
    calls: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class DatabaseView:
    """The state of the database itself."""

    database: str
    revision: str | None
    newest: str | None
    ok: bool
    problems: tuple[str, ...] = ()
