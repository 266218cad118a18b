"""What people write for times, lengths, days and addresses, and what it means."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit, urlunsplit

from morningdeck.cli.times import zone_or_utc
from morningdeck.errors import ConfigError
from morningdeck.model import SourceType
from morningdeck.parsing.urls import MAX_URL
from morningdeck.schedule import WEEKDAYS

LARGEST = 2**63 - 1
MOST = 10**18
"""Twice as much is still a number that the databases know."""
LONGEST = timedelta(days=36_525)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SUBREDDIT = re.compile(
    r"(?:reddit://r/|(?:https?://)?(?:\w+\.)?reddit\.com/r/|/?r/)([\w+]+)(?:[/?#].*)?", re.I
)
_OTHER_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))", re.I)
"""Something else than a host with its port."""
_SCHEMES = {
    SourceType.RSS: ("http", "https"),
    SourceType.WEB: ("http", "https"),
    SourceType.REDDIT: ("reddit",),
    SourceType.EMAIL: ("imap", "imaps"),
}


def identity(text: str) -> int:
    """An id as the databases can hold it; whether there is such a thing is another question."""
    number = _whole(text)
    if abs(number) > LARGEST:
        raise ConfigError(f"{text!r} is too large for an id")
    return number


def how_many(text: str) -> int:
    """There is no maximum, so whatever is larger than the databases can count means all."""
    number = _whole(text)
    if number < 1:
        raise ConfigError(f"{text!r} is too few: 1 at least")
    return min(number, MOST)


def how_far(text: str) -> int:
    number = _whole(text)
    if number < 0:
        raise ConfigError(f"{text!r} is not a place to begin at: 0 at least")
    return min(number, MOST)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # also that of a number with thousands of digits
        raise ConfigError(f"{text!r} is not a whole number") from None


def length(text: str) -> timedelta:
    """`90s`, `15m`, `2h`, `14d`; from now it leads to a date, be it forwards or back."""
    match = re.fullmatch(r"(\d{1,11})\s*([smhdw])", text.strip().lower())
    if match is None or not int(match[1]):
        raise ConfigError(f"{text!r} is not a length of time, e.g. 90s, 15m, 2h or 14d")
    seconds = int(match[1]) * int(timedelta(**{_UNITS[match[2]]: 1}).total_seconds())
    if seconds > LONGEST.total_seconds():
        raise ConfigError(f"{text!r} is not a length of time that anybody waits: 100 years at most")
    return timedelta(seconds=seconds)


def since(text: str, now: datetime, zone: str) -> datetime:
    """A date or time (of that zone unless it says another), or a length back from now."""
    if re.fullmatch(r"\s*\d+\s*[smhdw]\s*", text, re.I):
        return now - length(text)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ConfigError(f"{text!r} is no date, e.g. 2026-11-18, nor a length, e.g. 3d") from None
    local = moment if moment.tzinfo else moment.replace(tzinfo=zone_or_utc(zone))
    try:
        return local.astimezone(UTC)
    except OverflowError:
        raise ConfigError(f"{text!r} is no date that anything was read at") from None


def time_of_day(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text.strip())
    if match is None:
        raise ConfigError(f"{text!r} is not a time of day, e.g. 08:00")
    return int(match[1]), int(match[2])


def weekday(text: str) -> int:
    """Monday is 0; three letters are enough."""
    wanted = text.strip().lower()
    for number, name in enumerate(WEEKDAYS):
        if len(wanted) >= 3 and name.startswith(wanted):
            return number
    raise ConfigError(f"{text!r} is not a day of the week, e.g. mon or friday")


def source_type(url: str, named: str | None) -> SourceType:
    """As named, else as the scheme says, else a feed."""
    if named is not None:
        return SourceType(named.upper())
    scheme = url.partition(":")[0].lower()
    return {"reddit": SourceType.REDDIT, "imap": SourceType.EMAIL, "imaps": SourceType.EMAIL}.get(
        scheme, SourceType.RSS
    )


def page_url(text: str) -> str:
    """The address of a page, written in full."""
    return source_url(text, SourceType.WEB, keep=True)


def source_url(text: str, kind: SourceType, *, keep: bool = False) -> str:
    """The address as it is stored: one spelling for one source, or as it was given."""
    url = text.strip()
    if len(url) > MAX_URL:
        raise ConfigError(f"an address has at most {MAX_URL} characters")
    if kind in (SourceType.RSS, SourceType.WEB):
        url = re.sub(r"^feed:(?://)?(?=https?://)", "", url, flags=re.I)
        url = re.sub(r"^feed://", "http://", url, flags=re.I)
        url = url if _OTHER_SCHEME.match(url) else f"https://{url}"
    if kind is SourceType.REDDIT:
        url = _SUBREDDIT.sub(r"reddit://\1", url)
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ConfigError(f"{text!r} is not an address: {error}") from None
    scheme = parts.scheme.lower()
    _check_scheme(text, scheme, kind)
    if not parts.hostname or re.search(r"\s", url):
        raise ConfigError(f"{text!r} is not an address")
    login, at, host = parts.netloc.rpartition("@")
    if kind is SourceType.EMAIL:
        scheme = "imap"  # the port says how it is secured
        if ":" in login:
            raise ConfigError("a password has no place in an address: set imap.password")
    if keep:
        return url
    return urlunsplit((scheme, f"{login}{at}{host.lower()}", parts.path, parts.query, ""))


def _check_scheme(text: str, scheme: str, kind: SourceType) -> None:
    known = _SCHEMES.get(kind, (scheme,))
    if scheme in known:
        return
    if "http" in known:
        raise ConfigError(f"{text!r} is not an address that can be read: only http and https")
    schemes = " or ".join(f"{one}://" for one in known)
    raise ConfigError(f"{text!r} is not an address of a source: it must start with {schemes}")
