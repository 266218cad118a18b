"""When a briefing comes, as people write it: times of day, days of the week."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from morningdeck.errors import ConfigError
from morningdeck.model.sending import Plan
from morningdeck.schedule import WEEKDAYS

SAY_WHEN = "say when: either --daily HH:MM, or --weekly DAY with --at HH:MM"


@dataclass(frozen=True, slots=True)
class When:
    """What somebody says of a plan: a time of every day, or a day of the week and its time."""

    daily: str | None = None
    weekly: str | None = None
    at: str | None = None
    timezone: str | None = None
    days: str | None = None

    def plan(self, timezone: str) -> Plan:
        """All of it has to be said, but for the timezone."""
        self._check()
        zone = self.timezone or timezone
        if self.daily is not None:
            return Plan(*time_of_day(self.daily), zone)
        if self.weekly is None or self.at is None:
            raise ConfigError(SAY_WHEN)
        return Plan(*time_of_day(self.at), zone, weekday(self.weekly))

    def changed(self, plan: Plan) -> Plan | None:
        """The plan with what is said, or None when nothing is: a new day keeps the time."""
        self._check()
        if self == When():
            return None
        if self.timezone is not None:
            plan = replace(plan, timezone=self.timezone)
        if self.daily is not None:
            return Plan(*time_of_day(self.daily), plan.timezone)
        if self.weekly is not None:
            plan = replace(plan, weekday=weekday(self.weekly))
        if self.at is None:
            return plan
        if plan.weekday is None:
            raise ConfigError("--at goes with --weekly: use --daily HH:MM")
        return Plan(*time_of_day(self.at), plan.timezone, plan.weekday)

    def _check(self) -> None:
        if self.daily is not None and not (self.weekly is None and self.at is None):
            raise ConfigError(SAY_WHEN)
        if self.days is not None:
            raise ConfigError("briefings on chosen days are not built yet: leave out --days")


def time_of_day(text: str) -> tuple[int, int]:
    if "," in text:
        raise ConfigError("briefings at several times a day are not built yet: name one time")
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
