"""Terms in the words of the search server: its query is words, "phrases", and -words.

It reads ten words of a query, and only the last may be a beginning. It knows no OR among words: a
term that is met by other words as well (its stem, itself without signs) makes another query.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from morningdeck.asked.stems import MARK, stems_of
from morningdeck.asked.wanted import Wanted, wanted
from morningdeck.asked.words import forms_in, is_spaceless
from morningdeck.model.query import Term
from morningdeck.search.documents import bare, coded, stays_itself
from morningdeck.stemming import STEMMED

WORDS_READ = 10
MOST_VARIANTS = 5
EXACT = ""
"""Other words that are the same in whatever language."""


class NotSayableError(Exception):
    """The server has no words for it: the database answers."""


@dataclass(frozen=True, slots=True)
class _Said:
    pieces: tuple[str, ...]
    beginning: str = ""
    """Its last word, if that is left open."""
    always: tuple[str, ...] = ()
    others: Mapping[str, str] = field(default_factory=dict)
    """What may stand instead of the pieces and the beginning, by language."""


def phrased(
    terms: Sequence[Term], nots: Sequence[Term], spoken: Collection[str] | None = None
) -> tuple[str, ...]:
    """Queries, of which one must be met: the first as it was asked, then with other forms, of any
    language or of those that are `spoken`.
    """
    said = [_say(term, spoken) for term in terms]
    without = tuple(piece for term in nots for piece in _deny(term, spoken))
    languages = dict.fromkeys(language for one in said for language in one.others)
    variants = [_joined(said, without)]
    variants += [_joined([_in_other_words(one, in_) for one in said], without) for in_ in languages]
    return tuple(dict.fromkeys(variants))[:MOST_VARIANTS]


def _in_other_words(said: _Said, language: str) -> _Said:
    other = said.others.get(language) or said.others.get(EXACT)
    return _Said((other,), always=said.always) if other else said


def _joined(said: Sequence[_Said], without: Sequence[str]) -> str:
    """The open end last; else a space says that nothing is open."""
    beginnings = [one.beginning for one in said if one.beginning]
    whole = [piece for one in said for piece in (*one.pieces, *one.always)]
    if len(beginnings) > 1 or len(whole) + len(beginnings) + len(without) > WORDS_READ:
        raise NotSayableError
    text = " ".join((*whole, *without, *beginnings))
    return text if beginnings or not text else f"{text} "


def _say(term: Term, spoken: Collection[str] | None) -> _Said:
    asked = wanted(term)
    if term.quoted and len(set(map(is_spaceless, asked.phrase))) > 1:
        raise NotSayableError  # pieces stand apart from words, and nothing says side by side
    always = tuple(f'"{form}"' for form in asked.besides)
    others = _others(term, asked, spoken)
    if not asked.open_end:
        return _Said(tuple(_pieces(asked.phrase, term.quoted)), "", always, others)
    *whole, last = asked.phrase
    if whole and not is_spaceless(last):
        raise NotSayableError  # words side by side of which the last may go on
    beginning = coded(last) if is_spaceless(last) else last
    return _Said(tuple(_pieces(whole, True)), beginning, always, others)


def _pieces(forms: Iterable[str], quoted: bool) -> Iterable[str]:
    for spaceless, group in groupby(forms, is_spaceless):
        words = [coded(form) if spaceless else form for form in group]
        alone = len(words) == 1 and not spaceless and not quoted
        yield words[0] if alone else f'"{" ".join(words)}"'


def _others(term: Term, asked: Wanted, spoken: Collection[str] | None) -> dict[str, str]:
    """What else the term is met by: in whatever language, and its stem in each."""
    exact = [form for form in asked.instead if MARK not in form] or _spelled(term, asked)
    found = {EXACT: f'"{exact[0]}"'} if exact else {}
    if not any(MARK in form for form in asked.instead):
        return found
    one = forms_in(term.text)[0]
    for language in (each for each in STEMMED if spoken is None or each in spoken):
        for stem in stems_of([term.text[one.start : one.end]], language):
            if bare(stem) not in asked.phrase:
                found[language] = f'"{bare(stem)}"'
    return found


def _spelled(term: Term, asked: Wanted) -> list[str]:
    """A phrase as the reader wrote it, where the server would not find it by its forms: it keeps
    strokes, and side by side it knows words only as they stand.
    """
    words = [(term.text[one.start : one.end].lower(), one.form) for one in forms_in(term.text)]
    alike = all(stays_itself(*one) for one in words)
    if alike or asked.open_end or len(words) != len(asked.phrase) or len(words) < 2:
        return []
    return [] if any(is_spaceless(form) for _, form in words) else [" ".join(w for w, _ in words)]


def _deny(term: Term, spoken: Collection[str] | None) -> list[str]:
    """All that the term is met by must not be there."""
    asked = wanted(term)
    pieces = list(_pieces(asked.phrase, True))
    if asked.open_end or len(pieces) + len(asked.besides) > 1:
        raise NotSayableError
    others = dict.fromkeys(_others(term, asked, spoken).values())
    return [f"-{one}" for one in (*pieces, *(f'"{form}"' for form in asked.besides), *others)]
