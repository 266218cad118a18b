"""How it stands with models: what they cost, and which of them are left alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class HeldEndpoint:
    endpoint: str
    until: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class ModelState:
    """Of today: with what is reserved for calls under way. No budget is no limit."""

    calls_today: int = 0
    cost_today_usd: float = 0.0
    budget_usd: float | None = None
    held: tuple[HeldEndpoint, ...] = ()


@dataclass(frozen=True, slots=True)
class UsageOfDay:
    """The calls of one model for one purpose on one day; no cost where its price is not known."""

    day: str
    purpose: str
    model: str
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
