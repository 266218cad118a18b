"""Stems as words of an index, marked so that no word of a text is taken for one.

A document has the stems of its own language beside its words; a word that is looked for, whose
language nobody knows, may have a stem in each. They do not say of which language they are: most
stems of a word are the same in all, and to ask for a dozen of them made a search slower
than it made it better.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from morningdeck.asked.words import FORMS_REMEMBERED, LONGEST_FORM, Form, fold, is_spaceless
from morningdeck.stemming import STEMMED, stem_in

SHORTEST_STEMMED = 3
MARK = "·"
"""Before a stem; no word has it."""
CYRILLIC = frozenset({"ru"})
_ALIKE = {"nb": "no", "nn": "no"}


def stemmed_language(code: str | None) -> str:
    """The language that there is a stemmer for, else empty."""
    if not code:
        return ""
    primary = code.partition("-")[0].lower()
    return primary if primary in STEMMED else _ALIKE.get(primary, "")


def stems_in(text: str, forms: Sequence[Form], language: str | None) -> list[Form]:
    """The stems of a text's words, where its language has any."""
    known = stemmed_language(language)
    if not known:
        return []
    found = ((one, _stem(known, text[one.start : one.end])) for one in forms)
    return [Form(stem, one.start, one.end) for one, stem in found if stem]


def stems_of(words: Sequence[str], language: str | None) -> list[str]:
    """As `stems_in`, of words as they are spelled."""
    known = stemmed_language(language)
    return [stem for word in words if (stem := _stem(known, word))] if known else []


def stems_asked(word: str) -> tuple[str, ...]:
    """Of a word in whatever language."""
    languages = CYRILLIC if _is_cyrillic(word) else STEMMED.keys() - CYRILLIC
    return tuple(sorted({stem for language in languages if (stem := _stem(language, word))}))


def _is_cyrillic(word: str) -> bool:
    return "\u0400" <= word[:1] < "\u0530"


def _stem(language: str, word: str) -> str:
    fits = SHORTEST_STEMMED <= len(word) <= LONGEST_FORM
    return _stem_that_fits(language, word) if fits else ""


@lru_cache(2 * FORMS_REMEMBERED)
def _stem_that_fits(language: str, word: str) -> str:
    if word.isdigit() or is_spaceless(word):
        return ""
    return MARK + fold(stem_in(language, word.lower()))
