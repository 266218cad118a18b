"""Moments as somebody who reads them now would say them, by a clock in their own room."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

EARLIEST = datetime(2, 1, 1, tzinfo=UTC)
"""Before it there may be no local time: a feed may claim the year 1."""


def in_words(at: datetime, now: datetime, zone: ZoneInfo) -> str:
    """`14:05` today, `tomorrow 07:30`, `Fri 27 Nov 07:30`, `27 Nov 2025`."""
    local, today = _local(at, zone), now.astimezone(zone).date()
    days = (local.date() - today).days
    if days == 0:
        return f"{local:%H:%M}"
    if abs(days) == 1:
        return f"{'tomorrow' if days > 0 else 'yesterday'} {local:%H:%M}"
    if local.year == today.year or 0 < days < 90:
        return f"{local:%a} {local.day} {local:%b %H:%M}"
    return f"{local.day} {local:%b} {local.year}"


def short(at: datetime, now: datetime, zone: ZoneInfo) -> str:
    """For a column: at most twelve characters, `27 Nov 07:30` or `27 Nov 2025`."""
    local, here = _local(at, zone), now.astimezone(zone)
    if abs(here - local) < timedelta(days=180):
        return f"{local.day:2} {local:%b %H:%M}"
    return f"{local.day:2} {local:%b} {local.year}"


def full(at: datetime, zone: ZoneInfo) -> str:
    """With the zone's own name for its time, `2026-11-27 07:30 CET`."""
    return f"{_local(at, zone):%Y-%m-%d %H:%M %Z}"


def _local(at: datetime, zone: ZoneInfo) -> datetime:
    try:
        return max(at, EARLIEST).astimezone(zone)
    except OverflowError:
        return at
