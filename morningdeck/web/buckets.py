"""How often somebody may do something: a bucket for each, which fills up again evenly."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

MOST_BUCKETS = 10_000
"""Of more, the one that was not touched for longest is forgotten."""


@dataclass(slots=True)
class Buckets:
    """Each holds `most`, and gets so many a minute."""

    most: float
    per_minute: float
    clock: Callable[[], float] = time.monotonic
    _left: dict[Hashable, tuple[float, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, key: Hashable) -> bool:
        """Whether there was one left."""
        with self._lock:
            left = self._now(key)
            self._put(key, left - 1 if left >= 1 else left)
            return left >= 1

    def give_back(self, key: Hashable) -> None:
        with self._lock:
            self._put(key, min(self.most, self._now(key) + 1))

    def left(self, key: Hashable) -> float:
        with self._lock:
            return self._now(key)

    def seconds_until_one(self, key: Hashable) -> float:
        return max(0.0, (1 - self.left(key)) * 60 / self.per_minute)

    def _now(self, key: Hashable) -> float:
        left, at = self._left.get(key, (self.most, 0.0))
        return min(self.most, left + (self.clock() - at) * self.per_minute / 60)

    def _put(self, key: Hashable, left: float) -> None:
        """As the last: the first is the one that was not touched for longest."""
        self._left.pop(key, None)
        if left >= self.most:  # as one that was never touched
            return
        self._left[key] = (left, self.clock())
        if len(self._left) > MOST_BUCKETS:
            del self._left[next(iter(self._left))]
