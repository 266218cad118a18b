"""What the news of some weeks turns around: themes, each of several stories.

points    the items of a story are one: what they mean on average, and the words of a title
seeds     of those that no theme has, the most told and an even choice of the others; while two
          groups of them are close on average, they become one
rest      every other story goes to the theme whose middle it is closest to, if it is close enough

Where there are more stories than seeds, what is left over seeds again. An item costs some 400
bytes until that is done, in slices of a few megabytes more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morningdeck.model.themes import FoundTheme, ThemeItem
from morningdeck.stories.agglomeration import WholeNumbers, groups_of
from morningdeck.stories.likeness import CODE_BYTES, MARKS, in_whole_numbers, whole_words
from morningdeck.stories.rules import Numbers

SKETCH = 256
"""Numbers that stand for the words of a title: a sketch in which two words seldom meet."""
SHARE_OF_WORDS = 0.25
"""How much the words count, the meaning the rest: a subject is told in many words."""
MOST_SEEDS = 2_000
MOST_ROUNDS = 4
CLOSENESS_STEPS = (0.2, 0.27, 0.34, 0.41)
"""How close groups are on average that are one: at first, and where what they have is too little
in common to be named.
"""
REST_NEARER = 0.04
"""A story goes to the middle of a theme that is so much closer than that."""
SMALLEST_THEME = 3
ROWS_AT_ONCE = 2_048
FULL = 127
_MIX, _SIGN = np.uint32(2_654_435_761), np.uint32(1 << 30)


class ThemeFinder:
    def __init__(self, *, dimensions: int, most_seeds: int = MOST_SEEDS) -> None:
        self._dimensions = dimensions
        self._most_seeds = most_seeds
        self._ids: list[WholeNumbers] = []
        self._stories: list[WholeNumbers] = []
        self._recent: list[NDArray[np.bool_]] = []
        self._vectors: list[NDArray[np.int8]] = []
        self._words: list[NDArray[np.uint32]] = []
        self._lengths: list[WholeNumbers] = []

    def look(self, those: Sequence[ThemeItem]) -> None:
        if not those:
            return
        whole = b"".join(in_whole_numbers(one.vector, self._dimensions) for one in those)
        titles = [whole_words(one.title_words) for one in those]
        words = np.frombuffer(b"".join(titles), "<u4")
        self._ids.append(_whole(one.item_id for one in those))
        self._stories.append(_whole(one.story_id for one in those))
        self._recent.append(np.array([one.recent for one in those], np.bool_))
        self._vectors.append(np.frombuffer(whole, np.int8).reshape(len(those), -1))
        self._words.append(words.astype(np.uint32) & ~np.uint32(MARKS))
        self._lengths.append(_whole(len(title) // CODE_BYTES for title in titles))

    def themes(self, most: int) -> list[FoundTheme]:
        """Those that most stories speak of first. What was looked at is let go of."""
        if not self._ids:
            return []
        stories, recent = _poured(self._stories), _poured(self._recent)
        ids, of_item = np.unique(stories, return_inverse=True)
        titles = _Titles(_poured(self._words), _poured(self._lengths))
        self._points = _points(ids, of_item, _poured(self._vectors), titles)
        self._items = _Items(_poured(self._ids), stories, recent, of_item)
        known = np.flatnonzero(self._points.vectors.any(axis=1))
        return self._found(known, CLOSENESS_STEPS[0])[:most]

    def parts(self, theme: FoundTheme) -> list[FoundTheme]:
        """What is closer to each other in it; nothing where there is nothing closer to find."""
        stricter = [near for near in CLOSENESS_STEPS if near > theme.near]
        if not stricter or theme.this_week + theme.week_before < 2 * SMALLEST_THEME:
            return []
        stories = np.unique([story for _, story in theme.items])
        return self._found(np.searchsorted(self._points.ids, stories), stricter[0])

    def _found(self, rows: WholeNumbers, near: float) -> list[FoundTheme]:
        themes = _theme_of(self._points, rows, near, self._most_seeds)
        return _told(self._items, themes, near)


@dataclass(frozen=True, slots=True)
class _Items:
    ids: WholeNumbers
    stories: WholeNumbers
    recent: NDArray[np.bool_]
    rows: WholeNumbers
    """Of their stories among the points."""


@dataclass(frozen=True, slots=True)
class _Titles:
    """Their words one after the other, and how many each has."""

    words: NDArray[np.uint32]
    lengths: WholeNumbers


def _whole(numbers: Iterable[int]) -> WholeNumbers:
    return np.fromiter(numbers, np.int64)


def _poured(slices: list[NDArray[Any]]) -> NDArray[Any]:
    """Side by side; each slice is let go of, so that there are never two of everything."""
    size = sum(map(len, slices))
    whole = np.empty((size, *slices[0].shape[1:]), slices[0].dtype)
    while slices:
        last = slices.pop()
        whole[size - len(last) : size] = last
        size -= len(last)
    return whole


@dataclass(frozen=True, slots=True)
class _Points:
    """The stories, each in a row."""

    ids: WholeNumbers
    tellers: WholeNumbers
    """How many items each has."""
    vectors: NDArray[np.int8]
    words: NDArray[np.uint32]
    starts: WholeNumbers
    """Where in `words` those of each begin, and where the last ends."""
    rarity: Numbers
    """Of each of the words."""

    def features(self, rows: WholeNumbers) -> Numbers:
        """Of unit length: the meaning, then the sketch of the words."""
        meaning = _unit(self.vectors[rows].astype(np.float32)) * np.sqrt(1 - SHARE_OF_WORDS)
        sketch = _unit(self._sketches(rows)) * np.sqrt(SHARE_OF_WORDS)
        return _unit(np.hstack([meaning, sketch]).astype(np.float32))

    def _sketches(self, rows: WholeNumbers) -> Numbers:
        sizes = self.starts[rows + 1] - self.starts[rows]
        owners = np.repeat(np.arange(len(rows)), sizes)
        firsts = np.repeat(self.starts[rows] - np.append(0, np.cumsum(sizes)[:-1]), sizes)
        at = firsts + np.arange(len(owners))
        mixed = self.words[at] * _MIX
        places = owners * SKETCH + (mixed >> np.uint32(8)) % SKETCH
        signed = np.where(mixed & _SIGN, self.rarity[at], -self.rarity[at])
        flat = np.bincount(places, signed, len(rows) * SKETCH)
        sketches: Numbers = flat.reshape(len(rows), SKETCH).astype(np.float32)
        return sketches


def _points(
    ids: WholeNumbers, of_item: WholeNumbers, told: NDArray[np.int8], titles: _Titles
) -> _Points:
    order = np.argsort(of_item, kind="stable")
    tellers = np.bincount(of_item, minlength=len(ids))
    firsts = np.append(0, np.cumsum(tellers)[:-1])
    vectors = np.empty((len(ids), told.shape[1]), np.int8)
    for start in range(0, len(ids), ROWS_AT_ONCE):
        here = slice(start, start + ROWS_AT_ONCE)
        begin = int(firsts[start])
        rows = _unit(told[order[begin : begin + int(tellers[here].sum())]].astype(np.float32))
        sums = np.add.reduceat(rows, firsts[here] - begin, axis=0)
        vectors[here] = np.rint(_unit(sums) * FULL)
    first = order[firsts]  # of each story the title that was shown first
    sizes, starts = titles.lengths[first], np.append(0, np.cumsum(titles.lengths[first]))
    begins = np.repeat(np.cumsum(titles.lengths)[first] - sizes - starts[:-1], sizes)
    words = titles.words[begins + np.arange(int(starts[-1]))]
    _, places, users = np.unique(words, return_inverse=True, return_counts=True)
    rarity = np.log1p(len(ids) / users).astype(np.float32)[places]
    return _Points(ids, tellers, vectors, words, starts, rarity)


def _theme_of(points: _Points, left: WholeNumbers, near: float, most_seeds: int) -> WholeNumbers:
    """For each story the number of its theme, -1 for none and for those that are not asked."""
    theme_of = np.full(len(points.ids), -1, np.int64)
    for _ in range(MOST_ROUNDS):
        seeds = _seeds(points, left, most_seeds)
        features = points.features(seeds)
        groups = groups_of(features, points.tellers[seeds], near)
        numbers, sizes = np.unique(groups, return_counts=True)
        first = int(theme_of.max(initial=-1)) + 1
        middles: list[Numbers] = []
        for number in numbers[sizes > 1]:
            inside = groups == number
            theme_of[seeds[inside]] = first + len(middles)
            middles.append(features[inside].sum(axis=0))
        left = left[theme_of[left] < 0]
        if middles:
            nearest = _nearest(points, left, _unit(np.stack(middles)), near + REST_NEARER)
            theme_of[left] = np.where(nearest < 0, -1, first + nearest)
        left = left[theme_of[left] < 0]
        if len(seeds) < most_seeds or not len(left):
            break
    return theme_of


def _seeds(points: _Points, left: WholeNumbers, most: int) -> WholeNumbers:
    """The choice is the same from night to night, as far as the stories are."""
    chance = (points.ids[left].astype(np.uint32) * _MIX).astype(np.int64)
    order = np.lexsort((chance, -points.tellers[left]))
    return np.sort(left[order[:most]])


def _nearest(points: _Points, rows: WholeNumbers, middles: Numbers, near: float) -> WholeNumbers:
    """For each of the rows the middle that it is closest to; -1 where none is close enough."""
    found = np.full(len(rows), -1, np.int64)
    for start in range(0, len(rows), ROWS_AT_ONCE):
        here = slice(start, start + ROWS_AT_ONCE)
        close = points.features(rows[here]) @ middles.T
        best = close.argmax(axis=1)
        is_near = close[np.arange(len(best)), best] >= near
        found[here] = np.where(is_near, best, -1)
    return found


def _told(items: _Items, theme_of: WholeNumbers, near: float) -> list[FoundTheme]:
    numbers, sizes = np.unique(theme_of[theme_of >= 0], return_counts=True)
    themes, found = theme_of[items.rows], []
    for at in np.lexsort((numbers, -sizes)):
        if sizes[at] < SMALLEST_THEME:
            break
        here = np.flatnonzero(themes == numbers[at])
        stories, recent = items.stories[here], items.recent[here]
        found.append(
            FoundTheme(
                tuple(zip(items.ids[here].tolist(), stories.tolist(), strict=True)),
                this_week=len(np.unique(stories[recent])),
                week_before=len(np.unique(stories[~recent])),
                near=near,
            )
        )
    return found


def _unit(rows: Numbers) -> Numbers:
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    unit: Numbers = (rows / np.maximum(lengths, np.float32(1e-6))[:, None]).astype(np.float32)
    return unit
