"""How the bundled word lists are written down: words with white space between them."""

from __future__ import annotations


def word_list(text: str) -> frozenset[str]:
    return frozenset(text.split())
