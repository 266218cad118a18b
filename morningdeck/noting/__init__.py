"""What is said of an article by its text alone, all at once: no database, no network.

It is most of what processing computes, so a daemon has it done by a child process (`NotePool`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from morningdeck.model.making import Article, Likeness, Notes

if TYPE_CHECKING:
    from morningdeck.ports.verbs import Embedder, Enricher, Profiler, Similarity, Summariser

LEAD_CHARACTERS = 600
"""How much of the text, beside the title, the embedding speaks of."""


class NotesInPlace:
    """The port `NoteTaker`, in this very process; with a teller the notes hold all that it says."""

    def __init__(
        self,
        *,
        similarity: Similarity,
        embedder: Embedder,
        profiler: Profiler,
        summariser: Summariser,
        teller: Enricher | None = None,
    ) -> None:
        self._similarity = similarity
        self._embedder = embedder
        self._profiler = profiler
        self._summariser = summariser
        self._teller = teller

    def take(self, article: Article, address: str | None, *, place: bool, tell: bool) -> Notes:
        (vector,) = self._embedder.embed((f"{article.title}\n{article.text[:LEAD_CHARACTERS]}",))
        article = replace(article, vector=vector)
        profile = self._profiler.profile(article)
        told = self._teller.enrich(article, ()) if tell and self._teller else None
        summary = told.summary if told else self._summariser.in_short(article) if tell else ""
        likeness = self._likeness(article, address) if place else None
        return Notes(vector, profile, likeness, summary, self._summariser.read_as(article), told)

    def _likeness(self, article: Article, address: str | None) -> Likeness:
        """A text that does not speak of its title has no part in what the item means."""
        vector = article.vector
        if not self._similarity.speaks_of(article.text, article.title):
            (vector,) = self._embedder.embed((article.title,))
        return self._similarity.likeness(article.title, article.text, address, vector)
