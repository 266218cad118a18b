"""What scores know of an article, in about a kilobyte: which words it uses where, what it means.

A word is kept as a number made of its language and its stem; with it goes one byte: two bits
for title and lead, six for how often the text has it. The meaning is the article's embedding,
each of its numbers rounded to a byte.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import chain
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from morningdeck.enrichers.document import LEAD_SENTENCES, Document
from morningdeck.enrichers.words import (
    FALLBACK_LANGUAGE,
    WORD_PATTERN,
    WORDS_REMEMBERED,
    normalised,
    stem,
    stop_words,
)
from morningdeck.model.making import Profile

MOST_WORDS = 400
"""Different ones; of longer texts those that are used most."""
IN_TITLE, IN_LEAD, COUNT = 0x80, 0x40, 0x3F
WORD_BYTES = 5
KINDS = "kind"
"""As if it were a language: the word for what kind of news an article is."""

_NUMBER = re.compile(r"[\d.,]+")
_PARTS = re.compile(r"[-/&]")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


def make_profile(document: Document, subject: str, vector: bytes) -> Profile:
    """`subject` is the kind of news it is; the vector may be empty."""
    language = document.language or FALLBACK_LANGUAGE
    told = [keys_of(sentence.text, language) for sentence in document.sentences]
    lead = set(chain.from_iterable(told[:LEAD_SENTENCES]))
    counts = Counter(chain.from_iterable(told))
    uses = {
        key: min(count, COUNT) | (IN_LEAD if key in lead else 0) for key, count in counts.items()
    }
    for key in keys_of(document.title, language):
        uses[key] = uses.get(key, 0) | IN_TITLE
    uses[word_key(subject, KINDS)] = 1
    kept = sorted(uses)
    if len(kept) > MOST_WORDS:
        kept = sorted(sorted(uses, key=lambda key: -uses[key])[:MOST_WORDS])
    words = np.array(kept, "<u4").tobytes() + bytes(uses[key] for key in kept)
    return Profile(language, words, _rounded(vector))


def keys_of(text: str, language: str) -> list[int]:
    """The numbers of the words that can tell what a text is about, in their order."""
    found = WORD_PATTERN.findall(text)
    return [key for word in found for key in _keys_as_written(word, language)]


@lru_cache(WORDS_REMEMBERED)
def _keys_as_written(word: str, language: str) -> tuple[int, ...]:
    return word_keys(normalised(word), language)


def word_keys(word: str, language: str) -> tuple[int, ...]:
    """Of a word in lower case: itself, and its parts where it is put together with hyphens."""
    idle = stop_words(language)
    if word.isascii() and word.isalpha():
        return (word_key(word, language),) if len(word) > 1 and word not in idle else ()
    parts = [word, *_PARTS.split(word)] if _PARTS.search(word) else [word]
    if _UNSPACED.search(word):
        parts = [pair for run in _UNSPACED.findall(word) for pair in _pairs(run)]
    return tuple(word_key(part, language) for part in parts if _tells(part, idle))


def _pairs(run: str) -> list[str]:
    """Scripts without spaces are read as overlapping pairs of characters."""
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def _tells(word: str, idle: frozenset[str]) -> bool:
    long_enough = len(word) > 1 or bool(_UNSPACED.match(word))
    return long_enough and not _NUMBER.fullmatch(word) and word not in idle


def word_key(word: str, language: str) -> int:
    return crc32(f"{language}\0{stem(word, language)}".encode("utf-8", "replace"))


def _rounded(vector: bytes) -> bytes:
    if not vector:
        return b""
    numbers = np.frombuffer(vector, "<f4")
    largest = float(np.abs(numbers).max())
    return np.rint(numbers * (127 / largest)).astype("i1").tobytes() if largest else b""


def meaning_of(rounded: bytes, dimensions: int) -> NDArray[np.float32]:
    """A vector of unit length; zeros where there is none."""
    numbers = np.frombuffer(rounded, "i1").astype(np.float32)
    if len(numbers) != dimensions:
        return np.zeros(dimensions, np.float32)
    unit: NDArray[np.float32] = numbers / np.linalg.norm(numbers)
    return unit
