"""How much came each day and with each fetch, as small bars that the server draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import log
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


FETCHES, FETCH_WIDTH, FETCHES_APART, FETCH_HEIGHT = 30, 3, 1, 20
BAR_LEAST, BAR_LITTLE, MUCH_NEWS = 2, 5, 35
"""Heights of a fetch that brought nothing, or a little; and how much is as high as can be."""


@dataclass(frozen=True, slots=True)
class FetchLine:
    """Bars as two paths, of what went well and what failed, the newest at the right."""

    well: str
    failed: str
    told: str
    width: int = FETCHES * (FETCH_WIDTH + FETCHES_APART) - FETCHES_APART
    height: int = FETCH_HEIGHT


def fetch_line(recent: tuple[int | None, ...]) -> FetchLine | None:
    """None where nothing was fetched yet."""
    if not recent:
        return None
    first = FETCHES - len(recent)
    well, failed = list[str](), list[str]()
    for place, news in enumerate(recent):
        x = (first + place) * (FETCH_WIDTH + FETCHES_APART)
        (failed if news is None else well).append(_bar(x, _height(news)))
    return FetchLine("".join(well), "".join(failed), _fetches_told(recent))


def _bar(x: int, height: int) -> str:
    return f"M{x} {FETCH_HEIGHT}v-{height}h{FETCH_WIDTH}v{height}z"


def _height(news: int | None) -> int:
    """What failed is as high as the most, so that it is seen without its colour too."""
    if news is None:
        return FETCH_HEIGHT
    if not news:
        return BAR_LEAST
    share = log(min(news, MUCH_NEWS)) / log(MUCH_NEWS)
    return BAR_LITTLE + round((FETCH_HEIGHT - BAR_LITTLE - 2) * share)


def _fetches_told(recent: tuple[int | None, ...]) -> str:
    count, failed = len(recent), sum(news is None for news in recent)
    brought = sum(1 for news in recent if news)
    if count == 1:
        ending = "failed" if failed else "brought news" if brought else "brought nothing new"
        return f"The first fetch {ending}"
    told = f"{brought or 'none'} brought news and {failed or 'none'} failed"
    return f"Of the last {count} fetches, {told}"
