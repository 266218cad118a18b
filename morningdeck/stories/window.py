"""The likenesses of the last days in memory, so that finding a story takes about a millisecond.

Equal addresses and texts are looked up; vectors and SimHashes are compared all at once, and
only the few that come near are asked whether they tell the same story.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from morningdeck.model.making import Likeness
from morningdeck.ports.verbs import Similarity

FIRST_ROOM = 256
MOST_KNOWN = 100_000
"""Of about 3 KB each; where more items come in those days, the oldest is forgotten earlier."""


@dataclass(frozen=True, slots=True)
class KnownItem:
    item_id: int
    story_id: int
    seen_at: datetime
    likeness: Likeness


class RecentStories:
    """`near` is the cosine, `near_bits` the SimHash distance, beyond which nobody is asked."""

    def __init__(
        self,
        similarity: Similarity,
        *,
        dimensions: int,
        near: float,
        near_bits: int,
        most: int = MOST_KNOWN,
    ) -> None:
        self._similarity = similarity
        self._near = near
        self._near_bits = near_bits
        self._dimensions = dimensions
        self._most = most
        self._clear()

    def _clear(self) -> None:
        self._items: list[KnownItem] = []
        self._by_page: dict[str, int] = {}
        self._by_text: dict[str, int] = {}
        self._vectors = np.zeros((FIRST_ROOM, self._dimensions), dtype=np.float32)
        self._hashes = np.zeros(FIRST_ROOM, dtype=np.int64)

    def add(self, item_id: int, story_id: int, seen_at: datetime, likeness: Likeness) -> None:
        index = len(self._items)
        if index == len(self._hashes):
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
            self._hashes = np.concatenate([self._hashes, np.zeros_like(self._hashes)])
        self._items.append(KnownItem(item_id, story_id, seen_at, likeness))
        if likeness.canonical_url:
            self._by_page[likeness.canonical_url] = index
        if likeness.text_hash:
            self._by_text[likeness.text_hash] = index
        self._vectors[index] = self._vector(likeness)
        self._hashes[index] = likeness.simhash

    def forget(self, before: datetime) -> None:
        """Only when a good part is old, because forgetting means building anew."""
        old = sum(1 for item in self._items if item.seen_at < before)
        full = len(self._items) >= self._most
        if old <= max(FIRST_ROOM, len(self._items) // 4) and not full:
            return
        kept = [item for item in self._items if item.seen_at >= before][-self._most * 3 // 4 :]
        self._clear()
        for item in kept:
            self.add(item.item_id, item.story_id, item.seen_at, item.likeness)

    def find(self, likeness: Likeness) -> int | None:
        """The story that this likeness belongs to: the closest that says yes."""
        for index in self._likely(likeness):
            if self._similarity.same_story(likeness, self._items[index].likeness):
                return self._items[index].story_id
        return None

    def _likely(self, likeness: Likeness) -> list[int]:
        found = [
            index
            for index in (
                self._by_page.get(likeness.canonical_url or ""),
                self._by_text.get(likeness.text_hash),
            )
            if index is not None
        ]
        size = len(self._items)
        closeness = self._vectors[:size] @ self._vector(likeness)
        bits = np.bitwise_count(self._hashes[:size] ^ np.int64(likeness.simhash))
        near = np.flatnonzero((closeness >= self._near) | (bits <= self._near_bits))
        return found + [int(index) for index in near[np.argsort(-closeness[near], kind="stable")]]

    def _vector(self, likeness: Likeness) -> np.ndarray:
        if len(likeness.vector) != 4 * self._dimensions:
            return np.zeros(self._dimensions, dtype=np.float32)
        return np.frombuffer(likeness.vector, dtype="<f4")
