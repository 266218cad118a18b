"""What each source writes whatever it speaks of: places, house words, a way of telling.

Where few articles meet a wish and most of those are of one source, they share that as well, and
a lesson would take it for the subject: the articles of a regional portal that serve "science" all
speak of its region. What a source has in its other articles, more than others have in theirs,
tells nothing. A source that speaks of little but the subject has no such articles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from morningdeck.enrichers.columns import Floats, Ints, ProfileColumns

DOUBT = 5.0
"""Articles: of a source with few of them nobody knows what is its own."""

SPECIAL = 0.4
"""A source whose articles are so near to the subject in the middle is about it."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SourceStyles:
    columns: ProfileColumns
    sources: Ints
    """Of each article."""
    others: Mask
    """The articles that seem to be on other subjects, of all sources that the reader has."""
    known: Mapping[int, float]
    """By source: how far what its other articles have is its own."""

    @classmethod
    def of(cls, columns: ProfileColumns, sources: Ints, pool: Ints, near: Floats) -> SourceStyles:
        """`near` says of each in the pool how near to the subject it seems: 0 in the middle."""
        others = np.zeros(columns.size, np.bool_)
        others[pool[near < 0]] = True
        those, of = np.unique(sources[pool], return_inverse=True)
        counts, plain = np.bincount(of), np.bincount(of, near < 0)
        general = np.clip(1 - np.bincount(of, near) / counts / SPECIAL, 0.0, 1.0)
        known = dict(zip(those.tolist(), (general * plain / (plain + DOUBT)).tolist(), strict=True))
        return cls(columns, sources, others, known if len(known) > 1 else {})

    def _of_best(self, best: Ints) -> list[tuple[Mask, float, Mask]]:
        """Of each source with some of the best: which of them, how far it is known, its others."""
        found = []
        for source in np.unique(self.sources[best]).tolist():
            if known := self.known.get(source, 0.0):
                mine = self.sources == source
                found.append((mine[best], known, self.others & mine))
        return found

    def meanings(self, best: Ints) -> Floats:
        """For each of the best what its source means anyway."""
        styles = np.zeros((len(best), self.columns.meanings.shape[1]), np.float32)
        if those := self._of_best(best):
            usual = self.columns.mean_apart(self.others)
            for mine, known, others in those:
                styles[mine] = known * (self.columns.mean_apart(others) - usual)
        return styles

    def words(self, best: Ints, places: Ints) -> Floats:
        """For each word how much more often than elsewhere it would be in articles of the sources
        that have the best.
        """
        more: Floats = np.zeros(len(places))
        those = self._of_best(best)
        if not those:
            return more
        at, users = self._users(places)
        usual = np.bincount(at, minlength=len(places)) / max(1, self.others.sum())
        for mine, known, others in those:
            often = np.bincount(at[others[users]], minlength=len(places)) / max(1, others.sum())
            more += known * mine.mean() * np.maximum(often - usual, 0.0)
        return more

    def _users(self, places: Ints) -> tuple[Ints, Ints]:
        """Of the others all that use one of these words, beside the number of the word."""
        starts, sizes = self.columns.starts[places], self.columns.users()[places]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        users = self.columns.articles[np.repeat(starts, sizes) + within]
        at, those = np.repeat(np.arange(len(places)), sizes), self.others[users]
        return at[those], users[those]
