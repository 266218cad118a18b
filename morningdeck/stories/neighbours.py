"""What is like one item, among however many others: shown slice by slice, the best asked at last.

Closeness is mostly that of the embeddings, and a part the words that titles share, weighed as
BM25 does. Of the others no more is kept than a few numbers each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from morningdeck.model.finding import Comparable
from morningdeck.stories.likeness import CODE_BYTES, MARKS, in_whole_numbers, whole_words
from morningdeck.stories.rules import Codes, Numbers

TITLE_SHARE = 0.5
"""What shared words of titles count beside the meaning, which counts 1."""
FADING, LENGTH_COUNTS = 1.2, 0.75
LEAST_CLOSENESS = 0.2
"""What is no closer has nothing to do with it."""
MOST_ASKED_WORDS = 32


class Neighbours:
    def __init__(self, one: Comparable, *, dimensions: int) -> None:
        self._one = one
        self._dimensions = dimensions
        self._meaning = _unit(self._vectors([one]))[0]
        self._asked = np.unique(_codes(whole_words(one.title_words)))[:MOST_ASKED_WORDS]
        self._users = np.zeros(len(self._asked), np.int64)
        """How many of the others have each of the words asked for."""
        self._ids: list[NDArray[np.int64]] = []
        self._stories: list[NDArray[np.int64]] = []
        self._close: list[Numbers] = []
        self._shared: list[NDArray[np.uint32]] = []
        """A bit for each of the words asked for."""
        self._lengths: list[Numbers] = []

    def look(self, others: Sequence[Comparable]) -> None:
        if not others:
            return
        titles = [whole_words(one.title_words) for one in others]
        lengths = np.array([len(title) // CODE_BYTES for title in titles], np.int64)
        shared = self._words_shared(b"".join(titles), lengths)
        bits = np.arange(len(self._asked), dtype=np.uint32)
        self._users += (shared[:, None] >> bits & 1).sum(axis=0, dtype=np.int64)
        self._ids.append(np.array([one.item_id for one in others], np.int64))
        self._stories.append(np.array([one.story_id for one in others], np.int64))
        self._close.append(_unit(self._vectors(others)) @ self._meaning)
        self._shared.append(shared)
        self._lengths.append(lengths.astype(np.float32))

    def best(self, count: int) -> list[tuple[int, float]]:
        """Items with their closeness, one of each other story, the closest first."""
        if not self._ids:
            return []
        ids, stories = np.concatenate(self._ids), np.concatenate(self._stories)
        close = np.concatenate(self._close) + np.float32(TITLE_SHARE) * self._share_of_title()
        close /= np.float32((1 if self._meaning.any() else 0) + TITLE_SHARE)
        told = {self._one.story_id}
        found: list[tuple[int, float]] = []
        for at in np.lexsort((-ids, -close)).tolist():
            if close[at] < LEAST_CLOSENESS or len(found) == count:
                break
            if stories[at] not in told and ids[at] != self._one.item_id:
                told.add(int(stories[at]))
                found.append((int(ids[at]), float(close[at])))
        return found

    def _share_of_title(self) -> Numbers:
        """Of what the title could get at most, how much each of the others gets."""
        shared, lengths = np.concatenate(self._shared), np.concatenate(self._lengths)
        rarity = np.log1p((len(shared) - self._users + 0.5) / (self._users + 0.5))
        total = sum(
            (np.float32(worth) * (shared >> bit & 1) for bit, worth in enumerate(rarity)),
            start=np.zeros(len(shared), np.float32),
        )
        usual = max(float(lengths.mean()), 1.0)
        norm = 1 + FADING * (1 - LENGTH_COUNTS * (1 - lengths / usual))
        of_ideal = 1 + FADING * (1 - LENGTH_COUNTS * (1 - len(self._asked) / usual))
        ideal = float(rarity.sum()) / of_ideal
        share: Numbers = np.minimum(total / norm / max(ideal, 1e-6), 1.0).astype(np.float32)
        return share

    def _words_shared(self, packed: bytes, lengths: NDArray[np.int64]) -> NDArray[np.uint32]:
        shared = np.zeros(len(lengths), np.uint32)
        if len(self._asked):
            words, rows = _codes(packed), np.repeat(np.arange(len(lengths)), lengths)
            at = np.minimum(np.searchsorted(self._asked, words), len(self._asked) - 1)
            same = self._asked[at] == words
            np.bitwise_or.at(shared, rows[same], np.uint32(1) << at[same].astype(np.uint32))
        return shared

    def _vectors(self, those: Sequence[Comparable]) -> NDArray[np.int8]:
        whole = b"".join(in_whole_numbers(one.vector, self._dimensions) for one in those)
        return np.frombuffer(whole, np.int8).reshape(len(those), self._dimensions)


def _codes(packed: bytes) -> Codes:
    codes: Codes = np.frombuffer(packed, "<u4").astype(np.uint32) & ~np.uint32(MARKS)
    return codes


def _unit(vectors: NDArray[np.int8]) -> Numbers:
    numbers = vectors.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", numbers, numbers))
    unit: Numbers = numbers / np.maximum(lengths, np.float32(1e-6))[:, None]
    return unit
