"""Moments as people say them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from morningdeck.moments import full, in_words, short
from morningdeck.schedule import midnight
from tests.conftest import NOW

TOKYO, LOS_ANGELES = ZoneInfo("Asia/Tokyo"), ZoneInfo("America/Los_Angeles")
YEAR_1 = datetime(1, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (timedelta(0), "16:00"),
        (timedelta(hours=8), "tomorrow 00:00"),
        (timedelta(hours=-17), "yesterday 23:00"),
        (timedelta(days=9), "Fri 27 Nov 16:00"),
        (timedelta(days=60), "Sun 17 Jan 16:00"),
        (timedelta(days=-365), "18 Nov 2025"),
    ],
)
def test_a_moment_is_said_as_from_now(after: timedelta, words: str) -> None:
    assert in_words(NOW + after, NOW, TOKYO) == words


def test_a_column_is_never_wider_than_twelve() -> None:
    moments = [NOW + timedelta(days=days) for days in (-9000, -200, -9, 0, 9, 900)]

    assert max(len(short(at, NOW, TOKYO)) for at in (*moments, YEAR_1)) == 12


def test_the_full_time_names_its_zone() -> None:
    assert full(NOW, TOKYO) == "2026-11-18 16:00 JST"
    assert full(YEAR_1, LOS_ANGELES)  # a feed may claim it


def test_a_day_begins_at_the_readers_midnight() -> None:
    assert midnight(NOW, LOS_ANGELES) == NOW.replace(hour=8) - timedelta(days=1)
