"""Dates in all the ways feeds write them."""

from __future__ import annotations

import pytest

from morningdeck.parsing.dates import parse_date


@pytest.mark.parametrize(
    ("written", "utc"),
    [
        ("Wed, 18 Nov 2026 08:00:00 GMT", "2026-11-18T08:00:00"),
        ("Wed, 18 Nov 2026 08:00:00 +0130", "2026-11-18T06:30:00"),
        ("18 Nov 2026 08:00 -0500", "2026-11-18T13:00:00"),
        ("Wednesday, 18 November 26 08:00:00 EST", "2026-11-18T13:00:00"),
        ("Wed, 18 Nov 2026 08:00:00 CEST", "2026-11-18T06:00:00"),
        ("Wed, 18 Nov 2026 08:00:00 XYZ", "2026-11-18T08:00:00"),
        ("Wed, 18 Nov 2026", "2026-11-18T00:00:00"),
        ("18-Nov-1999 23:59:60 GMT", "1999-11-19T00:00:00"),
        ("Wed, 18 Nov 2026 08:00:00 +0100 (MEZ)", "2026-11-18T07:00:00"),
        ("2026-11-18", "2026-11-18T00:00:00"),
        ("2026-11-18T08:00:00Z", "2026-11-18T08:00:00"),
        ("2026-11-18T08:00:00.123456789+01:00", "2026-11-18T07:00:00"),
        ("2026-11-18 08:00", "2026-11-18T08:00:00"),
        ("2026-11-18T08:00-0330", "2026-11-18T11:30:00"),
        ("2026-11-18T24:00:00Z", "2026-11-19T00:00:00"),
        ("Nov 18, 2026 08:00:00 GMT", "2026-11-18T08:00:00"),
        ("20261118T08:00:00Z", "2026-11-18T08:00:00"),
        ("Wed Nov 18 08:00:00 2026", "2026-11-18T08:00:00"),
        ("2104-01-01", "2104-01-01T00:00:00"),
    ],
)
def test_a_date_is_understood(written: str, utc: str) -> None:
    assert str(parse_date(written)) == f"{utc.replace('T', ' ')}+00:00"


@pytest.mark.parametrize(
    "written", ["", " ", "soon", "2026-13-01", "32 Foo 2026", "0000-00-00", "9" * 100_000]
)
def test_what_is_no_date_is_none(written: str) -> None:
    assert parse_date(written) is None
