"""What a reader has liked and disliked: articles near it gain or lose, and are told why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from morningdeck.enrichers.columns import Floats, Ints
from morningdeck.enrichers.profiles import meaning_of
from morningdeck.model.refining import RatedProfile

SWAY = 25.0
"""Points for what is as near as can be."""
FAR, NEAR = 0.35, 0.7
"""Cosines: from the first on it counts, from the second on in full."""
TOLD_POINTS = 5.0
"""Points from which on it is the reason."""
MOST_RATED = 200


@dataclass(frozen=True, slots=True)
class Taste:
    ids: tuple[tuple[int, int], ...]
    """Item and feedback: another taste has others."""
    titles: tuple[str, ...]
    signs: Floats
    meanings: Floats

    @property
    def liked(self) -> list[int]:
        return [item_id for item_id, feedback in self.ids if feedback > 0]

    def sway(self, meanings: Floats) -> tuple[Floats, Ints]:
        """For each article the points, and which of the rated ones moved it most."""
        cosines = meanings @ self.meanings.T
        moves = np.clip((cosines - FAR) / (NEAR - FAR), 0.0, 1.0) * self.signs
        points = SWAY * (np.maximum(moves.max(axis=1), 0) + np.minimum(moves.min(axis=1), 0))
        return points.astype(np.float32), np.abs(moves).argmax(axis=1)


def taste_of(rated: Sequence[RatedProfile], dimensions: int) -> Taste | None:
    """The latest first; None without any."""
    rated = rated[:MOST_RATED]
    if not rated:
        return None
    return Taste(
        tuple((one.item_id, one.feedback) for one in rated),
        tuple(one.title for one in rated),
        np.array([one.feedback for one in rated], np.float32),
        np.stack([meaning_of(one.profile.meaning, dimensions) for one in rated]),
    )
