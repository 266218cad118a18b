"""A reader's criteria as scores need them: words by language, clauses by meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morningdeck.enrichers.classification import CATEGORY_NAMES
from morningdeck.enrichers.criteria import (
    LONGEST_CRITERIA,
    CriteriaPhrases,
    Phrase,
    clauses_of,
    phrases_of,
    standing_alone,
)
from morningdeck.enrichers.language import detect_language
from morningdeck.enrichers.profiles import KINDS, word_key, word_keys
from morningdeck.enrichers.words import normalised, words_of
from morningdeck.ports.verbs import Embedder

Floats = NDArray[np.floating[Any]]


SHARE, LEAST_WEIGHT, MOST_WEIGHT = 0.2, 0.1, 1.0
"""What a word weighs that has nothing to do with the others, and the bounds of all."""
SUBJECT = 0.5
"""What the name of a thing weighs at least, and what stands before a colon."""
_HEAD = re.compile(r"\s*([^:]{2,40}):\s")
_ARTICLE = re.compile(r"(?i:the|la|le|les|el|los|las|il|de|het|o|a|os|as)\s(?=[A-Z])")
"""Before a name."""
_NAME = re.compile(r"(?<![.:;!?] )(?<!^)\b[^\W\d_a-zà-ÿ][\w'’&/-]*|\b[^\W_]+[\dA-Z][\w&/-]*")


UNRELATED = 0.08
"""Subjects that have less in common than that, on average, are wishes of their own."""
FEWEST_NAMES, LONGEST_NAME, PLAINLY_UNRELATED = 3, 2, 0.3
"""So many names of subjects, each of so many words at most, are wishes of their own even where they
have more in common: whoever names three neighbours wants each.
"""


@dataclass(frozen=True, slots=True)
class WishPart:
    weights: Mapping[str, float]
    """Of each wanted word: how much it belongs to the others."""
    kinds: Mapping[str, int]
    """The words that name a whole kind of news, and what stands for that in articles."""
    meaning: Floats
    is_phrase: bool = False
    """It says no more than one phrase."""


@dataclass(frozen=True, slots=True)
class Wish:
    asked: CriteriaPhrases
    parts: tuple[WishPart, ...]
    """The whole first; then its sentences, if there are several: any of them will do."""
    clauses: Floats
    """The meaning of each clause, those without one left out."""
    spared: Floats
    """The same of what the reader wants to be spared."""
    spared_texts: tuple[str, ...]
    language: str | None = None


def wish_of(text: str, embedder: Embedder, dimensions: int, *, language: str | None = None) -> Wish:
    """In that language, where it is known: what is a part of a wish may be too short to show it."""
    language = language or detect_language(text)
    asked = phrases_of(text, language)
    clauses, _ = _meanings(asked.wanted_clauses, embedder, dimensions)
    spared, spared_texts = _meanings(asked.unwanted_clauses, embedder, dimensions)
    subjects = _subjects(text, language)
    several = len(asked.wanted_sentences) > 1
    parts = (asked.wanted, *(asked.wanted_sentences if several else ()))
    return Wish(
        asked,
        tuple(_part(phrases, subjects, embedder, dimensions) for phrases in parts),
        clauses,
        spared,
        spared_texts,
        language,
    )


def alternatives(wish: Wish, embedder: Embedder, dimensions: int) -> tuple[Wish, ...]:
    """ "Gold, shipping and jobs" are three wishes in one: an article about gold is all that was
    asked for. Of "tariffs, surpluses and protectionism" each says more of the same subject.
    """
    listed = wish.asked.listed
    most = PLAINLY_UNRELATED if _is_plain(listed) else UNRELATED
    if len(listed) < 2 or _in_common(listed, embedder) >= most:
        return ()
    return tuple(
        replace(
            one,
            asked=replace(
                one.asked,
                unwanted=wish.asked.unwanted,
                unwanted_clauses=wish.asked.unwanted_clauses,
                written=wish.asked.written,
            ),
            spared=wish.spared,
            spared_texts=wish.spared_texts,
        )
        for one in (wish_of(text, embedder, dimensions, language=wish.language) for text in listed)
    )


def _is_plain(listed: Sequence[str]) -> bool:
    """Nothing but names of subjects, as "stocks, bonds and interest rates"."""
    words = [words_of(_ARTICLE.sub("", text)) for text in listed]
    return len(listed) >= FEWEST_NAMES and all(1 <= len(those) <= LONGEST_NAME for those in words)


def _in_common(texts: Sequence[str], embedder: Embedder) -> float:
    """How near the meanings of two of them are to each other, on average."""
    vectors = [np.frombuffer(vector, "<f4") for vector in embedder.embed(texts) if vector]
    if len(vectors) < len(texts):
        return 1.0
    near = [float(one @ other) for one, other in combinations(vectors, 2)]
    return sum(near) / len(near)


def _part(
    phrases: Sequence[Phrase], subjects: frozenset[str], embedder: Embedder, dimensions: int
) -> WishPart:
    words = tuple(dict.fromkeys(word for phrase in phrases for word in phrase))
    meaning, _ = _meanings((" ".join(map(" ".join, phrases)),), embedder, dimensions)
    return WishPart(
        _weights(words, subjects, embedder),
        {phrase[0]: kind for phrase in phrases if (kind := kind_of(phrase)) is not None},
        meaning[0] if len(meaning) else np.zeros(dimensions, np.float32),
        is_phrase=len(phrases) == 1,
    )


def _subjects(text: str, language: str | None) -> frozenset[str]:
    """The words that name the subject: those before a colon, and names. All of a wish in a language
    whose words the vectors do not know well enough to tell which belong together.
    """
    found: set[str] = set()
    foreign = language not in (None, "en")
    for clause, spared in clauses_of(text[:LONGEST_CRITERIA]):
        if not spared:
            found.update(words_of(" ".join(standing_alone(clause))) if foreign else ())
            head = _HEAD.match(clause)
            found.update(words_of(head[1] if head else ""))
            found.update(normalised(name[0]) for name in _NAME.finditer(clause.strip()))
    return frozenset(found)


def _weights(
    words: tuple[str, ...], subjects: frozenset[str], embedder: Embedder
) -> dict[str, float]:
    """In "how fast the money supply grows" money and supply weigh more than fast and grows, by
    the meaning that each of them shares with all others together.
    """
    if len(words) < 2:
        return dict.fromkeys(words, MOST_WEIGHT)
    empty = b"\0" * 4
    vectors = [np.frombuffer(vector or empty, "<f4") for vector in embedder.embed(words)]
    total = sum(vectors, start=np.zeros(1, np.float32))
    found = {}
    for word, vector in zip(words, vectors, strict=True):
        others = total - vector
        alike = float((vector * others).sum()) / max(float(np.linalg.norm(others)), 1e-6)
        least = SUBJECT if word in subjects else LEAST_WEIGHT
        found[word] = min(max(SHARE + alike, least), MOST_WEIGHT)
    return found


def _meanings(
    texts: tuple[str, ...], embedder: Embedder, dimensions: int
) -> tuple[Floats, tuple[str, ...]]:
    vectors = zip(texts, embedder.embed(texts), strict=True)
    known = [(text, np.frombuffer(vector, "<f4")) for text, vector in vectors if vector]
    rows = [vector for _, vector in known]
    stacked = np.stack(rows) if rows else np.zeros((0, dimensions), np.float32)
    return stacked, tuple(text for text, _ in known)


def keys_for(word: str, language: str) -> tuple[int, ...]:
    """What stands for a wanted word in articles of that language; any of them will do."""
    keys = word_keys(word, language)
    return keys[1:] if len(keys) > 2 else keys


def kind_of(phrase: Phrase) -> int | None:
    """The word for the kind of news that a phrase names: "sports" for a football match."""
    name = CATEGORY_NAMES.get(phrase[0]) if len(phrase) == 1 else None
    return None if name is None else word_key(name, KINDS)


def phrase_keys(phrase: Phrase, language: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each word of a phrase that tells anything in that language, and what stands for it."""
    for word in phrase:
        if keys := keys_for(word, language):
            yield word, keys
