"""How it stands with models: what they cost, and which of them are left alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from morningdeck.model.asking import Tally

WITHOUT_A_MODEL = (Tally.UNUSABLE, Tally.NO_ENDPOINT, Tally.NO_MONEY, Tally.NO_CREDIT)


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
    tallies: Mapping[str, int] = field(default_factory=dict)
    """What was counted, by the values of `Tally`."""

    @property
    def offline(self) -> int:
        """Questions to which no model gave an answer of use."""
        return sum(self.tallies.get(tally, 0) for tally in WITHOUT_A_MODEL)


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
