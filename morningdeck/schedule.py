"""When a briefing runs: slots of local time, as instants of UTC.

One slot is one local date (`2026-11-18`), a further time of it (`2026-11-18/18:00`) or one
ISO week (`2026-W47`). A local time that a clock change skips means the first valid instant
after it; one that comes twice means the first of both; of two that become one instant only
the first is a slot. All arithmetic on instants is done in UTC.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from morningdeck.errors import ConfigError

if TYPE_CHECKING:
    from morningdeck.model.sending import Plan

MADE_UP_DAILY = timedelta(hours=12)
MADE_UP_WEEKLY = timedelta(hours=48)
DAYS_IN_SHORT = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(f"there is no timezone {name!r}, use a name like Europe/Berlin") from None


def zone_or_utc(name: str) -> ZoneInfo:
    """A machine may have lost a zone since it was set: better to show other times than none."""
    try:
        return zone(name)
    except ConfigError:
        return ZoneInfo("UTC")


def midnight(now: datetime, zone: ZoneInfo) -> datetime:
    """When this day began there."""
    local = now.astimezone(zone)
    return local.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)


def instant(day: date, plan: Plan, at: time | None = None) -> datetime:
    """The instant, in UTC, at which that day's slot is due: its first, unless a time is given."""
    here = zone(plan.timezone)
    wanted = datetime.combine(day, at or time(plan.hour, plan.minute), here)
    there_and_back = wanted.astimezone(UTC).astimezone(here)
    if there_and_back.replace(tzinfo=None) == wanted.replace(tzinfo=None):
        return wanted.astimezone(UTC)
    return _end_of_gap(wanted, here)


def _end_of_gap(wanted: datetime, here: ZoneInfo) -> datetime:
    """A skipped local time: the transition lies between its two readings (PEP 495)."""
    early = wanted.replace(fold=1).astimezone(UTC)
    late = wanted.replace(fold=0).astimezone(UTC)
    offset = early.astimezone(here).utcoffset()
    while late - early > timedelta(seconds=1):
        middle = early + (late - early) / 2
        if middle.astimezone(here).utcoffset() == offset:
            early = middle
        else:
            late = middle
    return late.replace(microsecond=0)


def _exists(day: date, plan: Plan) -> bool:
    """False for the few dates that a place has skipped, moving across the date line."""
    here = zone(plan.timezone)
    noon = datetime.combine(day, time(12), here)
    return noon.astimezone(UTC).astimezone(here).date() == day


def slot_name(day: date, plan: Plan, at: time | None = None) -> str:
    if plan.weekday is None:
        return day.isoformat() if at is None else f"{day.isoformat()}/{at:%H:%M}"
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"


def _comes_on(day: date, plan: Plan) -> bool:
    days = plan.days if plan.weekday is None else (plan.weekday,)
    return (not days or day.weekday() in days) and _exists(day, plan)


def slots(plan: Plan, start: date) -> Iterator[tuple[str, datetime]]:
    """All slots from that local date on, with the instants at which they are due: the same
    instant for several times that a clock change skips.
    """
    times = (None, *(time(hour, minute) for hour, minute in plan.further))
    day = start
    while True:
        for at in times if _comes_on(day, plan) else ():
            yield slot_name(day, plan, at), instant(day, plan, at)
        day += timedelta(days=1)


def next_run(plan: Plan, after: datetime, last_slot: str | None = None) -> datetime:
    """The first instant after `after` whose slot is later than `last_slot`."""
    return next_slot(plan, after, last_slot)[1]


def next_slot(plan: Plan, after: datetime, last_slot: str | None = None) -> tuple[str, datetime]:
    """Of several with one instant the first: `after` is past the others then."""
    start = after.astimezone(zone(plan.timezone)).date() - timedelta(days=1)
    for name, due in slots(plan, start):
        if due > after and not _is_past(name, last_slot):
            return name, due
    raise AssertionError("slots never end")


def _is_past(name: str, last_slot: str | None) -> bool:
    # a date and a week do not compare: after a change of frequency both count anew
    return last_slot is not None and ("W" in name) == ("W" in last_slot) and name <= last_slot


def slot_at(plan: Plan, due: datetime) -> str:
    """The slot that a run planned for `due` stands for: the nearest, as the rules of a zone may
    have changed since.
    """
    day = due.astimezone(zone(plan.timezone)).date()
    found: list[tuple[timedelta, str]] = []
    for name, at in slots(plan, day - timedelta(days=1)):
        found.append((abs(at - due), name))
        if at > due:
            break
    return min(found)[1]


def due_slots(plan: Plan, planned: datetime, now: datetime) -> tuple[tuple[str, datetime], ...]:
    """Every slot from the planned run to now: the last may be made up, the others are missed."""
    found = [(slot_at(plan, planned), planned)]
    while (following := next_slot(plan, found[-1][1], found[-1][0]))[1] <= now:
        found.append(following)
    return tuple(found)


def made_up_within(plan: Plan) -> timedelta:
    """How late a run may be and still be worth having."""
    return MADE_UP_DAILY if plan.weekday is None else MADE_UP_WEEKLY
