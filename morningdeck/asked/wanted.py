"""What an index must hold where a term is met."""

from __future__ import annotations

import re
from dataclasses import dataclass

from morningdeck.asked.stems import stems_asked
from morningdeck.asked.words import Form, Joined, forms_in, is_spaceless, joined_in
from morningdeck.model.query import AllOf, AnyOf, Asks, Place, Term, Without

SHORTEST_BEGINNING = 3
"""Characters of an unfinished word; with fewer, nearly everything would be found."""
MOST_OF_A_PHRASE = 64
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """`phrase` or one of `instead`, and all of `besides`; there is at least one of the three."""

    phrase: tuple[str, ...] = ()
    """Words side by side."""
    open_end: bool = False
    """The last of them may go on; a whole one is the better match."""
    instead: tuple[str, ...] = ()
    """Single words: written without signs, and stems."""
    besides: tuple[str, ...] = ()
    """Single words with their signs: C++ is more than a C."""
    place: Place = ""


def wanted(term: Term) -> Wanted:
    text = term.text if term.quoted else _POSSESSIVE.sub("", term.text)
    forms, joined = forms_in(text), joined_in(text)
    besides = tuple(one.form for one in joined if one.strict)[:MOST_OF_A_PHRASE]
    phrase, open_end = _ended(tuple(one.form for one in forms), forms, term)
    if len(phrase) > MOST_OF_A_PHRASE:
        phrase, open_end = phrase[:MOST_OF_A_PHRASE], False
    if besides and _is_all(joined, forms):
        phrase, open_end = (), False
    instead: tuple[str, ...] = ()
    if not term.quoted and not term.prefix and phrase:
        whole = (one.form for one in joined if not one.strict and _is_all([one], forms))
        instead = tuple(form for form in whole if len(form) >= SHORTEST_BEGINNING)  # U.S. is no us
        if len(forms) == 1:
            instead += stems_asked(text[forms[0].start : forms[0].end])
    return Wanted(phrase, open_end, instead, besides, term.place)


def _ended(phrase: tuple[str, ...], forms: list[Form], term: Term) -> tuple[tuple[str, ...], bool]:
    """Without the character that ends a run of a script without spaces: it may go on there."""
    if not phrase:
        return phrase, False
    last = forms[-1]
    if is_spaceless(last.form):
        overlaps = len(forms) > 1 and forms[-2].end == last.end
        return (phrase[:-1], False) if overlaps else (phrase, True)
    begins = term.unfinished and len(last.form) >= SHORTEST_BEGINNING
    return phrase, term.prefix or begins


def _is_all(joined: list[Joined], forms: list[Form]) -> bool:
    """Whether one of these is the whole text."""
    return len(joined) == 1 and all(
        joined[0].start <= form.start and form.end <= joined[0].end for form in forms
    )


def shown_terms(asking: Asks) -> tuple[Term, ...]:
    """The terms that a hit may have, and a highlight shows: not those that it is to be without."""
    match asking:
        case Term():
            return (asking,)
        case AllOf(those) | AnyOf(those):
            return tuple(term for one in those for term in shown_terms(one))
        case Without(Without(what)):
            return shown_terms(what)
    return ()
