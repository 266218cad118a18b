"""The engine room: how the machine runs, and what of it needs somebody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from morningdeck.model.hours import DepthView, HourView
from morningdeck.views.running import (
    DayCost,
    DeadLetterView,
    HoldView,
    ProcessView,
    QueueView,
    StatusView,
    TroubledDelivery,
)


@dataclass(frozen=True, slots=True)
class NeedView:
    """Something for the reader to do. `source_id` is what may be asked anew at once."""

    what: str
    since: datetime | None = None
    source_id: int | None = None
    dead_letters: bool = False
    """The list of dead letters says more."""


@dataclass(frozen=True, slots=True)
class StageDay:
    """A stage now, and its last 24 hours; deliveries have no queue."""

    stage: str
    queue: QueueView | None
    depths: tuple[DepthView, ...]
    hours: tuple[HourView, ...]
    endings: Mapping[str, int]
    median_seconds: float | None
    slow_seconds: float | None


@dataclass(frozen=True, slots=True)
class EngineRoomView:
    status: StatusView
    needs: tuple[NeedView, ...]
    stages: tuple[StageDay, ...]
    processes: tuple[ProcessView, ...]
    holds: tuple[HoldView, ...]
    deliveries: tuple[TroubledDelivery, ...]
    dead_letters: tuple[DeadLetterView, ...]
    costs: tuple[DayCost, ...]
    since: datetime
    """When the 24 hours began."""
