"""How often somebody may do something: a bucket for each, which fills up again evenly."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

MOST_BUCKETS = 10_000
"""Of so many, those that are full again are forgotten: they are as good as new ones."""


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
            if len(self._left) >= MOST_BUCKETS and key not in self._left:
                self._forget()
            left = self._now(key)
            self._left[key] = (left - 1 if left >= 1 else left, self.clock())
            return left >= 1

    def give_back(self, key: Hashable) -> None:
        with self._lock:
            self._left[key] = (min(self.most, self._now(key) + 1), self.clock())

    def left(self, key: Hashable) -> float:
        with self._lock:
            return self._now(key)

    def seconds_until_one(self, key: Hashable) -> float:
        return max(0.0, (1 - self.left(key)) * 60 / self.per_minute)

    def _now(self, key: Hashable) -> float:
        left, at = self._left.get(key, (self.most, 0.0))
        return min(self.most, left + (self.clock() - at) * self.per_minute / 60)

    def _forget(self) -> None:
        """Those that are full; where none is, the one that was touched first."""
        full = [key for key in self._left if self._now(key) >= self.most]
        for key in full or [next(iter(self._left))]:
            del self._left[key]
