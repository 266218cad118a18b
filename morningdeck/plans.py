"""When a briefing comes, as people write it: times of day, days of the week."""

from __future__ import annotations

import re

from morningdeck.errors import ConfigError
from morningdeck.model import Plan
from morningdeck.schedule import WEEKDAYS
from morningdeck.views import BriefingView

SAY_WHEN = "say when: either --daily HH:MM, or --weekly DAY with --at HH:MM"


def plan(daily: str | None, weekly: str | None, at: str | None, timezone: str) -> Plan:
    """Every day at `daily`, or on the day `weekly` at `at`; anything else is refused."""
    if daily is not None and weekly is None and at is None:
        return Plan(*time_of_day(daily), timezone)
    if daily is None and weekly is not None and at is not None:
        return Plan(*time_of_day(at), timezone, weekday(weekly))
    raise ConfigError(SAY_WHEN)


def of(view: BriefingView) -> Plan:
    """The plan of a briefing as its user is shown it."""
    day = None if view.weekday is None else weekday(view.weekday)
    return Plan(*time_of_day(view.local_time), view.timezone, day)


def time_of_day(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text.strip())
    if match is None:
        raise ConfigError(f"{text!r} is not a time of day, e.g. 08:00")
    return int(match[1]), int(match[2])


def weekday(text: str) -> int:
    """Monday is 0; three letters are enough."""
    wanted = text.strip().lower()
    for number, name in enumerate(WEEKDAYS):
        if len(wanted) >= 3 and name.startswith(wanted):
            return number
    raise ConfigError(f"{text!r} is not a day of the week, e.g. mon or friday")
