"""What a search asks for, as the search server can be asked: queries of which one must be met.

Filters are built of values: numbers, moments, and strings that are quoted here. Each begins with
the reader's own sources. What the server cannot be asked for is NotSayableError.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product

from morningdeck.asked.wanted import wanted
from morningdeck.model.finding import SearchQuery
from morningdeck.model.indexing import Reach
from morningdeck.model.query import (
    AllOf,
    AnyOf,
    Asks,
    Dated,
    Filter,
    InLanguage,
    Marked,
    NamedBriefing,
    NamedSource,
    Scored,
    Term,
    Without,
)
from morningdeck.search.documents import WORDS_OF_NAME, seconds
from morningdeck.search.index_settings import AS_WRITTEN, FORMS, TITLE_STEMS
from morningdeck.search.phrasing import NotSayableError, phrased

MOST_QUERIES = 8
MANY_IN_A_ROW = 8
FORMS_OF = {"topic": "topic_forms", "author": "author_forms"}
_TITLES = ("title", f"{FORMS}.title")
_NOTHING = "id < 0"
_EVERYTHING = "id >= 0"


@dataclass(frozen=True, slots=True)
class ServerQuery:
    """One query to the server; `within` are the attributes that it looks at, all if empty."""

    text: str
    filter: str
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """What must all be so."""

    terms: tuple[Term, ...] = ()
    nots: tuple[Term, ...] = ()
    filters: tuple[str, ...] = ()

    def __add__(self, other: _Part) -> _Part:
        nots, filters = (*self.nots, *other.nots), (*self.filters, *other.filters)
        return _Part((*self.terms, *other.terms), nots, filters)


def translated(
    query: SearchQuery, reach: Reach, spoken: Collection[str] | None = None
) -> tuple[ServerQuery, ...]:
    """Nothing where nothing can be found. Stems are those of the languages that are `spoken`."""
    if query.asked.asks == AnyOf():
        return ()
    limits = _Limits(query, reach)
    common = limits.common()
    askings: list[ServerQuery] = []
    parts = _parts(query.asked.asks, limits)
    if not order_of(query) and len({bool(part.terms) for part in parts}) > 1:
        raise NotSayableError  # how well words match is not compared with a match without any
    for part in parts:
        places = {term.place for term in (*part.terms, *part.nots)}
        if len(places) > 1:
            raise NotSayableError
        within = _within(part, titles=places == {"title"})
        chosen = " AND ".join((*common, *part.filters))
        askings += [
            ServerQuery(text, chosen, within) for text in phrased(part.terms, part.nots, spoken)
        ]
    if len(askings) > MOST_QUERIES:
        raise NotSayableError
    return tuple(dict.fromkeys(askings))


def _within(part: _Part, *, titles: bool) -> tuple[str, ...]:
    terms = (*part.terms, *part.nots)
    as_written = bool(terms) and all(term.quoted for term in terms)
    if titles:
        return _TITLES if as_written else (*_TITLES, TITLE_STEMS)
    return AS_WRITTEN if as_written else ()


def order_of(query: SearchQuery) -> list[str]:
    """As the server is told; empty where the best match comes first."""
    newest = ["date:desc", "id:desc"]
    if query.sort == "score":
        briefing = query.only.briefing_id
        of = f"best.u{query.user_id}" if briefing is None else f"scores.b{briefing}"
        return [f"{of}:desc", *newest]
    return [] if query.sort == "relevance" and _has_terms(query.asked.asks) else newest


def _has_terms(asks: Asks) -> bool:
    """Topics and authors are filters there, which no match is better by."""
    match asks:
        case Term(place="" | "title"):
            return True
        case AllOf(those) | AnyOf(those):
            return any(map(_has_terms, those))
    return False


# ---- one of these must be so


def _parts(asks: Asks, limits: _Limits, *, denied: bool = False) -> Sequence[_Part]:
    if (filter_ := limits.expression(asks)) is not None:
        return [_Part(filters=(f"NOT ({filter_})" if denied else filter_,))]
    match asks:
        case Term():
            return [_Part(nots=(asks,)) if denied else _Part(terms=(asks,))]
        case Without(what):
            return _parts(what, limits, denied=not denied)
        case AllOf(those) | AnyOf(those):
            each = [_parts(one, limits, denied=denied) for one in those]
            if isinstance(asks, AnyOf) is not denied:
                found = [part for parts in each for part in parts]
            else:
                found = [sum(parts, _Part()) for parts in product(*each)]
            if len(found) > MOST_QUERIES:
                raise NotSayableError
            return found
    raise NotSayableError


class _Limits:
    """Filters as the server reads them."""

    def __init__(self, query: SearchQuery, reach: Reach) -> None:
        self._query = query
        self._reach = reach
        self._user = query.user_id

    def common(self) -> list[str]:
        """What the reader may see, and what the search is limited to beside its words."""
        only = self._query.only
        found = self._own()
        if only.status is not None:
            raise NotSayableError
        if only.source_id is not None:
            found.append(f"source_id = {only.source_id}")
        if only.since is not None:
            found.append(f"date >= {seconds(only.since)}")
        if only.unread:
            found.append(f"NOT read = {self._user}")
        if only.saved:
            found.append(f"saved = {self._user}")
        if only.briefing_id is not None:
            found.append(f"scores.b{only.briefing_id} >= {only.min_score or 0}")
        elif only.min_score is not None:
            found.append(f"best.u{self._user} >= {only.min_score}")
        return found

    def _own(self) -> list[str]:
        return [f"({_one_of_sources(self._reach.source_runs)} OR saved = {self._user})"]

    def expression(self, asks: Asks) -> str | None:
        """None where words of a text are asked for."""
        match asks:
            case Term(place="topic" | "author"):
                return self._named(asks)
            case Term():
                return None
            case Without(what):
                inner = self.expression(what)
                return None if inner is None else f"NOT ({inner})"
            case AllOf(those):
                return self._each(those, " AND ", _EVERYTHING)
            case AnyOf(those):
                return self._each(those, " OR ", _NOTHING)
        return self._filter(asks)

    def _each(self, those: Iterable[Asks], sign: str, none: str) -> str | None:
        found = [self.expression(one) for one in those]
        known = [one for one in found if one is not None]
        if len(known) < len(found):
            return None
        return f"({sign.join(known)})" if known else none

    def _named(self, term: Term) -> str:
        """Words of names are values there, with those that stand side by side."""
        asked, of = wanted(term), FORMS_OF[term.place]
        if len(asked.phrase) > WORDS_OF_NAME:
            raise NotSayableError
        found: list[str] = []
        if asked.phrase:
            phrase = quoted(" ".join(asked.phrase))
            found.append(f"{of} STARTS WITH {phrase}" if asked.open_end else f"{of} = {phrase}")
        found += [f"{of} = {quoted(form)}" for form in asked.instead]
        either = f"({' OR '.join(dict.fromkeys(found))})" if found else ""
        besides = [f"{of} = {quoted(form)}" for form in asked.besides]
        return f"({' AND '.join(filter(None, (either, *besides)))})"

    def _filter(self, asks: Filter) -> str:
        match asks:
            case NamedSource(name):
                return _one_of_sources(_runs(self._reach.named_sources[name]))
            case NamedBriefing(name):
                return self._any(
                    f"scores.b{one} EXISTS" for one in self._reach.named_briefings[name]
                )
            case InLanguage(code):
                return f"(language = {quoted(code)} OR language STARTS WITH {quoted(f'{code}-')})"
            case Dated(after=after, before=before):
                since = [] if after is None else [f"date >= {seconds(after)}"]
                until = [] if before is None else [f"date < {seconds(before)}"]
                return f"({' AND '.join((*since, *until)) or _EVERYTHING})"
            case Marked("saved"):
                return f"saved = {self._user}"
            case Marked(mark):
                return f"{'NOT ' if mark == 'unread' else ''}read = {self._user}"
            case Scored(sign, value, names):
                return self._scored(sign, value, names)

    def _scored(self, sign: str, value: int, names: Sequence[str]) -> str:
        if not names:
            return f"best.u{self._user} {sign} {value}"
        ids = {one for name in names for one in self._reach.named_briefings[name]}
        if len(ids) > 1 and sign in ("<", "<=", "="):
            raise NotSayableError  # of the best of several
        return self._any(f"scores.b{one} {sign} {value}" for one in sorted(ids))

    def _any(self, those: Iterable[str]) -> str:
        return f"({' OR '.join(those) or _NOTHING})"


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _runs(ids: Iterable[int]) -> Iterator[tuple[int, int]]:
    for _, run in groupby(enumerate(sorted(ids)), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        yield numbers[0], numbers[-1]


def _one_of_sources(runs: Iterable[tuple[int, int]]) -> str:
    """Where many ids follow each other, by the first and the last: the server reads a thousand one
    by one, which takes as long as a third of a search.
    """
    alone: list[int] = []
    either: list[str] = []
    for first, last in runs:
        if last - first + 1 >= MANY_IN_A_ROW:
            either.append(f"source_id {first} TO {last}")
        else:
            alone += range(first, last + 1)
    if alone or not either:
        either.append(f"source_id IN [{', '.join(map(str, alone))}]")
    return either[0] if len(either) == 1 else f"({' OR '.join(either)})"
