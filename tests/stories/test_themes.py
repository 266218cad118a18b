"""Themes among many stories, and groups of points."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from morningdeck.model.themes import FoundTheme, ThemeItem
from morningdeck.stories.agglomeration import groups_of
from morningdeck.stories.themes import ThemeFinder

DIMENSIONS = 256


def around(seed: int, count: int, spread: float) -> NDArray[np.float32]:
    """So many unit vectors around one direction."""
    chance = np.random.default_rng(seed)
    rows = chance.normal(size=DIMENSIONS) + spread * chance.normal(size=(count, DIMENSIONS))
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit.astype(np.float32)


def items(vectors: NDArray[np.float32], first: int = 1, *, recent: bool = True) -> list[ThemeItem]:
    packed = np.rint(vectors * 127).astype(np.int8)
    return [
        ThemeItem(first + at, first + at, recent, row.tobytes(), b"")
        for at, row in enumerate(packed)
    ]


def found(*slices: list[ThemeItem], most: int = 10) -> list[FoundTheme]:
    finder = ThemeFinder(dimensions=DIMENSIONS)
    for those in slices:
        finder.look(those)
    return finder.themes(most)


def ids(theme: FoundTheme) -> set[int]:
    return {item for item, _ in theme.items}


def test_what_lies_together_is_a_theme_the_largest_first() -> None:
    small, large = items(around(1, 4, 0.3)), items(around(2, 7, 0.3), first=11)

    first, second = found(small, large)

    assert (ids(first), first.this_week) == (set(range(11, 18)), 7)
    assert (ids(second), second.this_week) == ({1, 2, 3, 4}, 4)
    assert found(small, large, most=1) == [first]


def test_less_than_three_stories_are_no_theme() -> None:
    assert found(items(around(1, 2, 0.1))) == []
    assert found([]) == []
    assert found() == []


def test_a_story_is_one_point_however_many_tell_it() -> None:
    told = [
        ThemeItem(n, 1, True, one.vector, b"") for n, one in enumerate(items(around(1, 9, 0.1)))
    ]

    assert found(told, items(around(1, 1, 0.1), first=100)) == []


def test_weeks_are_counted_apart() -> None:
    now, before = items(around(1, 3, 0.2)), items(around(1, 2, 0.2), first=11, recent=False)

    (theme,) = found(now, before)

    assert (theme.this_week, theme.week_before) == (3, 2)


def test_what_has_no_meaning_belongs_to_nothing() -> None:
    dumb = [ThemeItem(n, n, True, b"", b"") for n in range(50, 60)]
    damaged = [ThemeItem(99, 99, True, b"\1\2", b"\1\2\3")]

    (theme,) = found(dumb, damaged, items(around(1, 3, 0.2)))

    assert ids(theme) == {1, 2, 3}


def test_parts_of_a_theme_are_closer_to_each_other() -> None:
    one, other = around(1, 6, 0.3), around(2, 6, 0.3)
    common = around(3, 1, 0.0)[0] * 0.75
    mixed = np.concatenate([one + common, other + common])
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    finder = ThemeFinder(dimensions=DIMENSIONS)
    finder.look(items(mixed))
    (whole,) = finder.themes(10)

    parts = [whole]
    while len(parts) == 1:
        parts = finder.parts(parts[0])

    assert sorted(map(sorted, map(ids, parts))) == [list(range(1, 7)), list(range(7, 13))]


def test_more_stories_than_seeds_are_found_in_rounds() -> None:
    finder = ThemeFinder(dimensions=DIMENSIONS, most_seeds=60)
    for seed in range(6):
        finder.look(items(around(seed, 40, 0.3), first=1 + 100 * seed))

    themes = finder.themes(10)

    assert len(themes) == 6
    assert [len(theme.items) for theme in themes] == [40] * 6


def test_groups_join_while_two_are_close_on_average() -> None:
    rows = np.concatenate([around(1, 5, 0.2), around(2, 5, 0.2), around(3, 1, 0.0)])

    groups = groups_of(rows, np.ones(11, np.int64), 0.4)

    assert len(set(groups[:5])) == len(set(groups[5:10])) == 1
    assert len(set(groups)) == 3


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_points_are_groups_too(count: int) -> None:
    rows = around(1, count, 0.0)

    assert len(groups_of(rows, np.ones(count, np.int64), 0.9)) == count


def test_groups_are_those_of_the_plain_way() -> None:
    """Compared with joining the closest pair of all, one after the other, by the definition."""
    rows = np.concatenate([around(seed, 6, 0.9) for seed in range(6)])
    sets = [{row} for row in range(len(rows))]
    close = rows @ rows.T

    def average(one: set[int], other: set[int]) -> float:
        return float(close[np.ix_(sorted(one), sorted(other))].mean())

    while len(sets) > 1:
        pairs = [(a, b) for a in range(len(sets)) for b in range(a)]
        value, a, b = max((average(sets[a], sets[b]), a, b) for a, b in pairs)
        if value < 0.35:
            break
        sets[b] |= sets.pop(a)

    groups = groups_of(rows, np.ones(len(rows), np.int64), 0.35)
    ours = {frozenset(np.flatnonzero(groups == one).tolist()) for one in set(groups.tolist())}
    assert ours == set(map(frozenset, sets))
