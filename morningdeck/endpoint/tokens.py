"""How many tokens a text may come to, before any model has counted them.

Careful rather than exact: what is more than a model can take would be cut without a word.
"""

from __future__ import annotations

import re
import string

_SPACE = re.compile(r"[ \t\r\f\v]{2,}|[\t\r\f\v]")
_LINES = re.compile(r"\n\s*\n+")
_PLAIN = (string.ascii_letters + " \n").encode()
_WIDE = re.compile("[\u2e80-\U0010ffff]")


def estimate(text: str) -> int:
    """At least as many as the tokenizers of common models make of it, as a rule."""
    ascii_alone = text.encode("ascii", "ignore")
    plain = len(ascii_alone) - len(ascii_alone.translate(None, _PLAIN))
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    others = len(text) - plain - wide
    return int(plain / 3.4 + others / 1.6 + wide * 1.5) + 1


def close_up(text: str) -> str:
    """The text without the white space that says nothing."""
    return _LINES.sub("\n\n", _SPACE.sub(" ", text)).strip()
