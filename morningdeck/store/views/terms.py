"""What a search asks for: its words, phrases and beginnings of words."""

from __future__ import annotations

import re

from morningdeck.model import SearchTerm

MOST_TERMS = 16
ANY_WORD = re.compile(r"\w+")

_TERM = re.compile(r'"([^"]*)"|(\S+)')


def terms_of(folded: str) -> tuple[SearchTerm, ...]:
    """`"a phrase"`, `begin*`, and plain words; the last word of a query may be unfinished."""
    terms = []
    for phrase, word in _TERM.findall(folded)[:MOST_TERMS]:
        words = tuple(ANY_WORD.findall(phrase or word))
        if words:
            terms.append(SearchTerm(words, prefix=word.endswith("*")))
    if terms and not folded.rstrip().endswith('"'):
        terms[-1] = SearchTerm(terms[-1].words, prefix=True)
    return tuple(terms)
