"""Foreign text as one plain line: cleaned, shortened, or as a part of a file name."""

from __future__ import annotations

import re
import unicodedata
from math import ceil

_WORDS_A_MINUTE, _SIGNS_A_MINUTE = 220, 450

_BREAKS = re.compile(r"\s+")
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Control characters, halves of characters, and what turns the direction of writing around."""
_SEEN = "LNPS"
"""Letters, numbers, punctuation, symbols."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)]*(?= )|[。！？]")
_ABBREVIATED = re.compile(r"\b(?:\w|\d\d|[A-Z][a-z]{1,2}|Prof|bzw|ca|etc|vgl|vs)\.$")
"""`U.S.`, `3. Mai`, `Sen.`: more often than not the sentence goes on."""
_SIGN = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def one_line(text: str) -> str:
    """The text without line breaks, and without what could harm or hide its neighbours; nothing
    where there is nothing to see.
    """
    line = _HARMFUL.sub("", _BREAKS.sub(" ", text)).strip()
    return line if any(unicodedata.category(sign)[0] in _SEEN for sign in line) else ""


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
    return cut.rstrip(" ,;:.…-\u2013\u2014") + "…"


def at_sentence(text: str, limit: int) -> str:
    """At most `limit` characters, ended after a sentence where that keeps half of them."""
    line = one_line(text[: 4 * limit + 100])
    if len(line) <= limit:
        return line
    marks = _SENTENCE_END.finditer(line[: limit + 1])
    ends = [mark.end() for mark in marks if _ends(line, mark)]
    return line[: ends[-1]].strip() if ends and ends[-1] > limit // 2 else shorten(line, limit)


def _ends(line: str, mark: re.Match[str]) -> bool:
    """Neither after an abbreviation, nor where small letters go on behind a quotation."""
    goes_on = line[mark.end() : mark.end() + 2].strip().islower()
    return not goes_on and _ABBREVIATED.search(line[: mark.start() + 1]) is None


def reading_minutes(text: str) -> int:
    """How long a reader takes, a minute at least; in scripts without spaces signs count."""
    signs = len(_SIGN.findall(text))
    words = len(_SIGN.sub(" ", text).split())
    return max(1, ceil(words / _WORDS_A_MINUTE + signs / _SIGNS_A_MINUTE))


def direction(text: str, otherwise: str = "ltr") -> str:
    """`rtl` or `ltr`, as its first letter runs."""
    for sign in text:
        match unicodedata.bidirectional(sign):
            case "L":
                return "ltr"
            case "R" | "AL":
                return "rtl"
    return otherwise


def slug(title: str, limit: int = 40) -> str:
    """The title as part of a file name: lower-case ASCII and dashes, never empty."""
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    dashed = re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")
    return dashed[:limit].rstrip("-") or "briefing"
