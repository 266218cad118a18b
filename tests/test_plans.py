"""When a briefing comes, as people write it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.errors import ConfigError
from morningdeck.model.sending import Plan
from morningdeck.plans import When, days_of_week, time_of_day, weekday

DAILY, WEEKLY = Plan(8, 0, "Europe/Paris"), Plan(8, 0, "Europe/Paris", weekday=4)
TWICE = replace(DAILY, further=((18, 0),))


def test_a_plan_is_a_time_of_every_day_or_of_one_day() -> None:
    assert When(daily="08:00").plan("Europe/Paris") == DAILY
    assert When(weekly="fri", at="8:00", timezone="Europe/Paris").plan("UTC") == WEEKLY


def test_a_plan_may_have_several_times_on_chosen_days() -> None:
    said = When(daily="18:00, 8:00,18:00", days="mon-wed,sun")

    assert said.plan("Europe/Paris") == replace(TWICE, days=(0, 1, 2, 6))


def test_days_are_for_daily_briefings() -> None:
    with pytest.raises(ConfigError, match="--days goes with --daily"):
        When(days="mon").changed(WEEKLY)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("mon-fri", (0, 1, 2, 3, 4)),
        ("mon,wed,Friday", (0, 2, 4)),
        ("sat-mon", (0, 5, 6)),
        ("fri", (4,)),
        ("fri-fri", (4,)),
        ("mon-sun", ()),
    ],
)
def test_days_in_lists_and_ranges(text: str, days: tuple[int, ...]) -> None:
    assert days_of_week(text) == days


@pytest.mark.parametrize("text", ["", "mon,", "mon-", "-", "mon-fri-sun", "weekdays"])
def test_what_is_no_list_of_days(text: str) -> None:
    with pytest.raises(ConfigError, match="not a day"):
        days_of_week(text)


@pytest.mark.parametrize(
    ("said", "plan", "changed"),
    [
        (When(), WEEKLY, None),
        (When(daily="07:30"), WEEKLY, replace(DAILY, hour=7, minute=30)),
        (When(weekly="fri"), DAILY, WEEKLY),
        (When(at="09:00"), WEEKLY, replace(WEEKLY, hour=9)),
        (When(weekly="mon", at="09:00"), WEEKLY, replace(WEEKLY, hour=9, weekday=0)),
        (When(days="mon-fri"), TWICE, replace(TWICE, days=(0, 1, 2, 3, 4))),
        (When(daily="7:30"), replace(TWICE, days=(0, 2)), Plan(7, 30, "Europe/Paris", days=(0, 2))),
        (When(weekly="fri"), replace(TWICE, days=(0, 2)), WEEKLY),
        (When(timezone="Asia/Tokyo"), WEEKLY, replace(WEEKLY, timezone="Asia/Tokyo")),
    ],
)
def test_what_is_not_said_stays_as_it_was_planned(
    said: When, plan: Plan, changed: Plan | None
) -> None:
    assert said.changed(plan) == changed


@pytest.mark.parametrize(
    "said",
    [
        When(at="09:00"),
        When(daily="08:00", weekly="fri"),
        When(daily="08:00", at="09:00"),
        When(weekly="fri", at="08:00", days="mon-fri"),
    ],
)
def test_what_does_not_go_together_is_refused(said: When) -> None:
    with pytest.raises(ConfigError):
        said.plan("UTC")
    with pytest.raises(ConfigError):
        said.changed(DAILY)


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
