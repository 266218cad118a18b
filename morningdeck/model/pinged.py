"""Who is told from outside that a briefing has run."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Ping:
    """What is to be told to the ping address of a briefing, after a run of its report."""

    report_id: int
    url: str = field(repr=False)
    ok: bool
    told: str
    attempts: int
