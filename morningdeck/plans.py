"""When a briefing comes, as people write it: times of day, days of the week."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from morningdeck.errors import ConfigError
from morningdeck.model.sending import Plan
from morningdeck.schedule import WEEKDAYS

SAY_WHEN = "say when: either --daily HH:MM, or --weekly DAY with --at HH:MM"
DAYS_OF_A_DAILY = "--days goes with --daily: a weekly briefing comes on one day, use --weekly DAY"


@dataclass(frozen=True, slots=True)
class When:
    """What somebody says of a plan: times of the day, or a day of the week and its time."""

    daily: str | None = None
    weekly: str | None = None
    at: str | None = None
    timezone: str | None = None
    days: str | None = None

    def plan(self, timezone: str) -> Plan:
        """All of it has to be said, but for the timezone and the days."""
        self._check()
        zone = self.timezone or timezone
        if self.daily is not None:
            return self._daily(Plan(0, 0, zone))
        if self.weekly is None or self.at is None:
            raise ConfigError(SAY_WHEN)
        return Plan(*time_of_day(self.at), zone, weekday(self.weekly))

    def changed(self, plan: Plan) -> Plan | None:
        """The plan with what is said, or None when nothing is: new days keep the times."""
        self._check()
        if self == When():
            return None
        if self.timezone is not None:
            plan = replace(plan, timezone=self.timezone)
        if self.daily is not None:
            return self._daily(plan)
        if self.days is not None:
            if plan.weekday is not None:
                raise ConfigError(DAYS_OF_A_DAILY)
            return replace(plan, days=days_of_week(self.days))
        if self.weekly is not None:
            plan = replace(plan, weekday=weekday(self.weekly), further=(), days=())
        if self.at is None:
            return plan
        if plan.weekday is None:
            raise ConfigError("--at goes with --weekly: use --daily HH:MM")
        return Plan(*time_of_day(self.at), plan.timezone, plan.weekday)

    def _daily(self, plan: Plan) -> Plan:
        first, *further = times_of_day(self.daily or "")
        days = plan.days if self.days is None else days_of_week(self.days)
        return Plan(*first, plan.timezone, further=tuple(further), days=days)

    def _check(self) -> None:
        if self.daily is not None and not (self.weekly is None and self.at is None):
            raise ConfigError(SAY_WHEN)
        if self.days is not None and self.weekly is not None:
            raise ConfigError(DAYS_OF_A_DAILY)


def times_of_day(text: str) -> tuple[tuple[int, int], ...]:
    """In their order, each once."""
    return tuple(sorted({time_of_day(part) for part in text.split(",")}))


def time_of_day(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text.strip())
    if match is None:
        raise ConfigError(f"{text!r} is not a time of day, e.g. 08:00")
    return int(match[1]), int(match[2])


def days_of_week(text: str) -> tuple[int, ...]:
    """Days and ranges of days (mon-fri, sat-mon) with commas between; `()` are all."""
    named: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        start = weekday(first)
        length = (weekday(last) - start) % 7 if dash else 0
        named.update((start + step) % 7 for step in range(length + 1))
    return () if len(named) == 7 else tuple(sorted(named))


def weekday(text: str) -> int:
    """Monday is 0; three letters are enough."""
    wanted = text.strip().lower()
    for number, name in enumerate(WEEKDAYS):
        if len(wanted) >= 3 and name.startswith(wanted):
            return number
    raise ConfigError(f"{text!r} is not a day of the week, e.g. mon or friday")
