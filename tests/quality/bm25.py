"""Plain BM25, the rival that needs no thought: whole texts, whole words, all counted once."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

K1, B = 1.2, 0.75


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


class PlainBM25:
    """Knows all texts before it scores the first one."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(words(text)) for text in texts]
        self._lengths = [counts.total() for counts in self._counts]
        self._mean = sum(self._lengths) / max(1, len(texts))
        self._frequency = Counter(word for counts in self._counts for word in counts)

    def scores(self, query: str) -> list[float]:
        asked = set(words(query))
        return [
            sum(self._weight(word) * self._share(counts[word], length) for word in asked)
            for counts, length in zip(self._counts, self._lengths, strict=True)
        ]

    def _weight(self, word: str) -> float:
        having = self._frequency[word]
        return math.log(1 + (len(self._counts) - having + 0.5) / (having + 0.5))

    def _share(self, count: int, length: int) -> float:
        return count * (K1 + 1) / (count + K1 * (1 - B + B * length / self._mean))
