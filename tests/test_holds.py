"""How long a server is left alone."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.holds import asked_for, hold_length, opens, retry_after
from morningdeck.model.asking import FailureKind
from tests.conftest import NOW

SERVER, LIMITED, DENIED = FailureKind.SERVER, FailureKind.LIMITED, FailureKind.DENIED


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("20", 20),
        ("Wed, 18 Nov 2026 07:01:00 GMT", 60),
        ("Wed, 18 Nov 2026 08:01:00 +0100", 60),
        ("Wed, 18 Nov 2026 06:00:00 GMT", 0),
        ("Wed, 18 Nov 9026 07:00:00 GMT", 86_400),
        ("9" * 5000, 86_400),
        ("Wed, 18 Nov 99999 07:00:00 GMT", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("", None),
        ("soon", None),
    ],
)
def test_a_header_asks_for_seconds_or_until_a_date_a_day_at_most(
    header: str, seconds: float | None
) -> None:
    assert retry_after(header, NOW) == seconds


def test_who_asks_for_nothing_gets_a_second_and_who_denies_a_day() -> None:
    assert asked_for(" 0 ", LIMITED, NOW) == timedelta(seconds=1)
    assert asked_for(None, LIMITED, NOW) is None
    assert asked_for("5", DENIED, NOW) == timedelta(days=1)


def test_a_word_of_the_endpoint_or_the_third_failure_begins_a_hold() -> None:
    assert opens(LIMITED, None, 1)
    assert opens(SERVER, timedelta(seconds=1), 1)
    assert not opens(SERVER, None, 2)
    assert opens(SERVER, None, 3)


def test_without_a_word_each_hold_is_twice_as_long_up_to_five_minutes() -> None:
    lengths = [hold_length(None, number).total_seconds() for number in (0, 1, 5, 6, 7, 1_000_000)]

    assert lengths == [5, 10, 160, 300, 300, 300]
    assert hold_length(timedelta(seconds=7), 9) == timedelta(seconds=7)
