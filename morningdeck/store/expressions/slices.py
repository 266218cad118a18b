"""Many rows in slices: no transaction is open in between, and memory holds one slice."""

from __future__ import annotations

from collections.abc import Iterator

A_SLICE = 8_000
"""Of rows with an embedding: some 2 kB each, while they are in Python."""


def id_ranges(newest: int, most: int, size: int = A_SLICE) -> Iterator[tuple[int, int]]:
    """The first and the last id of each slice of the newest ids, the newest first."""
    oldest = max(newest - most, 0) + 1
    for last in range(newest, oldest - 1, -size):
        yield max(last - size + 1, oldest), last
