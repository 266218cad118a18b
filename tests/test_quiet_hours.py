"""Hours in which mails carry no notices."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from morningdeck.quiet_hours import QuietHours


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, 19, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours", "quiet", "loud"),
    [
        ("22:00-07:00", (22, 23, 0, 6), (7, 12, 21)),
        ("13:00 - 14:00", (13,), (12, 14, 0)),
        ("0:00-23:59", (0, 12), ()),
        ("08:00-08:00", (), (7, 8, 9)),
    ],
)
def test_hours_end_before_their_end_and_may_pass_midnight(
    hours: str, quiet: tuple[int, ...], loud: tuple[int, ...]
) -> None:
    covered = QuietHours.parse(hours)

    assert all(covered.cover(at(hour), "UTC") for hour in quiet)
    assert not any(covered.cover(at(hour), "UTC") for hour in loud)


def test_they_are_those_of_the_briefing_s_clock() -> None:
    assert QuietHours.parse("22:00-07:00").cover(at(13), "Asia/Tokyo")


@pytest.mark.parametrize("text", ["", "22-7", "22:00", "24:00-07:00", "22:00-07:60", "a-b"])
def test_what_are_no_hours_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be hours like 22:00-07:00"):
        QuietHours.parse(text)
