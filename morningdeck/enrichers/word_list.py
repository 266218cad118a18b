"""How the bundled word lists are written down: words with white space between them.

A function, as linters would write out a `split()` of a text: one line for each word.
"""

from __future__ import annotations


def word_list(text: str) -> frozenset[str]:
    return frozenset(text.split())
