"""Arrays that grow at their end and forget at their beginning."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

FIRST_ROOM = 256
SPARE = 8
"""One part in so many is room to grow: copying a matrix is cheap, holding a second one is not."""


class GrowingArray:
    """One value, or `width` of them, for each row."""

    def __init__(self, dtype: DTypeLike, width: int | None = None) -> None:
        self._held = np.zeros((FIRST_ROOM, *(() if width is None else (width,))), dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Any]:
        """A view of all rows; stale once the column has grown."""
        return self._held[: self._size]

    def append(self, value: Any) -> None:
        if self._size == len(self._held):
            self._hold(self._held)
        self._held[self._size] = value
        self._size += 1

    def drop(self, count: int) -> None:
        """Forget the first rows."""
        kept = self.values[count:]
        self._size = len(kept)
        self._hold(kept)

    def _hold(self, rows: NDArray[Any]) -> None:
        room = len(rows) + max(FIRST_ROOM, len(rows) // SPARE)
        held = np.zeros((room, *rows.shape[1:]), rows.dtype)
        held[: len(rows)] = rows
        self._held = held
