"""How the stages have gone, hour by hour: how jobs ended, how long they took, how much waited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

HOUR, DEPTH_SLOT = timedelta(hours=1), timedelta(minutes=15)
"""Of what waits, the most that was seen within so long is kept."""


class Ending(StrEnum):
    """How one run of a job came out."""

    WORKED = "worked"
    PUT_OFF = "put off"
    FAILED = "failed"
    """It is tried again."""
    GIVEN_UP = "given up"
    """It was the last try."""
    ENDED = "ended"
    """In another way that the stage knows."""
    REFUSED = "refused"
    """It came too late: somebody else has the row."""


def slot(at: datetime, length: timedelta) -> datetime:
    """When the slot began that this moment is in."""
    return at - (at - EPOCH) % length


def within(seconds: float) -> int:
    """The power of two, in milliseconds, that so long is below."""
    return 1 << max(0, int(seconds * 1000)).bit_length()


@dataclass(frozen=True, slots=True)
class HourView:
    """What ended in an hour. The times are good to a factor of two at worst."""

    stage: str
    hour: datetime
    endings: Mapping[str, int]
    median_seconds: float | None = None
    slow_seconds: float | None = None
    """All but one in twenty took less."""


@dataclass(frozen=True, slots=True)
class DepthView:
    """The most that waited in a quarter of an hour, and the longest that the oldest had waited."""

    stage: str
    at: datetime
    waiting: int
    oldest_seconds: int


def took(counts: Mapping[int, int], share: float) -> float | None:
    """In how many seconds this share of the jobs had ended, from how many took `within` how long;
    between two powers of two it is read off a straight line.
    """
    wanted = share * sum(counts.values())
    passed = 0
    for most, count in sorted(counts.items()):
        if count and passed + count >= wanted:
            low = most / 2 if most > 1 else 0.0
            return (low + (most - low) * (wanted - passed) / count) / 1000
        passed += count
    return None
