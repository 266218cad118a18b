"""What a reader wants to be spared, and whether an article is about that.

It is if its title says so, or its lead while the title says nothing of what is wanted, or if it
means that and is closer to it than to what is wanted. A mention in passing is none.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from morningdeck.enrichers.columns import Floats
from morningdeck.enrichers.criteria import Phrase
from morningdeck.enrichers.profiles import IN_LEAD, IN_TITLE
from morningdeck.enrichers.wishes import Wish, kind_of, phrase_keys

KEEPS = 0.2
"""What is left of the score then."""
CLOSE = 0.29
"""A cosine that means the same; of English texts 90 % of the unrelated stay below 0.16."""

Uses = NDArray[np.uint8]
UsesOf = Callable[[tuple[int, ...]], Uses]
"""How articles use a word for which any of these stands."""


def used(phrase: Phrase, uses_of: UsesOf, languages: tuple[str, ...], size: int) -> Uses:
    """Where all words of a phrase stand in each article, as profiles have it."""
    found = np.zeros(size, np.uint8)
    for language in languages:
        words = list(phrase_keys(phrase, language))
        if words:
            uses = [uses_of(keys) for _, keys in words]
            found |= np.bitwise_and.reduce(uses) & np.uint8(IN_TITLE | IN_LEAD)
    kind = kind_of(phrase)
    if kind is not None:
        found |= np.where(uses_of((kind,)) > 0, np.uint8(IN_TITLE), np.uint8(0))
    return found


def spared(
    wish: Wish,
    uses_of: UsesOf,
    meanings: Floats,
    languages: tuple[str, ...],
    trusted: Floats,
) -> list[str]:
    """For each article the words that it is to be spared for, else an empty text."""
    size = len(meanings)
    found = [""] * size
    if not wish.asked.unwanted:
        return found
    wanted = np.zeros(size, np.uint8)
    for phrase in wish.asked.wanted:
        wanted |= used(phrase, uses_of, languages, size)
    titled = (wanted & IN_TITLE) > 0
    for phrase in wish.asked.unwanted:
        uses = used(phrase, uses_of, languages, size)
        met = ((uses & IN_TITLE) > 0) | (((uses & IN_LEAD) > 0) & ~titled)
        for at in np.flatnonzero(met):
            found[at] = found[at] or " ".join(phrase)
    _by_meaning(wish, meanings, trusted, found)
    return found


def _by_meaning(wish: Wish, meanings: Floats, trusted: Floats, found: list[str]) -> None:
    if not len(wish.spared):
        return
    to_spared = (meanings @ wish.spared.T) * trusted[:, np.newaxis]
    closest = to_spared.argmax(axis=1)
    unwanted = to_spared.max(axis=1)
    wanted = (meanings @ wish.clauses.T).max(axis=1) if len(wish.clauses) else unwanted - 1
    for at in np.flatnonzero((unwanted >= CLOSE) & (unwanted > wanted * trusted)):
        found[at] = found[at] or wish.spared_texts[closest[at]]
