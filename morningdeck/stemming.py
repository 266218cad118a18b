"""Words reduced to their stems, in the languages that Snowball knows."""

from __future__ import annotations

from functools import cache

from Stemmer import Stemmer  # type: ignore[import-not-found]  # ships no types

STEMMED = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
    "da": "danish",
    "sv": "swedish",
    "no": "norwegian",
    "fi": "finnish",
    "ru": "russian",
}


def stem_in(language: str, word: str) -> str:
    """`language` is one of those, the word in lower case."""
    stemmed: str = _stemmer(STEMMED[language]).stemWord(word)
    return stemmed


@cache
def _stemmer(algorithm: str) -> Stemmer:
    # Its own cache is what would make it unsafe to share between threads.
    return Stemmer(algorithm, 0)
