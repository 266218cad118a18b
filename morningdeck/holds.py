"""How long to leave a server alone: as long as it asks for, else longer each time it fails."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from morningdeck.model.asking import FailureKind

FAILURES_ALLOWED = 3
"""In a row: a single failure among many calls at once says little."""
FIRST_HOLD = timedelta(seconds=5)
LONGEST_HOLD = timedelta(minutes=5)
SHORTEST_WAIT = timedelta(seconds=1)
LONGEST_WAIT_SECONDS = 86_400
LONGEST_ASKED = timedelta(seconds=LONGEST_WAIT_SECONDS)


def retry_after(value: str, now: datetime) -> float | None:
    """The seconds asked for by a header, a day at most; None when they can't be read."""
    if value.isascii() and value.isdigit():
        # Ten digits are enough, and int() refuses thousands of them.
        return float(min(int(value[:10]), LONGEST_WAIT_SECONDS))
    try:
        at = parsedate_to_datetime(value)
        seconds = (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds()
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0.0), LONGEST_WAIT_SECONDS)


def asked_for(
    header: str | None, kind: FailureKind, now: datetime, denied_for: timedelta = LONGEST_ASKED
) -> timedelta | None:
    """How long an endpoint wants to be left alone; None where it does not say.

    One that refuses the key gets a day, after which somebody may have paid the bill.
    """
    if kind is FailureKind.DENIED:
        return denied_for
    seconds = None if header is None else retry_after(header.strip(), now)
    return None if seconds is None else max(timedelta(seconds=seconds), SHORTEST_WAIT)


def opens(kind: FailureKind, asked: timedelta | None, failures: int) -> bool:
    """Does this failure, the last of so many in a row, begin a hold?"""
    return kind is FailureKind.LIMITED or asked is not None or failures >= FAILURES_ALLOWED


def hold_length(
    asked: timedelta | None, holds: int, longest: timedelta = LONGEST_HOLD
) -> timedelta:
    """For how long, after so many holds in a row."""
    if asked is not None:
        return asked
    return min(FIRST_HOLD * (1 << min(holds, 10)), longest)
