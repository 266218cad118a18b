"""What enriching items needs: embeddings, enrichers, and the window of stories."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from morningdeck.model import Article, Criteria, Enrichment, Likeness, Score


class Embedder(Protocol):
    """Texts to vectors of unit length (little-endian float32), locally."""

    def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]: ...


class Enricher(Protocol):
    @property
    def name(self) -> str: ...

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        """Everything about the article, with one score for each of the criteria."""

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        """Only scores, for an article that was enriched before."""


class Similarity(Protocol):
    """Decides, from likenesses alone, whether two items tell one story."""

    def likeness(
        self, title: str, text: str, canonical_url: str | None, vector: bytes
    ) -> Likeness: ...

    def same_story(self, one: Likeness, other: Likeness) -> bool: ...


class StoryWindow(Protocol):
    """The likenesses of the last days, and which story each belongs to."""

    def add(self, item_id: int, story_id: int, seen_at: datetime, likeness: Likeness) -> None: ...

    def forget(self, before: datetime) -> None: ...

    def find(self, likeness: Likeness) -> int | None:
        """The story that this likeness belongs to."""
