"""What people write for numbers, lengths of time, moments and sections, and what it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from morningdeck.errors import ConfigError
from morningdeck.model.wanting import WantedSection
from morningdeck.schedule import zone_or_utc
from morningdeck.work import LARGEST_ID

LARGEST_NUMBER = 10**18
"""Twice as much is still a number that the databases know."""
LONGEST_TIME = timedelta(days=36_525)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def identity(text: str) -> int:
    """An id as the databases can hold it; whether there is such a thing is another question."""
    number = _whole(text)
    if abs(number) > LARGEST_ID:
        raise ConfigError(f"{text!r} is too large for an id")
    return number


def how_many(text: str) -> int:
    """There is no maximum, so whatever is larger than the databases can count means all."""
    number = _whole(text)
    if number < 1:
        raise ConfigError(f"{text!r} is too few: 1 at least")
    return min(number, LARGEST_NUMBER)


def credits_left(text: str) -> int | None:
    """None for no limit."""
    if text.strip().lower() == "unlimited":
        return None
    number = _whole(text)
    if number < 0:
        raise ConfigError(f"{text!r} is no number of credits: 0 at least, or unlimited")
    return min(number, LARGEST_NUMBER)


def how_far(text: str) -> int:
    number = _whole(text)
    if number < 0:
        raise ConfigError(f"{text!r} is not a place to begin at: 0 at least")
    return min(number, LARGEST_NUMBER)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # also that of a number with thousands of digits
        raise ConfigError(f"{text!r} is not a whole number") from None


def length(text: str) -> timedelta:
    """`90s`, `15m`, `2h`, `14d`; from now it leads to a date, be it forwards or back."""
    match = re.fullmatch(r"(\d{1,11})\s*([smhdw])", text.strip().lower())
    if match is None or not int(match[1]):
        raise ConfigError(f"{text!r} is not a length of time, e.g. 90s, 15m, 2h or 14d")
    seconds = int(match[1]) * int(timedelta(**{_UNITS[match[2]]: 1}).total_seconds())
    if seconds > LONGEST_TIME.total_seconds():
        raise ConfigError(f"{text!r} is not a length of time that anybody waits: 100 years at most")
    return timedelta(seconds=seconds)


def since(text: str, now: datetime, zone: str) -> datetime:
    """A date or time (of that zone unless it says another), or a length back from now."""
    if re.fullmatch(r"\s*\d+\s*[smhdw]\s*", text, re.I):
        return now - length(text)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ConfigError(f"{text!r} is no date, e.g. 2026-11-18, nor a length, e.g. 3d") from None
    local = moment if moment.tzinfo else moment.replace(tzinfo=zone_or_utc(zone))
    try:
        return local.astimezone(UTC)
    except OverflowError:
        raise ConfigError(f"{text!r} is no date that anything was read at") from None


def wanted_sections(texts: Sequence[str]) -> tuple[WantedSection, ...]:
    pairs = [text.partition(":") for text in texts]
    if any(not colon for _, colon, _ in pairs):
        raise ConfigError('a section is written "TITLE: WISH", e.g. --section "Town: Hamburg"')
    return tuple(WantedSection(title, wish) for title, _, wish in pairs)
