"""Dates as feeds write them, to aware UTC; None for what nobody can tell."""

from __future__ import annotations

import re
from calendar import month_abbr, timegm
from datetime import UTC, datetime, timedelta

MAX_LENGTH = 100

_TIME = r"(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d))?(?:[.,]\d+)?"
_OFFSET = r"\s*(?P<zone>[+-]\d\d:?\d\d|[+-]\d\d|[A-Za-z]{1,5})?(?:\s*\([^()]*\))?"
_ISO = re.compile(rf"(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)(?:(?:T|\s+){_TIME}{_OFFSET})?")
_WEEKDAY = r"(?:[A-Za-z]{3,9}\.?,?\s+)?"
_MONTH = r"(?P<month>[A-Za-z]{3})[a-z]*\.?"
_YEAR = rf"(?P<year>\d{{4}}|\d\d)(?:,?\s+{_TIME}{_OFFSET})?"
_MAIL = re.compile(rf"{_WEEKDAY}(?P<day>\d\d?)[\s-]+{_MONTH}[\s-]+{_YEAR}")
_AMERICAN = re.compile(rf"{_WEEKDAY}{_MONTH}\s+(?P<day>\d\d?),?\s+{_YEAR}")
_MONTHS = {month_abbr[number].lower(): number for number in range(1, 13)}
# Hours from UTC; the names that mean several zones get what mail and feeds mean by them.
_ZONES = {"z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "a": -1, "n": 1, "m": -12, "y": 12}
_ZONES |= {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8}
_ZONES |= {"pdt": -7, "et": -5, "ct": -6, "mt": -7, "pt": -8, "ast": -4, "adt": -3}
_ZONES |= {"bst": 1, "west": 1, "cet": 1, "met": 1, "cest": 2, "mest": 2, "eet": 2, "eest": 3}
_ZONES |= {"msk": 3, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13}


def parse_date(text: str) -> datetime | None:
    """The moment that a date means, in whichever of the usual ways it is written."""
    text = text.strip()
    if not text or len(text) > MAX_LENGTH:
        return None
    match = _ISO.fullmatch(text) or _MAIL.fullmatch(text) or _AMERICAN.fullmatch(text)
    try:
        return _moment(match) if match else _odd(text)
    except (ValueError, OverflowError, LookupError):
        return None


def _moment(match: re.Match[str]) -> datetime:
    part = match.groupdict(default="0")
    year, month = int(part["year"]), part["month"].lower()
    if year < 100:
        year += 1900 if year >= 90 else 2000
    time = timedelta(
        hours=int(part["hour"]), minutes=int(part["minute"]), seconds=int(part["second"])
    )
    midnight = datetime(year, _MONTHS.get(month) or int(month), int(part["day"]), tzinfo=UTC)
    return midnight + time - _offset(part["zone"])


def _offset(zone: str) -> timedelta:
    """Unknown zones are taken for UTC: half a day off beats no date at all."""
    if zone[0] not in "+-":
        return timedelta(hours=_ZONES.get(zone.lower(), 0))
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[3:].lstrip(":") or 0))
    return -offset if zone[0] == "-" else offset


def _odd(text: str) -> datetime | None:
    """Greek, Hungarian and Korean dates, bare years: feedparser has met them all."""
    from feedparser.datetimes import _parse_date  # type: ignore[import-untyped]

    parts = _parse_date(text)
    return datetime.fromtimestamp(timegm(parts), UTC) if parts else None
