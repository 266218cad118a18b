"""Foreign text as one plain line: cleaned, shortened, or as a part of a file name."""

from __future__ import annotations

import re
import unicodedata

_BREAKS = re.compile(r"\s+")
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Control characters, halves of characters, and what turns the direction of writing around."""


def one_line(text: str) -> str:
    """The text without line breaks, and without what could harm or hide its neighbours."""
    return _HARMFUL.sub("", _BREAKS.sub(" ", text)).strip()


def shorten(text: str, limit: int) -> str:
    """One line of at most `limit` characters, cut between words where that loses little."""
    # Cut before cleaning too: a hostile title can be megabytes long.
    line = one_line(text[: 4 * limit + 100])
    if len(line) <= limit:
        return line
    if limit < 2:
        return ""
    cut = line[: limit - 1]
    space = cut.rfind(" ")
    if space > limit // 2:
        cut = cut[:space]
    return cut.rstrip(" ,;:.-\u2013\u2014") + "…"


def slug(title: str, limit: int = 40) -> str:
    """The title as part of a file name: lower-case ASCII and dashes, never empty."""
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    dashed = re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")
    return dashed[:limit].rstrip("-") or "briefing"
