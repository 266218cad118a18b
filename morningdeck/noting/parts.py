"""Who takes notes and makes vectors in this process: it by itself, or a child for a daemon."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from morningdeck.noting import NotesInPlace

if TYPE_CHECKING:
    from morningdeck.enrichers.embedding import WordEmbedder
    from morningdeck.noting.pool import NotePool
    from morningdeck.ports.verbs import Embedder, NoteTaker


class NoteTakers:
    """Each is made at first use."""

    def __init__(self, *, tells: bool) -> None:
        """Whether notes hold all that is said without a model."""
        self._tells = tells
        self.has_child = False
        """Set where there is work enough to be worth its start."""

    @property
    def notes(self) -> NoteTaker:
        return self.pool if self.has_child else self.here

    @property
    def embedder(self) -> Embedder:
        return self.pool if self.has_child else self.words

    @cached_property
    def words(self) -> WordEmbedder:
        from morningdeck.enrichers.embedding import WordEmbedder

        return WordEmbedder()

    @cached_property
    def here(self) -> NotesInPlace:
        return in_place(self.words, tells=self._tells)

    @cached_property
    def pool(self) -> NotePool:
        from morningdeck.noting.pool import NotePool

        return NotePool(lambda: self.here, lambda: self.words, tells=self._tells)

    def end_idle(self, seconds: float) -> None:
        for name in ("pool", "words"):
            if name in self.__dict__:  # a cached property that was used
                getattr(self, name).end_idle(seconds)

    def close(self) -> None:
        if "pool" in self.__dict__:
            self.pool.close()


def spare_processor() -> bool:
    """Whether this process may use more than one."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) > 1
    return (os.cpu_count() or 1) > 1


def in_place(embedder: Embedder, *, tells: bool) -> NotesInPlace:
    """With the parts that there are."""
    from morningdeck.enrichers import own_words
    from morningdeck.enrichers.offline import OfflineEnricher
    from morningdeck.enrichers.relevance import Relevance
    from morningdeck.stories import likeness

    relevance = Relevance(embedder)
    return NotesInPlace(
        similarity=likeness,
        embedder=embedder,
        profiler=relevance,
        summariser=own_words,
        teller=OfflineEnricher(embedder, relevance) if tells else None,
    )
