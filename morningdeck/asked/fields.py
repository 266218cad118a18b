"""What a field of a query asks for; None where its name or value makes no sense."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from morningdeck.model.query import (
    Asks,
    Dated,
    InLanguage,
    Marked,
    NamedBriefing,
    NamedSource,
    Scored,
    Term,
)

_SCORE = re.compile(r"score:?(>=|<=|>|<|=|(?<=:))(\d{1,3})", re.IGNORECASE)
_BACK = re.compile(r"(\d{1,4})([hdw])", re.IGNORECASE)
_DAY = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(T\S+)?")
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
TERM_PLACES = ("title", "topic", "author")


def field_of(
    field: str, value: str, quoted: bool, now: datetime | None, zone: tzinfo
) -> Asks | None:
    """`field` is in lower case, without its colon; empty for what is written as one word."""
    if field in ("", "score"):
        return None if quoted else _score(f"{field}:{value}" if field else value)
    if not value.strip():
        return None
    if field in TERM_PLACES:
        star = value.endswith("*")
        return Term(value.rstrip("*"), quoted, star, place=field)  # type: ignore[arg-type]
    if field in ("after", "before"):
        return _dated(field, value, now, zone)
    return _NAMED[field](value) if field in _NAMED else None


def _score(text: str) -> Scored | None:
    match = _SCORE.fullmatch(text)
    sign: Any = match and (match[1] or "=")
    return Scored(sign, int(match[2])) if match else None


def _marked(value: str) -> Marked | None:
    mark: Any = value.lower()
    return Marked(mark) if mark in ("read", "unread", "saved") else None


def _language(value: str) -> InLanguage | None:
    """Of items nobody knows the country."""
    match = _LANGUAGE.fullmatch(value)
    return InLanguage(match[1].lower()) if match else None


_NAMED: dict[str, Callable[[str], Asks | None]] = {
    "source": NamedSource,
    "briefing": NamedBriefing,
    "lang": _language,
    "is": _marked,
}


def _dated(side: str, value: str, now: datetime | None, zone: tzinfo) -> Dated | None:
    try:
        moment = _moment(value, now, zone)
        return None if moment is None else _since(side, moment, zone)
    except (ValueError, OverflowError):
        return None  # there is no such day


def _since(side: str, moment: datetime, zone: tzinfo) -> Dated:
    local = moment.astimezone(zone)
    time = "" if (local.hour, local.minute) == (0, 0) else f" {local:%H:%M}"
    said = f"{local.year:04}-{local:%m-%d}{time}"
    return Dated(said, **{side: moment.astimezone(UTC)})


def _moment(value: str, now: datetime | None, zone: tzinfo) -> datetime | None:
    if match := _DAY.fullmatch(value):
        if match[4]:
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=zone)
        return datetime(int(match[1]), int(match[2] or 1), int(match[3] or 1), tzinfo=zone)
    if now is None:
        return None
    if match := _BACK.fullmatch(value):
        return now - timedelta(**{_UNITS[match[2].lower()]: int(match[1])})
    back = {"today": 0, "yesterday": 1}.get(value.lower())
    today = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    return None if back is None else today - timedelta(days=back)
