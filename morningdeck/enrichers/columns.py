"""Many profiles side by side, as scores need them: for each word the articles that use it.

words     each word once, in order       starts   where its articles begin in `articles`
articles  the articles of each word      uses     how each of them uses it

There may be 20,000 articles, whose refining a daemon has to have room for: nothing stands here
twice, and nothing is wider than it must be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morningdeck.enrichers.profiles import (
    COUNT,
    IN_LEAD,
    IN_TITLE,
    WORD_BYTES,
    meaning_of,
)
from morningdeck.model.making import Profile

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]

K1, B = 1.2, 0.75
"""As everybody's BM25: a word that is used again counts ever less, in a long text even less."""
TITLE_WEIGHT, LEAD_WEIGHT = 3.0, 1.0
"""A word of the title counts as if the text had it three times more, one of the lead once more."""
OFTEN, MENTIONED = 3, 0.4
"""Uses in a text that make it one about a word, and what is left of a word that has less."""
FEW = 10.0
"""Articles of a language."""
FOREIGN_TRUST = 0.4
"""The vectors know English best; closeness in other languages is weaker evidence."""
TURNED_AT_ONCE = 1_000
"""Articles."""
TYPICAL_LENGTH = 150.0
"""Until there are articles to go by."""


@dataclass(frozen=True, slots=True)
class ProfileColumns:
    size: int
    languages: tuple[str, ...]
    """Of each article."""
    meanings: Floats
    scales: Floats
    """What makes each of unit length again, seen from the middle of its language; 0 for none. To
    keep them like that would double what they take.
    """
    middles: Mapping[str, Floats]
    trusted: Floats
    """How far each of the meanings can be believed."""
    words: NDArray[np.uint32]
    starts: Ints
    articles: Places
    uses: NDArray[np.uint8]
    """How each of them uses it, as profiles have it."""
    profiles: Sequence[Profile]
    lengths: Floats
    typical_length: float

    def where(self, key: int) -> slice:
        """Where in `articles` and `uses` a word's articles stand."""
        at = int(np.searchsorted(self.words, key))
        if at == len(self.words) or self.words[at] != key:
            return slice(0, 0)
        return slice(int(self.starts[at]), int(self.starts[at + 1]))

    def by_language(self, value: Callable[[str], float]) -> Floats:
        """For each article that of its language."""
        values = {language: value(language) for language in set(self.languages)}
        return np.array([values[language] for language in self.languages], np.float32)

    def apart(self, those: Ints) -> Floats:
        """The meanings of these, seen from the middle of their language, of unit length."""
        middle = np.stack([self.middles[self.languages[one]] for one in those.tolist()])
        seen: Floats = self.scales[those, np.newaxis] * (self.meanings[those] - middle)
        return seen

    def towards(self, direction: Floats) -> Floats:
        """How near each is to that direction, seen so."""
        of_middle = self.by_language(lambda language: float(self.middles[language] @ direction))
        near: Floats = self.scales * (self.meanings @ direction - of_middle)
        return near

    def mean_apart(self, those: NDArray[np.bool_]) -> Floats:
        """The mean of what these mean, seen so; by a product, as the rows would be a copy."""
        weights = self.scales * those
        of_language = dict.fromkeys(self.middles, 0.0)
        for language, weight in zip(self.languages, weights.tolist(), strict=True):
            of_language[language] += weight
        middles = sum((of_language[one] * middle for one, middle in self.middles.items()), start=0)
        total: Floats = (weights @ self.meanings - middles) / max(1, int(those.sum()))
        return total

    def weigh(self, weights: Mapping[int, float], *, alone: bool = False) -> Floats:
        """For each article the weights of the words that it uses, times what it makes of them; of a
        wish that is a word `alone`, by where that stands as well.
        """
        total: Floats = np.zeros(self.size, np.float32)
        for key, weight in weights.items():
            here = self.where(key)
            made = self._shares(here) * np.float32(weight)
            total[self.articles[here]] += made * prominence(self.uses[here]) if alone else made
        return total

    def weigh_one(self, article: int, weights: Mapping[int, float]) -> float:
        """As `weigh`, for one article alone."""
        total = 0.0
        for key, weight in weights.items():
            here = self.where(key)
            at = here.start + int(np.searchsorted(self.articles[here], article))
            if at < here.stop and self.articles[at] == article:
                total += float(self._shares(slice(at, at + 1))[0]) * weight
        return total

    def _shares(self, here: slice) -> Floats:
        """How much the articles there make of the word (BM25)."""
        lengths = self.lengths[self.articles[here]]
        return _shares(_counts(self.uses[here]), lengths, self.typical_length)

    def uses_of(self, keys: Iterable[int]) -> NDArray[np.uint8]:
        """How each article uses a word for which any of these stands; 0 where it does not."""
        found: NDArray[np.uint8] = np.zeros(self.size, np.uint8)
        for key in keys:
            here = self.where(key)
            found[self.articles[here]] |= self.uses[here]
        return found

    def users(self) -> Ints:
        """How many articles use each word."""
        counts: Ints = np.diff(self.starts)
        return counts

    def words_of_article(self, article: int) -> Ints:
        """Where each of its words stands in `words`."""
        found: Ints = np.searchsorted(self.words, _keys(self.profiles[article]))
        return found


def shares_of(profile: Profile, typical_length: float) -> tuple[NDArray[np.uint32], Floats, Floats]:
    """The words of one article, how much it makes of each, and how far it is about each."""
    keys = _keys(profile)
    uses = np.frombuffer(profile.words, "u1", len(keys), len(keys) * 4)
    counts = _counts(uses)
    return keys, _shares(counts, counts.sum(), typical_length), prominence(uses)


def prominence(uses: NDArray[np.uint8]) -> Floats:
    """How far an article is about a word: not by a mention or two somewhere in its text."""
    there = ((uses & (IN_TITLE | IN_LEAD)) > 0) | ((uses & COUNT) >= OFTEN)
    found: Floats = np.where(there, np.float32(1.0), np.float32(MENTIONED))
    return found


def _counts(uses: NDArray[np.uint8]) -> Floats:
    """How often each word counts as used."""
    title, lead = (uses & IN_TITLE) > 0, (uses & IN_LEAD) > 0
    counts: Floats = (uses & COUNT) + TITLE_WEIGHT * title + LEAD_WEIGHT * lead
    return counts.astype(np.float32)


def _shares(counts: Floats, lengths: Floats | np.floating[Any], typical_length: float) -> Floats:
    norm = K1 * (1 - B + B * lengths / max(typical_length, 1.0))
    shares: Floats = (counts * (K1 + 1) / (counts + norm)).astype(np.float32)
    return shares


def columns_of(
    profiles: Sequence[Profile], *, dimensions: int, typical_length: float | None = None
) -> ProfileColumns:
    """With a typical length where these articles alone cannot tell it."""
    words, starts, articles, uses = _by_word(profiles)
    lengths = np.bincount(articles, _counts(uses), len(profiles)).astype(np.float32)
    if typical_length is None:
        typical_length = float(lengths.mean()) if len(profiles) else TYPICAL_LENGTH
    meanings = np.zeros((len(profiles), dimensions), np.float32)
    for row, one in enumerate(profiles):
        meanings[row] = meaning_of(one.meaning, dimensions)
    languages = tuple(one.language for one in profiles)
    middles = _middles(meanings, languages)
    return ProfileColumns(
        size=len(profiles),
        languages=languages,
        meanings=meanings,
        scales=_scales(meanings, languages, middles),
        middles=middles,
        trusted=trust(languages),
        words=words,
        starts=starts,
        articles=articles,
        uses=uses,
        profiles=profiles,
        lengths=lengths,
        typical_length=typical_length,
    )


def _keys(profile: Profile) -> NDArray[np.uint32]:
    return np.frombuffer(profile.words, "<u4", len(profile.words) // WORD_BYTES)


def _by_word(
    profiles: Sequence[Profile],
) -> tuple[NDArray[np.uint32], Ints, Places, NDArray[np.uint8]]:
    """Each word once with where its articles begin; the articles, and how each uses it."""
    sizes = np.array([len(one.words) // WORD_BYTES for one in profiles], np.int64)
    pairs = list(zip(profiles, sizes.tolist(), strict=True))
    keys = np.frombuffer(b"".join(one.words[: 4 * size] for one, size in pairs), "<u4")
    order = np.argsort(keys, kind="stable").astype(np.int32)
    keys = keys[order]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    words = keys[starts]
    del keys
    uses = np.frombuffer(b"".join(one.words[4 * size :][:size] for one, size in pairs), "u1")
    owner = np.repeat(np.arange(len(profiles), dtype=np.int32), sizes)
    return words, np.append(starts, len(owner)), owner[order], uses[order]


def _scales(meanings: Floats, languages: Sequence[str], middles: Mapping[str, Floats]) -> Floats:
    """A few at a time."""
    found = np.zeros(len(meanings), np.float32)
    for start in range(0, len(meanings), TURNED_AT_ONCE):
        here = slice(start, start + TURNED_AT_ONCE)
        middle = np.stack([middles[one] for one in languages[here]])
        lengths = np.linalg.norm(meanings[here] - middle, axis=1)
        found[here] = meanings[here].any(axis=1) / np.maximum(lengths, 1e-6)
    return found


def _middles(meanings: Floats, languages: Sequence[str]) -> dict[str, Floats]:
    """The mean meaning of each language; where few articles have it, near that of all."""
    of = np.array(languages)
    everywhere = meanings.mean(axis=0) if len(meanings) else 0.0
    return {
        language: (meanings.sum(axis=0, where=(of == language)[:, np.newaxis]) + FEW * everywhere)
        / (float((of == language).sum()) + FEW)
        for language in set(languages)
    }


def apart_from(meanings: Floats, middle: Floats) -> Floats:
    """Seen from there, of unit length; none has no direction."""
    seen = np.where(meanings.any(axis=-1, keepdims=True), meanings - middle, 0.0)
    unit: Floats = (seen / np.maximum(np.linalg.norm(seen, axis=-1, keepdims=True), 1e-6)).astype(
        np.float32
    )
    return unit


def trust(languages: Sequence[str]) -> Floats:
    return np.array([1.0 if one == "en" else FOREIGN_TRUST for one in languages], np.float32)
