"""What people write for numbers, lengths of time and moments, and what it means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from morningdeck.actions import words
from morningdeck.errors import ConfigError
from tests.conftest import NOW


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("90s", timedelta(seconds=90)),
        ("15m", timedelta(minutes=15)),
        ("2 h", timedelta(hours=2)),
        ("14D", timedelta(days=14)),
        ("1w", timedelta(weeks=1)),
    ],
)
def test_lengths(text: str, length: timedelta) -> None:
    assert words.length(text) == length


@pytest.mark.parametrize("text", ["", "15", "m", "-5m", "0m", "1.5h", "15 minutes", "9999999d"])
def test_what_is_no_length(text: str) -> None:
    with pytest.raises(ConfigError, match="not a length"):
        words.length(text)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("3d", NOW - timedelta(days=3)),
        ("2026-11-18", datetime(2026, 11, 17, 23, tzinfo=UTC)),
        ("2026-07-01", datetime(2026, 6, 30, 22, tzinfo=UTC)),
        ("2026-11-18T08:30", datetime(2026, 11, 18, 7, 30, tzinfo=UTC)),
        ("2026-11-18T08:30Z", datetime(2026, 11, 18, 8, 30, tzinfo=UTC)),
    ],
)
def test_moments_are_of_the_readers_zone(text: str, moment: datetime) -> None:
    assert words.since(text, NOW, "Europe/Paris") == moment


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "0001-01-01"])
def test_what_is_no_moment(text: str) -> None:
    with pytest.raises(ConfigError, match="is no date"):
        words.since(text, NOW, "Asia/Tokyo")


@pytest.mark.parametrize("text", ["", "1e3", "x", str(2**63), "-" + str(2**63), "9" * 5000])
def test_what_is_no_id(text: str) -> None:
    with pytest.raises(ConfigError, match=r"not a whole number|too large"):
        words.identity(text)


def test_a_limit_has_no_maximum_but_the_databases_are_asked_for_no_more_than_they_know() -> None:
    assert words.how_many(str(10**30)) + words.how_far(str(10**30)) < 2**63


def test_no_length_leads_out_of_the_calendar() -> None:
    assert NOW - words.length("36525d") < NOW < NOW + words.length("100 w")
    with pytest.raises(ConfigError, match="100 years at most"):
        words.length("999999w")


def test_credits_are_a_number_or_unlimited() -> None:
    assert words.credits_left("300") == 300
    assert words.credits_left("0") == 0
    assert words.credits_left(" Unlimited ") is None
    for text in ("", "-1", "many", "1.5"):
        with pytest.raises(ConfigError):
            words.credits_left(text)
