"""Links as letters have them: through a counter of clicks, personal, and some of them unsubscribe.

    https://click.example/c?u=7&url=https%3A%2F%2Fpaper.example%2Fwind  ->  https://paper.example/wind

Nothing is asked: what is not in the address stays unknown. Whoever follows a link of a letter has
read it, in the eyes of its sender.
"""

from __future__ import annotations

import binascii
import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import parse_qsl, unquote, urlsplit

from morningdeck.parsing.urls import web_url

MOST_TURNS = 3
"""A counter may lead to another."""
MOST_NAMED = 50

_TARGETS = frozenset(
    ("url", "u", "q", "to", "dest", "destination", "target", "redirect", "redirect_url", "link")
)
_COUNTS = re.compile(
    r"(?:^|[./_-])(?:clicks?|cl0|c|r|l|ls|go|out|url|link|links|redir\w*|redirect|track\w*|trk|tracking"
    r"|lt|newsletter|mail\w*|e?mail|safelinks|urldefense)(?:[./_-]|\d*$)",
    re.I,
)
"""In the host, or in the last part of the path, of what only leads on; other addresses may well
have a `url` too.
"""
_IN_PATH = re.compile(r"https?:/{1,2}[^/].*|https?%3a%2f%2f.+", re.I)
_LEAVES = re.compile(
    r"(?:^|[/?&=.])(?:list[-_]?)?(?:un[-_]?sub(?:scrib\w*)?|opt[-_]?out|sign[-_]?off|preferences"
    r"|(?:manage|update)[-_]?(?:your[-_]?)?(?:subscriptions?|preferences|profile)|abmeld(?:en|ung)"
    r"|abbestell(?:en|ung)|austragen|d[e\xe9]sabonn\w*|d[e\xe9]sinscri\w*|afmelden|uitschrijven)"
    r"(?=[/?&=.;#]|$)",
    re.I,
)
"""A word of the address by itself: the slug of a headline has others beside it."""


def leaves(url: str) -> bool:
    """Following it may end the letter."""
    return _LEAVES.search(unquote(url).partition("://")[2]) is not None


def straight(url: str) -> str:
    """Where the address itself says that it leads, else the address."""
    for _ in range(MOST_TURNS):
        target = next(_targets(url), None)
        if target is None:
            break
        url = target
    return url


def _targets(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    inside = _IN_PATH.search(parts.path)
    before = parts.path[: inside.start()] if inside else parts.path
    last = before.rstrip("/").rpartition("/")[2]
    yield from filter(None, map(_web, _packed(parts.path)))
    if not any(map(_COUNTS.search, (parts.hostname or "", last))):
        return
    pairs = parse_qsl(parts.query) if parts.query.count("&") < MOST_NAMED else ()
    named = (value for name, value in pairs if name.lower() in _TARGETS)
    in_path = _whole(inside[0], parts.query).partition("__;")[0] if inside else ""
    yield from filter(None, map(_web, (*named, in_path)))


def _whole(inside: str, query: str) -> str:
    """An address that stands in a path as it is has the query for its own."""
    spelled_out = inside[:8].lower().startswith(("http:/", "https:/"))
    return f"{inside}?{query}" if spelled_out and query else unquote(inside)


def _packed(path: str) -> Iterator[str]:
    """In a part of the path that is JSON in base64, as Substack has it."""
    for part in path.split("/"):
        if part.startswith("eyJ"):
            with suppress(ValueError, binascii.Error, RecursionError):
                told = json.loads(urlsafe_b64decode(part.partition(".")[0] + "=="))
                if isinstance(told, dict):
                    yield from (str(told[name]) for name in ("e", "url") if name in told)


def _web(text: str) -> str | None:
    if not re.match(r"https?:/", text, re.I):
        return None
    return web_url(re.sub(r"^(https?):/+", r"\1://", text, flags=re.I))
