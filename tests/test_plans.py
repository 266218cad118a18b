"""When a briefing comes, as people write it."""

from __future__ import annotations

import pytest

from morningdeck.errors import ConfigError
from morningdeck.plans import time_of_day, weekday


@pytest.mark.parametrize(
    ("text", "time"), [("08:00", (8, 0)), ("7:05", (7, 5)), ("23:59", (23, 59))]
)
def test_times_of_day(text: str, time: tuple[int, int]) -> None:
    assert time_of_day(text) == time


@pytest.mark.parametrize("text", ["", "8", "24:00", "08:60", "8h", "08:00:00"])
def test_what_is_no_time_of_day(text: str) -> None:
    with pytest.raises(ConfigError, match="not a time of day"):
        time_of_day(text)


@pytest.mark.parametrize(("text", "day"), [("mon", 0), ("Friday", 4), ("SUN", 6), ("thurs", 3)])
def test_days_of_the_week(text: str, day: int) -> None:
    assert weekday(text) == day


@pytest.mark.parametrize("text", ["", "m", "t", "tu", "montag", "8"])
def test_what_is_no_day_of_the_week(text: str) -> None:
    with pytest.raises(ConfigError, match="not a day"):
        weekday(text)
