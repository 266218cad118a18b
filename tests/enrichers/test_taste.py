"""What a reader has liked moves what is near it."""

from __future__ import annotations

import numpy as np
import pytest

from morningdeck.enrichers.columns import Floats
from morningdeck.enrichers.taste import FAR, MOST_RATED, NEAR, SWAY, Taste, taste_of
from morningdeck.model.making import Profile
from morningdeck.model.refining import RatedProfile


def at(cosine: float) -> Floats:
    """A meaning so near to the first axis."""
    return np.array([cosine, np.sqrt(1 - cosine**2), 0.0, 0.0], np.float32)


def rated(number: int, feedback: int, meaning: Floats) -> RatedProfile:
    rounded = np.round(meaning * 127).astype("i1").tobytes()
    return RatedProfile(number, f"Article {number}", feedback, Profile("en", b"", rounded))


def taste(*those: RatedProfile) -> Taste:
    found = taste_of(those, 4)
    assert found is not None
    return found


def points(of: Taste, *cosines: float) -> list[float]:
    moved, _ = of.sway(np.stack([at(cosine) for cosine in cosines]))
    return [round(float(one), 1) for one in moved]


def test_who_has_rated_nothing_has_no_taste() -> None:
    assert taste_of([], 4) is None


def test_what_is_near_moves_most_and_what_is_far_not_at_all() -> None:
    liked = taste(rated(1, 1, at(1.0)))

    far, little, near = points(liked, FAR - 0.05, (FAR + NEAR) / 2, 0.95)

    assert (far, near) == (0.0, SWAY)
    assert little == pytest.approx(SWAY / 2, abs=0.3)


def test_the_nearest_of_each_kind_counts_however_many_there_are() -> None:
    several = taste(*(rated(number, 1, at(1.0)) for number in range(5)))
    both = taste(rated(1, 1, at(1.0)), rated(2, -1, at(1.0)))

    assert points(several, 1.0) == [SWAY]
    assert points(both, 1.0) == [0.0]


def test_the_one_that_moved_it_most_is_named() -> None:
    two = taste(rated(1, 1, at(0.0)), rated(2, -1, at(1.0)))

    _, names = two.sway(np.stack([at(0.9), at(0.1)]))

    assert [two.titles[name] for name in names] == ["Article 2", "Article 1"]
    assert two.liked == [1]


def test_only_the_latest_are_weighed() -> None:
    many = taste(*(rated(number, 1, at(0.5)) for number in range(MOST_RATED + 50)))

    assert [item for item, _ in many.ids] == list(range(MOST_RATED))
