"""Which of the recent items have a word, and how rare it is among all that was read lately.

Of each item a few words are kept: those of its title, then the rarest of its lead. Each is a
link of a chain that leads from an item to the one before with that word:

    heads[word] -> (item 7, 2nd word) -> (item 4, 5th word) -> (item 1, 1st word)

So a look-up takes the newest first and stops when it has enough, and forgetting the oldest
items only moves numbers. Words share a head where their codes end alike; who compares
the words themselves never confuses them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from morningdeck.stories.columns import GrowingArray
from morningdeck.stories.likeness import MARKS
from morningdeck.stories.rules import NO_WORD, Codes, Numbers

WORDS_KEPT = 28
TITLE_WORDS_KEPT = 16
HEADS = 1 << 19
NO_LINK = -1
MOST_PER_WORD = 96
MOST_ROWS = 320
PRIOR = 50
"""Texts without any of the words: so that in an empty installation no word is common."""

_MARKS = np.uint32(MARKS)
_MARK_BITS = 2


class WordIndex:
    def __init__(self) -> None:
        self._heads = np.full(HEADS, NO_LINK, np.int32)
        self._logarithms = np.zeros(HEADS, np.float32)
        """Of one more than the texts that have a word with this head."""
        self._logarithms[NO_WORD] = np.inf
        self._texts = 0.0
        self._words = GrowingArray(np.uint32, WORDS_KEPT)
        self._before = GrowingArray(np.int32, WORDS_KEPT)

    def __len__(self) -> int:
        return len(self._words)

    def words(self, rows: Any) -> Codes:
        kept: Codes = self._words.values[rows]
        return kept

    def rarity(self, words: Codes) -> Numbers:
        """By the logarithm of how few of the texts have the word."""
        common = self._logarithms[_bucket(words)]
        rarity: Numbers = np.maximum(np.float32(np.log(self._texts + PRIOR)) - common, 0)
        return rarity

    def telling(self, title: Codes, lead: Codes) -> tuple[Codes, int]:
        """The words to keep, and how many of them are the title's: as many of the lead's as there
        is room, names and numbers first, then the rarest.
        """
        kept = title[:TITLE_WORDS_KEPT]
        told = (lead[:, None] & ~_MARKS) == (kept & ~_MARKS)  # np.isin takes five times as long
        others = lead[~told.any(axis=1)]
        facts = (others & _MARKS) != 0
        order = np.lexsort((-self.rarity(others), ~facts))[: WORDS_KEPT - len(kept)]
        return np.concatenate([kept, others[np.sort(order)]]), len(kept)

    def add(self, kept: Codes, all_words: Codes) -> None:
        those = np.unique(_bucket(all_words))
        self._logarithms[those] = np.logaddexp(self._logarithms[those], 0)
        self._texts += 1
        row = np.zeros(WORDS_KEPT, np.uint32)
        before = np.full(WORDS_KEPT, NO_LINK, np.int32)
        row[: len(kept)] = kept
        at = _bucket(kept)
        before[: len(kept)] = self._heads[at]
        self._heads[at] = len(self) * WORDS_KEPT + np.arange(len(kept), dtype=np.int32)
        self._words.append(row)
        self._before.append(before)

    def rows_with(self, words: Codes) -> list[int]:
        """The newest items that have one of the words, the rarest words first."""
        rarest = words[np.argsort(-self.rarity(words), kind="stable")]
        before = self._before.values.reshape(-1)
        found: dict[int, None] = {}
        for head in self._heads[_bucket(rarest)].tolist():
            link = head
            for _ in range(MOST_PER_WORD):
                if link < 0:
                    break
                found[link // WORDS_KEPT] = None
                link = before.item(link)
            if len(found) >= MOST_ROWS:
                break
        return list(found)

    def drop(self, count: int) -> None:
        """Forget the first items; how rare words are fades with them."""
        left = (len(self) - count) / max(1, len(self))
        self._logarithms[NO_WORD] = 0  # nothing times infinity would be no number
        self._logarithms = np.log1p(np.expm1(self._logarithms) * np.float32(left))
        self._logarithms[NO_WORD] = np.inf
        self._texts *= left
        self._words.drop(count)
        self._before.drop(count)
        moved = count * WORDS_KEPT
        for links in (self._heads, self._before.values):
            links -= moved
            links[links < 0] = NO_LINK


def _bucket(words: Codes) -> NDArray[Any]:
    return (words >> _MARK_BITS) & (HEADS - 1)
