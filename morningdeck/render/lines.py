"""Plain text in lines of a common width, where signs of East Asia take two columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

WIDTH = 76

_WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uffe6"
_WIDE += "\U0001f000-\U0001faff\U00020000-\U0003fffd"
_NEVER_FIRST = "、。，．」』）】！？"
_TOKEN = re.compile(f" +|[{_WIDE}][{_NEVER_FIRST}]*|[^ {_WIDE}]+")
"""Between which a line may end: spaces, each wide sign with the marks after it, words."""


def wrap(text: str, first: str = "", others: str = "") -> str:
    lines, line, used = [], first, columns(first)
    for token in _tokens(text):
        wide = columns(token)
        if used + wide > WIDTH and line.strip(" -"):
            lines.append(line.rstrip())
            line, used = others, columns(others)
            if not token.strip():
                continue
        line, used = line + token, used + wide
    return "\n".join((*lines, line.rstrip()))


def listed(text: str) -> str:
    """As one of a list."""
    return wrap(text, "- ", "  ")


def columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _tokens(text: str) -> Iterator[str]:
    """What is longer than a line is cut."""
    room = WIDTH // 2
    for token in _TOKEN.findall(text):
        if columns(token) <= WIDTH - 2:
            yield token
        else:
            yield from (token[start : start + room] for start in range(0, len(token), room))
