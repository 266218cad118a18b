"""How close an item is to others and to a whole story, and what keeps them apart: pure.

    words     the cosine of titles whose words count by their rarity
    meaning   the cosine of embeddings
    told      how much of what an item names and counts stands in the other as well

Closeness is half words, half meaning. A story is its centroid in both: the more of its items
say a word, the more it counts. What the thresholds were measured on stands in docs/design.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from morningdeck.stories.likeness import A_NAME, A_NUMBER, MARKS

Codes = NDArray[np.uint32]
Numbers = NDArray[np.float32]
Flags = NDArray[np.bool_]

FEWEST_FACTS, FEWEST_NUMBERS = 5, 3
"""With fewer it says nothing how many of them the other tells."""
SURELY_SAME, DOUBTFUL = 0.95, 0.9
"""Closeness and the share of facts told, together."""
LITTLE_TOLD, NOTHING_TOLD, LITTLE_COUNTED = 0.38, 0.15, 0.25
SAME_WORDS = 0.5
"""Where little is told as well, it is a title that others have too."""
WORDS_NEEDED = 0.08
"""Meaning alone is a subject at most."""

NO_WORD = np.uint32(0)
TABLE_BITS = 14

_MARKS = np.uint32(MARKS)
_LITTLE = np.float32(1e-6)


@dataclass(frozen=True)
class KnownItems:
    """What is known of some items: a row for each; `titled` of its words are those of its title."""

    words: Codes
    rarity: Numbers
    titled: NDArray[np.uint8]
    vectors: NDArray[np.int8]

    @cached_property
    def of_title(self) -> Flags:
        columns = np.arange(self.words.shape[1], dtype=np.uint8)
        return columns[None, :] < self.titled[:, None]

    @cached_property
    def title_weights(self) -> Numbers:
        """Of unit length for each title."""
        weights = np.where(self.of_title, self.rarity, np.float32(0))
        lengths = np.sqrt(np.einsum("ij,ij->i", weights, weights))
        unit: Numbers = weights / np.maximum(lengths, _LITTLE)[:, None]
        return unit

    @property
    def meanings(self) -> Numbers:
        """Of unit length."""
        vectors = self.vectors.astype(np.float32)
        unit: Numbers = vectors / _lengths(vectors)[:, None]
        return unit

    def cosines(self, meaning: Numbers) -> Numbers:
        """Of each to one of unit length: cheaper than to make all of them so."""
        vectors = self.vectors.astype(np.float32)
        found: Numbers = (vectors @ meaning) / _lengths(vectors)
        return found


@dataclass(frozen=True, slots=True)
class Pairs:
    """One item beside each of some others."""

    words: Numbers
    meaning: Numbers
    told: Numbers
    counted: Numbers
    """The share of numbers alone that is told; both NaN where there is too little to tell."""
    differ: Flags
    """Both titles have a number, or name somebody, that the other has not: a detail that only one
    has may be left out by the other.
    """
    numbered: Flags
    """Both titles have a number."""

    @classmethod
    def of(cls, one: KnownItems, all_words: Codes, others: KnownItems) -> Pairs:
        """`one` is a single row; `all_words` are those of its title and of its lead."""
        title = one.words[0][one.of_title[0]]
        known = np.sort(all_words & ~_MARKS)
        weights = np.zeros(len(known), np.float32)
        weights[np.searchsorted(known, title & ~_MARKS)] = one.title_weights[0][one.of_title[0]]
        plain, of_title = others.words & ~_MARKS, others.of_title
        shared, theirs = _shared(plain, known, weights)
        numbers = of_title & (others.words & A_NUMBER != 0)
        own_numbers = int(np.count_nonzero(title & A_NUMBER))
        common = np.count_nonzero(numbers & (theirs > 0), axis=1)
        other_numbers = (common < own_numbers) & (common < np.count_nonzero(numbers, axis=1))
        return cls(
            words=np.einsum("ij,ij->i", theirs, others.title_weights),
            meaning=others.cosines(one.meanings[0]),
            told=_told(all_words, others, shared, MARKS, FEWEST_FACTS),
            counted=_told(all_words, others, shared, A_NUMBER, FEWEST_NUMBERS),
            differ=other_numbers | _other_names(title, others, shared),
            numbered=numbers.any(axis=1) & (own_numbers > 0),
        )

    def __getitem__(self, at: int) -> Pairs:
        these = slice(at, at + 1)
        return Pairs(
            self.words[these],
            self.meaning[these],
            self.told[these],
            self.counted[these],
            self.differ[these],
            self.numbered[these],
        )

    @property
    def close(self) -> Numbers:
        return (self.words + self.meaning) / np.float32(2)

    @property
    def same(self) -> Flags:
        """The same facts, in whatever words."""
        return (self.close + self.told >= SURELY_SAME) & (self.told >= LITTLE_TOLD) & ~self.apart

    @property
    def apart(self) -> Flags:
        """Other facts, however alike the titles are, as those of daily reports."""
        other = (self.told < LITTLE_TOLD) | (self.counted < LITTLE_COUNTED)
        other &= self.words >= SAME_WORDS
        other |= (self.told < NOTHING_TOLD) | (self.close + self.told < DOUBTFUL)
        return other | self.differ

    @property
    def tell(self) -> Flags:
        """Which could say that they are apart."""
        can: Flags = ~np.isnan(self.told) | self.numbered
        return can


def _shared(words: Codes, known: Codes, weights: Numbers) -> tuple[Flags, Numbers]:
    """Which of the words are among the known ones, which are in order, and what each weighs there:
    the first of those that are alike.

    Hardly any are, so a table of their last bits is asked first.
    """
    shared, theirs = np.zeros(words.shape, np.bool_), np.zeros(words.shape, np.float32)
    if not len(known):
        return shared, theirs
    table = np.zeros(1 << TABLE_BITS, np.bool_)
    table[_last_bits(known)] = True
    likely = np.nonzero(table[_last_bits(words)] & (words != NO_WORD))
    those = words[likely]
    at = np.minimum(np.searchsorted(known, those), len(known) - 1)
    same = known[at] == those
    shared[likely] = same
    theirs[likely] = np.where(same, weights[at], np.float32(0))
    return shared, theirs


def _last_bits(words: Codes) -> Codes:
    bits: Codes = (words >> np.uint32(2)) & np.uint32((1 << TABLE_BITS) - 1)
    return bits


def _lengths(vectors: Numbers) -> Numbers:
    lengths: Numbers = np.maximum(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), _LITTLE)
    return lengths


def _other_names(title: Codes, others: KnownItems, shared: Flags) -> Flags:
    """Each title names somebody of whom the other item does not speak."""
    theirs = others.of_title & (others.words & A_NAME != 0) & ~shared
    mine = title[title & A_NAME != 0] & ~_MARKS
    plain = others.words & ~_MARKS
    unspoken = ~(plain[:, :, None] == mine[None, None, :]).any(axis=1)
    apart: Flags = theirs.any(axis=1) & unspoken.any(axis=1)
    return apart


def _told(all_words: Codes, others: KnownItems, shared: Flags, marks: int, fewest: int) -> Numbers:
    """The share of the words so marked that is shared, by their rarity."""
    if np.count_nonzero(all_words & marks) < fewest:
        return np.full(len(others.words), np.nan, np.float32)
    facts = np.where(others.words & marks, others.rarity, np.float32(0))
    told = np.einsum("ij,ij->i", facts, shared) / np.maximum(facts.sum(axis=1), _LITTLE)
    enough = np.count_nonzero(facts > 0, axis=1) >= fewest
    return np.where(enough, told, np.nan)


@dataclass(frozen=True, slots=True)
class Centroid:
    words: Codes
    """In order."""
    weights: Numbers
    meaning: Numbers

    @classmethod
    def of(cls, rows: KnownItems) -> Centroid:
        of_title = rows.of_title
        words, places = np.unique(rows.words[of_title] & ~_MARKS, return_inverse=True)
        weights = np.bincount(places, rows.title_weights[of_title], len(words))
        return cls(words, _unit(weights.astype(np.float32)), _unit(rows.meanings.sum(axis=0)))

    def shares(self, other: Centroid) -> tuple[float, float]:
        """Words and meaning."""
        meaning = float(self.meaning @ other.meaning)
        if not len(self.words):
            return 0.0, meaning
        at = np.minimum(np.searchsorted(self.words, other.words), len(self.words) - 1)
        shared = np.where(self.words[at] == other.words, other.weights, 0)
        return float(self.weights[at] @ shared), meaning

    def closeness(self, other: Centroid) -> float:
        return sum(self.shares(other)) / 2


def _unit(values: Numbers) -> Numbers:
    unit: Numbers = values / np.maximum(np.linalg.norm(values), _LITTLE)
    return unit
