"""Word lists: words with white space between them, in files of `lists/` or in the code.

    # A comment.
    [companies]
    Adidas American_Airlines AMD

An underscore is the blank in a name of several words.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_SECTION = re.compile(r"^\[(.+)\]$", re.MULTILINE)
_COMMENT = re.compile(r"^#.*$", re.MULTILINE)


def word_list(text: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in text.split())


def word_lists(name: str) -> dict[str, frozenset[str]]:
    """The sections of a file, in its order."""
    return {section: word_list(text) for section, text in passages(name).items()}


@cache
def passages(name: str) -> dict[str, str]:
    """The sections of a file as they are written."""
    text = files("morningdeck.enrichers").joinpath("lists", f"{name}.txt").read_text("utf-8")
    _, *parts = _SECTION.split(_COMMENT.sub("", text))
    return dict(zip(parts[::2], parts[1::2], strict=True))
