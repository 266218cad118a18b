"""How rare words are in what this installation has read, in each language.

Of the articles in the window their profiles say it; of those before there are counts, which
fade: what was read three weeks ago counts half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from morningdeck.enrichers.columns import ProfileColumns
from morningdeck.enrichers.profiles import WORD_BYTES
from morningdeck.model.refining import KeptProfile, WordCounts

HALF_LIFE = timedelta(weeks=3)
MOST_WORDS_KEPT = 200_000
"""Of a language, the most frequent: what is rarer is as rare as what was never seen."""
FOREIGN_ARTICLES = 50.0
"""Where few articles are in a language, words are as rare there as in all languages together."""

Keys = NDArray[np.uint32]
Counts = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    words: Keys
    counts: Counts
    articles: Mapping[str, float]
    """How many were read in each language."""

    def count(self, key: int) -> float:
        at = int(np.searchsorted(self.words, key))
        known = at < len(self.words) and self.words[at] == key
        return float(self.counts[at]) if known else 0.0

    def rarity(self, counts: Mapping[str, float], language: str) -> float:
        """Of a word by how many articles of each language have it: BM25's idf."""
        total = sum(self.articles.values())
        everywhere = sum(counts.values()) / total if total else 0.0
        here = self.articles.get(language, 0.0) + FOREIGN_ARTICLES
        having = counts.get(language, 0.0) + FOREIGN_ARTICLES * everywhere
        return float(np.log1p((max(here - having, 0.0) + 0.5) / (having + 0.5)))


NOTHING_READ = Vocabulary(np.zeros(0, np.uint32), np.zeros(0, np.float32), {})


def vocabulary_of(columns: ProfileColumns, counts: Mapping[str, WordCounts]) -> Vocabulary:
    articles: dict[str, float] = {one.language: one.articles for one in counts.values()}
    for language in columns.languages:
        articles[language] = articles.get(language, 0.0) + 1.0
    parts = [(columns.words, columns.users().astype(np.float32))]
    parts += [_unpacked(one.words) for one in counts.values()]
    return Vocabulary(*_summed(parts), articles)


def counted(
    outdated: Sequence[KeptProfile], counts: Mapping[str, WordCounts], now: datetime
) -> tuple[WordCounts, ...]:
    """The counts with the words of these profiles, of the languages that have changed."""
    found = []
    for language in sorted({one.profile.language for one in outdated}):
        those = [one.profile.words for one in outdated if one.profile.language == language]
        keys = np.concatenate(
            [np.frombuffer(words, "<u4", len(words) // WORD_BYTES) for words in those]
        )
        before = _faded(counts.get(language) or WordCounts(language, 0.0, b"", now), now)
        words, sums = _summed([_unpacked(before.words), (keys, np.ones(len(keys), np.float32))])
        found.append(
            replace(
                before,
                articles=before.articles + len(those),
                words=_packed(words, sums),
                counted_at=now,
            )
        )
    return tuple(found)


def _faded(counts: WordCounts, now: datetime) -> WordCounts:
    left = 0.5 ** max(0.0, (now - counts.counted_at) / HALF_LIFE)
    words, numbers = _unpacked(counts.words)
    faded = numbers * np.float32(left)
    return replace(counts, articles=counts.articles * left, words=_packed(words, faded))


def _summed(parts: Sequence[tuple[Keys, Counts]]) -> tuple[Keys, Counts]:
    keys = np.concatenate([keys for keys, _ in parts])
    numbers = np.concatenate([numbers for _, numbers in parts])
    words, places = np.unique(keys, return_inverse=True)
    return words.astype(np.uint32), np.bincount(places, numbers, len(words)).astype(np.float32)


def _packed(words: Keys, numbers: Counts) -> bytes:
    if len(words) > MOST_WORDS_KEPT:
        kept = np.sort(np.argsort(-numbers, kind="stable")[:MOST_WORDS_KEPT])
        words, numbers = words[kept], numbers[kept]
    return words.astype("<u4").tobytes() + numbers.astype("<f4").tobytes()


def _unpacked(packed: bytes) -> tuple[Keys, Counts]:
    size = len(packed) // 8
    return np.frombuffer(packed, "<u4", size), np.frombuffer(packed, "<f4", size, size * 4)
