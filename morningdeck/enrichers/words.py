"""Words as all offline judgements see them: split, without filler, reduced to their stems."""

from __future__ import annotations

import re

from morningdeck.enrichers.stopwords import STOP_WORDS
from morningdeck.stemming import STEMMED, stem_in

FALLBACK_LANGUAGE = "en"

WORDS_REMEMBERED = 16_384
"""How many words; the pattern bounds their length, or hostile texts would fill the memory."""
WORD_PATTERN = re.compile(r"[^\W_]{1,64}(?:[’'.+&/-][^\W_]{1,64}){0,5}(?:\+\+|#)?")
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu|dell|nell|all|sull|dall|un)[’'](?=\w)")


def words_of(text: str) -> list[str]:
    """The words in their order, in lower case."""
    return [normalised(word) for word in WORD_PATTERN.findall(text)]


def normalised(word: str) -> str:
    """Lower case, without possessive endings and elided articles (`l'eau`)."""
    if word.isalnum():  # done as fast as remembered, and takes no memory
        return word.lower()
    lower = word.lower().replace("’", "'").removesuffix("'s")
    return _ELISION.sub("", lower)


def stop_words(language: str | None) -> frozenset[str]:
    return STOP_WORDS.get(language or "", STOP_WORDS[FALLBACK_LANGUAGE])


def telling(word: str, language: str | None) -> bool:
    """Whether a word in lower case can tell what a text is about."""
    if len(word) < _shortest(language) or word[0].isdigit():
        return False
    return word not in stop_words(language)


def _shortest(language: str | None) -> int:
    """Where the filler words are not known, length has to tell them."""
    return 2 if language is None or language in STOP_WORDS else 5


def stem(word: str, language: str | None) -> str:
    """Of a language without a stemmer as if it were English."""
    return stem_in(language if language in STEMMED else FALLBACK_LANGUAGE, word)
