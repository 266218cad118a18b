"""Slots of local time as instants: once each, whatever the clocks of a place do."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import pytest

from morningdeck.errors import ConfigError
from morningdeck.model.sending import Plan
from morningdeck.schedule import (
    due_slots,
    instant,
    made_up_within,
    next_run,
    next_slot,
    slot_at,
    zone,
)

BERLIN = "Europe/Berlin"
EIGHT = Plan(8, 0, BERLIN)
MONDAYS = Plan(8, 0, BERLIN, weekday=0)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


# ---- a slot and its instant


def test_a_daily_slot_is_due_at_its_local_time_in_winter_and_summer() -> None:
    assert instant(date(2026, 1, 15), EIGHT) == at("2026-01-15T07:00Z")
    assert instant(date(2026, 7, 15), EIGHT) == at("2026-07-15T06:00Z")


def test_a_time_that_the_clocks_skip_means_the_first_valid_instant() -> None:
    assert instant(date(2026, 3, 29), Plan(2, 30, BERLIN)) == at("2026-03-29T03:00+02:00")


def test_a_time_that_comes_twice_means_the_first_of_both() -> None:
    assert instant(date(2026, 10, 25), Plan(2, 30, BERLIN)) == at("2026-10-25T02:30+02:00")


def test_a_gap_of_half_an_hour_ends_after_half_an_hour() -> None:
    plan = Plan(2, 15, "Australia/Lord_Howe")
    assert instant(date(2026, 10, 4), plan) == at("2026-10-04T02:30+11:00")


def test_midnight_in_a_gap_is_still_of_that_date() -> None:
    cairo = Plan(0, 0, "Africa/Cairo")
    due = instant(date(2026, 4, 24), cairo)

    assert due == at("2026-04-24T01:00+03:00")
    assert slot_at(cairo, due) == "2026-04-24"


def test_a_slot_that_a_gap_pushes_over_midnight_keeps_its_date() -> None:
    toronto = Plan(23, 45, "America/Toronto")
    due = instant(date(1919, 3, 30), toronto)

    assert due == at("1919-03-31T00:30-04:00")
    assert slot_at(toronto, due) == "1919-03-30"


@pytest.mark.parametrize("hour", [0, 8])
def test_a_date_that_a_place_has_skipped_has_no_slot(hour: int) -> None:
    apia = Plan(hour, 0, "Pacific/Apia")
    before = instant(date(2011, 12, 29), apia)

    name, due = next_slot(apia, before, "2011-12-29")

    assert name == "2011-12-31"
    assert due.astimezone(ZoneInfo("Pacific/Apia")).date() == date(2011, 12, 31)
    assert slot_at(apia, due) == "2011-12-31"


def test_a_zone_that_does_not_exist_is_refused_with_an_example() -> None:
    with pytest.raises(ConfigError, match="no timezone 'Mars/Olympus', use a name like Europe"):
        zone("Mars/Olympus")


# ---- several a day, on chosen days


TWICE = Plan(7, 30, BERLIN, further=((18, 0),), days=(0, 1, 2, 3, 4))


def test_the_first_slot_of_a_day_has_its_date_a_further_one_its_time_too() -> None:
    friday = at("2026-11-20T00:00Z")
    found = due_slots(TWICE, next_run(TWICE, friday), at("2026-11-23T23:00Z"))

    assert found == (
        ("2026-11-20", at("2026-11-20T06:30Z")),
        ("2026-11-20/18:00", at("2026-11-20T17:00Z")),
        ("2026-11-23", at("2026-11-23T06:30Z")),
        ("2026-11-23/18:00", at("2026-11-23T17:00Z")),
    )


def test_times_that_a_gap_makes_one_instant_are_one_slot() -> None:
    plan = Plan(2, 15, BERLIN, further=((2, 45), (3, 0), (4, 0)))
    eve = at("2026-03-28T23:00Z")

    first = next_slot(plan, eve)
    assert first == ("2026-03-29", at("2026-03-29T03:00+02:00"))
    assert next_slot(plan, first[1], first[0]) == ("2026-03-29/04:00", at("2026-03-29T02:00Z"))


def test_a_time_added_later_on_the_same_day_is_still_due() -> None:
    after = at("2026-11-18T09:00Z")

    assert next_slot(TWICE, after, "2026-11-18")[0] == "2026-11-18/18:00"
    assert next_slot(TWICE, at("2026-11-18T17:00Z"), "2026-11-18/18:00")[0] == "2026-11-19"


def test_a_run_stands_for_the_nearest_slot_when_its_zone_has_changed_since() -> None:
    assert slot_at(TWICE, at("2026-11-18T16:00Z")) == "2026-11-18/18:00"
    assert slot_at(TWICE, at("2026-11-18T07:30Z")) == "2026-11-18"


# ---- one after the other


def test_the_first_run_is_the_next_slot_never_the_one_that_has_just_begun() -> None:
    assert next_run(EIGHT, at("2026-11-18T06:59:59Z")) == at("2026-11-18T07:00Z")
    assert next_run(EIGHT, at("2026-11-18T07:00Z")) == at("2026-11-19T07:00Z")


def test_weeks_are_named_by_the_iso_year_they_belong_to() -> None:
    name, due = next_slot(MONDAYS, at("2026-12-23T00:00Z"))
    assert (name, due) == ("2026-W53", at("2026-12-28T07:00Z"))
    assert next_slot(MONDAYS, due, name) == ("2027-W01", at("2027-01-04T07:00Z"))


def test_a_sunday_in_january_may_belong_to_the_last_week_of_the_old_year() -> None:
    sundays = Plan(8, 0, BERLIN, weekday=6)
    assert next_slot(sundays, at("2027-01-01T00:00Z")) == ("2026-W53", at("2027-01-03T07:00Z"))


def test_a_later_time_on_the_same_day_gives_no_second_run() -> None:
    after = at("2026-11-18T07:00Z")
    noon = Plan(12, 0, BERLIN)

    assert next_run(noon, after, "2026-11-18") == at("2026-11-19T11:00Z")


def test_another_weekday_in_the_same_week_gives_no_second_run() -> None:
    after = at("2026-11-16T07:00Z")
    fridays = Plan(8, 0, BERLIN, weekday=4)

    assert next_slot(fridays, after, "2026-W47") == ("2026-W48", at("2026-11-27T07:00Z"))


def test_a_change_of_zone_on_the_same_day_gives_no_second_run() -> None:
    honolulu = Plan(8, 0, "Pacific/Honolulu")
    name, _ = next_slot(honolulu, at("2026-11-18T07:00Z"), "2026-11-18")

    assert name == "2026-11-19"


def test_dates_and_weeks_do_not_compare() -> None:
    after = at("2026-11-18T07:00Z")

    assert next_slot(MONDAYS, after, "2026-11-18")[0] == "2026-W48"
    assert next_slot(EIGHT, after, "2026-W47")[0] == "2026-11-19"


# ---- what was missed


def test_a_run_in_time_owes_its_slot_alone() -> None:
    planned = at("2026-11-18T07:00Z")
    assert due_slots(EIGHT, planned, planned) == (("2026-11-18", planned),)


def test_every_slot_since_the_planned_one_is_named_the_last_last() -> None:
    found = due_slots(EIGHT, at("2026-11-15T07:00Z"), at("2026-11-18T06:59Z"))
    assert [name for name, _ in found] == ["2026-11-15", "2026-11-16", "2026-11-17"]


def test_a_daily_run_is_made_up_for_half_a_day_a_weekly_one_for_two_days() -> None:
    assert made_up_within(EIGHT) == timedelta(hours=12)
    assert made_up_within(MONDAYS) == timedelta(hours=48)


# ---- what others have found out about clock changes


DAILY = re.compile(r"TZ=(\S+) 0 (\d+) (\d+) \* \* \?")
OTHER_RULES = {
    # cron leaves a skipped time out; a briefing is owed for every date
    ("2012-03-11T00:00:00-0500", 2): "2012-03-11T03:00:00-0400",
    # cron runs twice in a repeated hour; a briefing once
    ("2012-11-04T01:00:00-0400", 1): "2012-11-05T01:00:00-0500",
}


def test_daily_cron_cases_around_clock_changes(corpora: Path) -> None:
    cases = json.loads((corpora / "cron-dst" / "robfig_spec_next.json").read_text())
    checked = 0
    for case in cases:
        local, _, now = case["now"].rpartition(" ")
        if daily := DAILY.fullmatch(f"{local} {case['spec6']}".strip()):
            plan = Plan(int(daily[3]), int(daily[2]), daily[1])
            expected = OTHER_RULES.get((now, plan.hour), case["next"])
            assert next_run(plan, at(now)) == at(expected), case
            checked += 1
    assert checked >= 12


# ---- H1: everywhere


STEP = timedelta(days=1)
AROUND = timedelta(days=7)


def clock_changes(local: ZoneInfo) -> Iterator[datetime]:
    """The first instant of each new offset, 2025-2029."""
    moment, end = datetime(2025, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC)
    before = moment.astimezone(local).utcoffset()
    while moment < end:
        after = (moment + STEP).astimezone(local).utcoffset()
        if after != before:
            yield _first_with(local, after, moment)
        moment, before = moment + STEP, after


def _first_with(local: ZoneInfo, offset: timedelta | None, start: datetime) -> datetime:
    def has_it(minute: int) -> bool:
        return (start + timedelta(minutes=minute)).astimezone(local).utcoffset() == offset

    return start + timedelta(minutes=bisect_left(range(24 * 60), True, key=has_it))


def right_instant(day: date, at: tuple[int, int], local: ZoneInfo, change: datetime) -> datetime:
    """Found the simple way: try both offsets around the change, else it is in the gap."""
    wanted = datetime(day.year, day.month, day.day, *at)
    fitting = []
    for moment in (change - timedelta(minutes=1), change):
        offset = moment.astimezone(local).utcoffset()
        assert offset is not None
        due = (wanted - offset).replace(tzinfo=UTC)
        if due.astimezone(local).replace(tzinfo=None) == wanted:
            fitting.append(due)
    return min(fitting, default=change)


def expected_runs(
    plan: Plan, local: ZoneInfo, change: datetime, start: datetime, end: datetime
) -> list[tuple[str, datetime]]:
    """One for each local date and time, or for each ISO week on its day; one for each instant."""
    runs: dict[datetime, str] = {}
    day = start.astimezone(local).date()
    while day <= end.astimezone(local).date():
        year, week, _ = day.isocalendar()
        if plan.weekday is not None:
            names = [f"{year}-W{week:02}"] if plan.weekday == day.weekday() else []
        else:
            further = [f"{day}/{hour:02}:{minute:02}" for hour, minute in plan.further]
            names = [str(day), *further] if day.weekday() in (plan.days or range(7)) else []
        for name, time in zip(names, ((plan.hour, plan.minute), *plan.further), strict=False):
            runs.setdefault(right_instant(day, time, local, change), name)
        day += STEP
    return [(name, due) for due, name in runs.items() if start < due <= end]


def walked(plan: Plan, start: datetime, end: datetime) -> list[tuple[str, datetime]]:
    """Run by run, as the daemon goes on: the slot that is due, then the next."""
    runs: list[tuple[str, datetime]] = []
    planned = next_run(plan, start)
    while planned <= end:
        runs += due_slots(plan, planned, planned)
        planned = next_run(plan, planned, runs[-1][0])
    return runs


def test_h1_every_zone_runs_once_per_slot_at_the_right_local_time() -> None:
    zones = 0
    for name in sorted(available_timezones()):
        local = ZoneInfo(name)
        changes = list(clock_changes(local))
        zones += bool(changes)
        for change in changes:
            start, end = change - AROUND, change + AROUND
            weekday = change.astimezone(local).weekday()
            plans = [Plan(hour, minute, name) for hour, minute in ((8, 0), (0, 30), (2, 30))]
            plans += [Plan(2, 30, name, day) for day in (weekday, (weekday - 1) % 7)]
            plans.append(Plan(0, 30, name, further=((2, 15), (2, 45), (18, 0)), days=(weekday, 3)))
            for plan in plans:
                expected = expected_runs(plan, local, change, start, end)
                assert walked(plan, start, end) == expected, (name, change, plan)
    assert zones > 150
