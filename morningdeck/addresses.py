"""What people write for an address, and the one spelling under which it is stored."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from morningdeck.errors import ConfigError
from morningdeck.model.kinds import SourceType
from morningdeck.parsing.urls import MAX_URL
from morningdeck.sources import SOURCE_TYPES

_SUBREDDIT = re.compile(
    r"(?:reddit://r/|(?:https?://)?(?:\w+\.)?reddit\.com/r/|/?r/)([\w+]+)(?:[/?#].*)?", re.I
)
_OTHER_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))", re.I)
"""Something else than a host with its port."""


_IN_WORDS = re.compile(r"https?://[^\s<>\"“”„«»]+", re.I)
_AROUND = ".,;:!?'’‘…]}"
"""What stands behind an address in a sentence, and is seldom its end."""


def source_type(url: str, named: str | None) -> str:
    """As named, else as the scheme says, else a feed."""
    if named is None:
        scheme = url.partition(":")[0].lower()
        known = (name for name, kind in SOURCE_TYPES.items() if scheme in kind.schemes)
        return next(known, SourceType.RSS)
    if named.upper() not in SOURCE_TYPES:
        types = " or ".join(SOURCE_TYPES).lower()
        raise ConfigError(f"{named!r} is no type of source: it must be {types}")
    return named.upper()


def page_url(text: str) -> str:
    """The address of a page, written in full."""
    return source_url(text, SourceType.WEB, keep=True)


def first_address(*texts: str) -> str:
    """The first one of the web in what somebody shares: apps put it in midst of their words."""
    for text in texts:
        for found in _IN_WORDS.findall(text):
            address: str = found.rstrip(_AROUND)
            if address.endswith(")") and "(" not in address:
                address = address.rstrip(")").rstrip(_AROUND)
            if _has_host(address):
                return address
    return ""


def source_url(text: str, kind: str, *, keep: bool = False) -> str:
    """The address as it is stored: one spelling for one source, or as it was given."""
    url = text.strip()
    if len(url) > MAX_URL:
        raise ConfigError(f"an address has at most {MAX_URL} characters")
    if kind in (SourceType.RSS, SourceType.WEB):
        url = re.sub(r"^feed:(?://)?(?=https?://)", "", url, flags=re.I)
        url = re.sub(r"^feed://", "http://", url, flags=re.I)
        url = url if _OTHER_SCHEME.match(url) else f"https://{url}"
    if kind == SourceType.REDDIT:
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
    if kind == SourceType.EMAIL:
        scheme = "imap"  # the port says how it is secured
        if ":" in login:
            raise ConfigError("a password has no place in an address: set imap.password")
    if keep:
        return url
    return urlunsplit((scheme, f"{login}{at}{host.lower()}", parts.path, parts.query, ""))


def _has_host(address: str) -> bool:
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        return False


def _check_scheme(text: str, scheme: str, kind: str) -> None:
    known = SOURCE_TYPES[kind].schemes
    if scheme in known:
        return
    if "http" in known:
        raise ConfigError(f"{text!r} is not an address that can be read: only http and https")
    schemes = " or ".join(f"{one}://" for one in known)
    raise ConfigError(f"{text!r} is not an address of a source: it must start with {schemes}")
