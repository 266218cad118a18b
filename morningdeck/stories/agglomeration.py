"""Groups of points, joined while any two are close on average (UPGMA): pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from morningdeck.stories.rules import Numbers

WholeNumbers = NDArray[np.int64]
NO_LONGER = np.float32(-2)
"""Below any cosine."""


def groups_of(features: Numbers, weights: WholeNumbers, near: float) -> WholeNumbers:
    """For each row the number of its group. Rows are of unit length; a weighty row counts more.

    The memory is the square of the rows, the time little more: each join is a few passes over
    a row, and asks those anew whose nearest it was.
    """
    close = features @ features.T
    np.fill_diagonal(close, NO_LONGER)
    weight = weights.astype(np.float32)
    group = np.arange(len(features))
    if len(features) < 2:
        return group
    nearest = close.argmax(axis=1)
    nearness = close[group, nearest]
    while True:
        one = int(nearness.argmax())
        if nearness[one] < near:
            return group
        other = int(nearest[one])
        joined = weight[one] * close[one] + weight[other] * close[other]
        joined /= weight[one] + weight[other]
        joined[close[one] == NO_LONGER] = NO_LONGER  # itself, and those that have joined others
        joined[other] = NO_LONGER
        weight[one] += weight[other]
        group[group == other] = one
        close[one], close[:, one] = joined, joined
        close[other], close[:, other] = NO_LONGER, NO_LONGER
        nearness[other] = NO_LONGER
        closer = joined > nearness
        closer[other] = False
        nearest[closer], nearness[closer] = one, joined[closer]
        anew = np.flatnonzero(~closer & ((nearest == one) | (nearest == other)))
        for row in {one, *anew.tolist()} - {other}:
            nearest[row] = close[row].argmax()
            nearness[row] = close[row, nearest[row]]
