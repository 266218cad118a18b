"""What may be said of addresses and of foreign words: in errors, notices, names and the log.

Passwords, keys and tokens stand before the host, in the query, in the path, so that of an
address only its scheme and host are said. Foreign words neither steer a terminal nor fill it.
Readers who ask for an address of their own (`source show`, `opml export`) get all of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

LONGEST = 1000
"""Characters: enough for a reason, not for a document."""
LONGEST_TRACEBACK = 20_000
STEERING = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that steer a terminal, or turn the direction of what it shows."""

_ADDRESS = re.compile(
    r"(?P<scheme>\b[a-z][a-z0-9+.-]{1,30})://"
    r"(?:[^\s/?#\\]*@)?"
    r"(?P<host>[^\s/?#\"'<>\\@,;)]+)"
    # a quotation mark ends it only where nothing else can follow
    r"(?P<rest>[/?#\\](?:[^\s\"'<>]|[\"'<>]+(?=[\w%/&=-]))*)?",
    re.I,
)
_STEERS = re.compile(f"[{STEERING}]+")
_OF_SERVERS = ("http", "https", "imap", "imaps")


def said(text: str, longest: int = LONGEST) -> str:
    """The text with only the host of each address, and nothing that steers a terminal."""
    if "://" in text:
        text = _ADDRESS.sub(_host_alone, text)
    text = _STEERS.sub(" ", text)
    return text if len(text) <= longest else f"{text[:longest]}..."


def _host_alone(address: re.Match[str]) -> str:
    rest = address["rest"] or ""
    more = "/..." if len(rest.rstrip("/.,:;)")) > 1 else rest
    return f"{address['scheme']}://{address['host']}{more}"


def named(name: str) -> str:
    """What a source is called: one that has no name but its address is its host."""
    if "://" not in name:
        return name
    words = name.split()
    address = _ADDRESS.match(words[0]) if len(words) == 1 else None
    if address is None or address["scheme"].lower() not in _OF_SERVERS:
        return name
    return address["host"].lower()


def all_said(value: Any) -> Any:
    """The same of all that a value holds."""
    match value:
        case str():
            return said(value)
        case Mapping():
            return {key: all_said(held) for key, held in value.items()}
        case list() | tuple():
            return [all_said(held) for held in value]
        case Exception():
            return said(str(value))
        case _:
            return value
