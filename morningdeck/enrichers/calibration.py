"""From evidence to a promise: 40 and more is on the subject, 60 surely, 80 what it is about.

The weights were fitted on newswire and on headlines, each holds on the other; what is fitted
knows nothing of a subject, nor of how common it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

OWN_WEIGHT, MORE_WEIGHT, NEAR_WEIGHT, MEANING_WEIGHT, OFFSET = 6.0, 4.0, 9.0, 7.0, -6.5
"""The odds, as a logarithm, that an article is on the subject of a wish that has learnt."""
OWN_ALONE, MEANING_ALONE, OFFSET_ALONE = 10.5, 14.0, -6.6
"""And of one that has not."""
ODDS = (-8.0, -5.5, -4.5, -1.1, 0.25, 2.6, 6.0, 15.0)
POINTS = (0.0, 10.5, 16.0, 40.0, 60.0, 80.0, 95.0, 100.0)
MOST_MORE = 1.5
WEAK, STRONG = 0.1, 0.4
"""What the best have of the ideal: below the first they teach nothing, from the second on all."""
ENOUGH_GOOD = 3
"""Fewer good articles teach less."""
LEAST_MORE = 8.0
"""What the best have of the words that they share beyond what all have of them, or they share none:
of two articles on different subjects, many others have as much as each has of the other.
"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """For each article, or for each wish: what speaks for the one being on the other's subject."""

    own: Floats
    """The share of the ideal by the wish's own words."""
    more: Floats
    """What it has of the words that the best share."""
    meaning: Floats
    """The cosine to the wish."""
    near: Floats
    """The cosine to what the best have in common."""

    def of(self, place: int) -> Evidence:
        """Of one alone."""
        here = slice(place, place + 1)
        return Evidence(self.own[here], self.more[here], self.meaning[here], self.near[here])


@dataclass(frozen=True, slots=True)
class Belief:
    """How far a wish's lesson can be believed, and what counts as much of its words."""

    learnt: Floats | float = 0.0
    """1 for a wish that has learnt, though perhaps in vain."""
    strength: Floats | float = 0.0
    middle: Floats | float = 0.0
    head: Floats | float = 1.0

    @classmethod
    def taught(cls, own: float, good: int, middle: float, head: float) -> Belief:
        """`own` is what the best have of the ideal, `good` how many of them are good; `middle` what
        all have of the words that the best share, `head` what each of these has of the others'.

        Good ones without anything in common teach nothing: then the wish's own words count alone.
        """
        kept = min(max((own - WEAK) / (STRONG - WEAK), 0.0), 1.0)
        strength = kept * min(1.0, (good + 1) / (ENOUGH_GOOD + 1))
        alike = min(max((head - middle) / LEAST_MORE, 0.0), 1.0)
        learnt = 1.0 - kept * (1.0 - alike)
        return cls(learnt, strength * alike, middle, max(head, middle + LEAST_MORE))

    @classmethod
    def of_all(cls, beliefs: Sequence[Belief]) -> Belief:
        columns = zip(
            *((one.learnt, one.strength, one.middle, one.head) for one in beliefs), strict=True
        )
        return cls(*(np.array(column, np.float32) for column in columns))


def calibrated(evidence: Evidence, belief: Belief) -> Floats:
    """Points from 0 to 100, for many articles or for many wishes."""
    more = np.clip((evidence.more - belief.middle) / (belief.head - belief.middle), 0.0, MOST_MORE)
    lesson = OFFSET + OWN_WEIGHT * evidence.own + MEANING_WEIGHT * evidence.meaning
    lesson = lesson + belief.strength * (MORE_WEIGHT * more + NEAR_WEIGHT * evidence.near)
    alone = OFFSET_ALONE + OWN_ALONE * evidence.own + MEANING_ALONE * evidence.meaning
    odds = belief.learnt * lesson + (1.0 - np.asarray(belief.learnt)) * alone
    points = np.interp(odds, ODDS, POINTS).astype(np.float32)
    speaks: Floats = np.where((evidence.own > 0) | (evidence.meaning != 0), points, 0.0)
    return speaks
