"""From any text to what it asks for. Every text is a query; what cannot be understood is words.

    words "side by side" begin* -not one OR other (grouped words)
    title: topic: author: source: briefing: lang: after: before: score> is:read/unread/saved

OR binds tighter than standing together, as with the search engines that people know:
`cats OR dogs food` asks for food, and for one of the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from morningdeck.asked.fields import field_of
from morningdeck.asked.words import has_words
from morningdeck.model.query import (
    AllOf,
    AnyOf,
    Asked,
    Asks,
    NamedBriefing,
    Scored,
    Term,
    Without,
)

MOST_TERMS_ASKED = 32
LONGEST_QUERY = 4_000
"""Characters; what comes after is left out."""
DEEPEST = 8
"""Groups within groups; deeper brackets group nothing."""
_CURLY = str.maketrans("“”„‟«»＂", '"' * 7)
_PARTS = re.compile(
    r"""(?P<open>-?\()
      | (?P<close>\))
      | (?P<not>-(?!-))?(?P<field>\w+:)?(?:"(?P<phrase>[^"]*)(?:"|$)(?P<star>\*)?
                                    |(?P<word>[^\s()"]+))
      | (?P<lone>\S)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class _Sign:
    """One of `(`, `-(`, `)`, `OR`, `NOT`, `AND`, with the word that it is where it stands alone."""

    sign: str
    word: Term | None = None


_Part = _Sign | Asks


def parse_query(text: str, *, now: datetime | None = None, zone: tzinfo = UTC) -> Asked:
    """`now` and `zone` say which moments days are, and what `today` and `3d` mean; without a clock
    those two are words.
    """
    parts = list(_parts(text[:LONGEST_QUERY].translate(_CURLY), now, zone))
    terms = [place for place, part in enumerate(parts) if not isinstance(part, _Sign)]
    if not terms:
        parts = [part.word for part in parts if isinstance(part, _Sign) and part.word]
    kept = parts[: terms[MOST_TERMS_ASKED]] if len(terms) > MOST_TERMS_ASKED else parts
    asks = _Reading(kept).whole()
    if text.strip() and asks == AllOf():
        asks = AnyOf()  # there is something, but nothing that could be looked for
    left_out = max(0, len(terms) - MOST_TERMS_ASKED) + len(text[LONGEST_QUERY:].split())
    return Asked(text, _scored_by(asks), left_out)


def finished_query(text: str, *, now: datetime | None = None, zone: tzinfo = UTC) -> Asked:
    """Of a text that nobody is typing any more: its last word is a whole one."""
    return replace(parse_query(f"{text} ", now=now, zone=zone), text=text)


# ---- parts


def _parts(text: str, now: datetime | None, zone: tzinfo) -> Iterator[_Part]:
    for match in _PARTS.finditer(text):
        if match["open"] or match["close"]:
            yield _Sign(match[0])
        elif not match["lone"]:
            yield from _said(match, text, now, zone)


def _said(match: re.Match[str], text: str, now: datetime | None, zone: tzinfo) -> Iterator[_Part]:
    last = match.end() == len(text)
    field, phrase, word = match["field"] or "", match["phrase"], match["word"]
    if phrase is None and not field and word in ("OR", "NOT", "AND") and not match["not"]:
        yield _Sign(word, Term(word))
        return
    value = word if phrase is None else f"{phrase}{match['star'] or ''}"
    asking = _limit(field, value, phrase is not None, now, zone)
    if asking is None:
        asking = _plain(field, match, last)
    if asking is not None:
        yield Without(_finished(asking)) if match["not"] else asking


def _limit(field: str, value: str, quoted: bool, now: datetime | None, zone: tzinfo) -> Asks | None:
    """What a field asks for, if it is one and its value makes sense."""
    if not field and not quoted:
        return field_of("", value, quoted, now, zone)  # score>60 has no colon
    asking = field_of(field.removesuffix(":").lower(), value, quoted, now, zone) if field else None
    return asking if not isinstance(asking, Term) or has_words(asking.text) else None


def _plain(field: str, match: re.Match[str], last: bool) -> Term | None:
    if (phrase := match["phrase"]) is not None:
        text, star = phrase.removesuffix("*"), bool(match["star"]) or phrase.endswith("*")
        text = f"{field}{text}"
        return Term(text, quoted=True, prefix=star) if has_words(text) else None
    text = f"{field}{match['word']}"
    star = text.endswith("*")
    if not has_words(text):
        return None
    return Term(text.rstrip("*"), prefix=star, unfinished=last and not star)


def _finished(asking: Asks) -> Asks:
    """What is left out must be meant: nothing goes because it begins like an unfinished word."""
    return replace(asking, unfinished=False) if isinstance(asking, Term) else asking


# ---- what belongs together


class _Reading:
    """Reads parts from the left; what is open at the end is closed there."""

    def __init__(self, parts: list[_Part]) -> None:
        self._parts = parts
        self._at = 0

    def whole(self) -> Asks:
        found: list[Asks] = []
        while self._at < len(self._parts):
            found.append(self._together(0))
            self._at += 1  # a bracket that closes nothing
        return _all(found)

    def _together(self, depth: int) -> Asks:
        found: list[Asks] = []
        while (part := self._next()) is not None and part != _Sign(")"):
            either = self._either(depth)
            if either is not None:
                found.append(either)
        return _all(found)

    def _either(self, depth: int) -> Asks | None:
        """One, or several with OR between them."""
        those = [self._one(depth)]
        while self._is("OR") and those[-1] is not None and self._follows():
            self._at += 1
            those.append(self._one(depth))
        known = tuple(one for one in those if one is not None)
        return AnyOf(known) if len(known) > 1 else next(iter(known), None)

    def _one(self, depth: int) -> Asks | None:
        """With each NOT before it: there may be thousands, and every second takes one back."""
        denied = False
        while self._is("NOT") and self._follows():
            denied, self._at = not denied, self._at + 1
        asks = self._bare(depth)
        return Without(_finished(asks)) if denied and asks is not None else asks

    def _bare(self, depth: int) -> Asks | None:
        part = self._parts[self._at]
        self._at += 1
        match part:
            case _Sign("(" | "-("):
                return self._group(part.sign == "-(", depth)
            case _Sign():
                return None  # it joins nothing
        return part

    def _group(self, negated: bool, depth: int) -> Asks | None:
        if depth >= DEEPEST:
            return None
        inside = self._together(depth + 1)
        self._at += 1
        if inside == AllOf():
            return None
        return Without(inside) if negated else inside

    def _next(self) -> _Part | None:
        return self._parts[self._at] if self._at < len(self._parts) else None

    def _is(self, sign: str) -> bool:
        part = self._next()
        return isinstance(part, _Sign) and part.sign == sign

    def _follows(self) -> bool:
        """Whether something comes that OR and NOT can speak of."""
        place = self._at + 1
        return place < len(self._parts) and self._parts[place] != _Sign(")")


def _all(those: list[Asks]) -> Asks:
    flat = [each for one in those for each in (one.those if isinstance(one, AllOf) else (one,))]
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat))


def _scored_by(asks: Asks) -> Asks:
    """A score is one by the briefings that stand beside it."""
    if not isinstance(asks, AllOf):
        return asks
    briefings = tuple(one.name for one in asks.those if isinstance(one, NamedBriefing))
    return _scores(asks, lambda score: replace(score, briefings=briefings)) if briefings else asks


def _scores(asks: Asks, change: Callable[[Scored], Scored]) -> Asks:
    match asks:
        case Scored():
            return change(asks)
        case AllOf(those) | AnyOf(those):
            return replace(asks, those=tuple(_scores(one, change) for one in those))
        case Without(what):
            return Without(_scores(what, change))
    return asks
