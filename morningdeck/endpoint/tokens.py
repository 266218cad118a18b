"""How many tokens a text may come to, before any model has counted them.

Careful rather than exact: what is more than a model can take would be cut without a word.
"""

from __future__ import annotations

import re

_SPACE = re.compile(r"[ \t\r\f\v]+")
_LINES = re.compile(r"\n\s*\n+")
_ASCII_LETTER = re.compile(r"[A-Za-z \n]")
_WIDE = re.compile("[\u2e80-\U0010ffff]")


def estimate(text: str) -> int:
    """At least as many as the tokenizers of common models make of it, as a rule."""
    plain = len(_ASCII_LETTER.findall(text))
    wide = len(_WIDE.findall(text))
    others = len(text) - plain - wide
    return int(plain / 3.4 + others / 1.6 + wide * 1.5) + 1


def close_up(text: str) -> str:
    """The text without the white space that says nothing."""
    return _LINES.sub("\n\n", _SPACE.sub(" ", text)).strip()
