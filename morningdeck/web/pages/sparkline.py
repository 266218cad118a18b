"""How much came each day, as small bars that the server draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

DAYS = 30
BAR_WIDTH, DRAWN_HEIGHT, BARS_APART = 8, 36, 2


@dataclass(frozen=True, slots=True)
class Bar:
    """`x`, `y`, `width` and `height` in the units of the drawing."""

    day: date
    count: int
    x: int
    y: int
    height: int
    width: int = BAR_WIDTH


@dataclass(frozen=True, slots=True)
class Sparkline:
    bars: tuple[Bar, ...]
    total: int
    most: int
    width: int = DAYS * (BAR_WIDTH + BARS_APART) - BARS_APART
    height: int = DRAWN_HEIGHT


def sparkline(moments: Iterable[datetime], now: datetime, zone: ZoneInfo) -> Sparkline:
    """By the days of that zone, today last; a day with little has a bar all the same."""
    counts = Counter(moment.astimezone(zone).date() for moment in moments)
    today = now.astimezone(zone).date()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    most = max((counts[day] for day in days), default=0)
    bars = []
    for place, day in enumerate(days):
        height = max(3, round(DRAWN_HEIGHT * counts[day] / most)) if counts[day] else 1
        bars.append(
            Bar(day, counts[day], place * (BAR_WIDTH + BARS_APART), DRAWN_HEIGHT - height, height)
        )
    return Sparkline(tuple(bars), sum(counts[day] for day in days), most)
