"""Many wishes side by side, so that an article that arrives is scored for all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from morningdeck.enrichers.calibration import Belief, Evidence, Floats
from morningdeck.enrichers.columns import Ints, apart_from, shares_of, trust
from morningdeck.enrichers.learning import TORN, LearntWish
from morningdeck.enrichers.profiles import meaning_of
from morningdeck.model.making import Profile


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of many rows; from `bounds` on stand the rows that have each, and its weights."""

    size: int
    words: NDArray[np.uint32]
    bounds: Ints
    rows: Ints
    weights: Floats
    single: NDArray[np.bool_]
    """The rows that are a single word."""

    def weigh(
        self, keys: NDArray[np.uint32], shares: Floats, alone: Floats | None = None
    ) -> Floats:
        """For each row the weights of its words among these, times what is made of them; `alone` is
        what is made of them by rows that are a single word.
        """
        if not len(self.words):
            return np.zeros(self.size, np.float32)
        at = np.minimum(np.searchsorted(self.words, keys), len(self.words) - 1)
        known = self.words[at] == keys
        places = at[known]
        sizes = self.bounds[places + 1] - self.bounds[places]
        # the spots of all rows that have the first known word, then those of the second, ...
        spots = np.repeat(self.bounds[places] - np.append(0, np.cumsum(sizes)[:-1]), sizes)
        spots = spots + np.arange(len(spots))
        made = np.repeat(shares[known], sizes)
        if alone is not None and self.single.any():
            made = np.where(self.single[self.rows[spots]], np.repeat(alone[known], sizes), made)
        made = made * self.weights[spots]
        total: Floats = np.bincount(self.rows[spots], made, self.size).astype(np.float32)
        return total


def word_table(
    rows: Sequence[Mapping[int, float]], single: Sequence[bool] | None = None
) -> WordTable:
    entries = sorted((key, row, one[key]) for row, one in enumerate(rows) for key in one)
    keys = np.array([key for key, _, _ in entries], np.uint32)
    words, starts = np.unique(keys, return_index=True)
    return WordTable(
        len(rows),
        words,
        np.append(starts, len(keys)).astype(np.int64),
        np.array([row for _, row, _ in entries], np.int64),
        np.array([weight for _, _, weight in entries], np.float32),
        np.array(single or [False] * len(rows), np.bool_),
    )


@dataclass(frozen=True, slots=True)
class Board:
    """For articles in one language. The parts of a wish stand together, from `first` on."""

    own: WordTable
    scales: Floats
    ideals: Floats
    meanings: Floats
    first: Ints
    more: WordTable
    nears: Floats
    middle: Floats
    phrases: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]
    """The rows that are one phrase, each with what stands for its words."""
    trusted: float
    belief: Belief

    def evidence(self, profile: Profile, typical_length: float) -> Evidence:
        """For each wish."""
        keys, shares, prominent = shares_of(profile, typical_length)
        meaning = meaning_of(profile.meaning, self.meanings.shape[1])
        own = self.scales * self.own.weigh(keys, shares, shares * prominent) / self.ideals
        own[[row for row, words in self.phrases if not _whole(words, keys)]] *= TORN
        close = self.scales * (self.trusted * (self.meanings @ meaning))
        return Evidence(
            own=np.maximum.reduceat(own, self.first),
            more=self.more.weigh(keys, shares),
            meaning=np.maximum.reduceat(close, self.first),
            near=self.nears @ apart_from(meaning, self.middle),
        )


def _whole(phrase: Sequence[Sequence[int]], keys: NDArray[np.uint32]) -> bool:
    return all(np.isin(keys, np.array(words, np.uint32)).any() for words in phrase)


def board_of(wishes: Sequence[LearntWish], language: str, middle: Floats) -> Board:
    """For articles in one language, whose meanings are around that middle."""
    parts = [part for one in wishes for part in one.parts]
    nothing = np.zeros_like(middle)
    return Board(
        own=word_table([part.words for part in parts], [part.is_word for part in parts]),
        scales=np.array([part.scale(language) for part in parts], np.float32),
        ideals=np.array([max(part.ideal[language], 1e-3) for part in parts], np.float32),
        meanings=np.stack([part.meaning for part in parts]),
        first=np.cumsum([0, *(len(one.parts) for one in wishes[:-1])]),
        more=word_table([one.more for one in wishes]),
        nears=np.stack([nothing if one.near is None else one.near for one in wishes]),
        middle=middle,
        phrases=tuple((row, part.phrase) for row, part in enumerate(parts) if part.phrase),
        trusted=float(trust([language])[0]),
        belief=Belief.of_all([one.belief for one in wishes]),
    )
