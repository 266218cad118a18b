"""The piece of a text that shows why a search found it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from morningdeck.model import SearchTerm
from morningdeck.store.views.terms import ANY_WORD

AROUND = 90
"""Characters shown on each side of the first match."""


def highlight(texts: Sequence[str], terms: Sequence[SearchTerm], fold: Callable[[str], str]) -> str:
    """A piece of the first text that has a match, each match between <mark> and </mark>.

    The text's own angle brackets are escaped, so that the result is safe as HTML.
    """
    for text in texts:
        spans = _matches(text, terms, fold)
        if spans:
            return _piece(text, spans)
    return _escape(next((text for text in texts if text), "")[: 2 * AROUND])


def _matches(
    text: str, terms: Sequence[SearchTerm], fold: Callable[[str], str]
) -> list[tuple[int, int]]:
    whole = {word for term in terms for word in term.words}
    beginnings = tuple(term.words[-1] for term in terms if term.prefix)
    found = []
    for match in ANY_WORD.finditer(text):
        word = fold(match.group())
        if word in whole or (beginnings and word.startswith(beginnings)):
            found.append(match.span())
    return found


def _piece(text: str, spans: Sequence[tuple[int, int]]) -> str:
    start = max(0, spans[0][0] - AROUND)
    end = min(len(text), spans[0][1] + AROUND)
    if start:
        start = text.find(" ", start, spans[0][0]) + 1 or start
    pieces, at = ["… " if start else ""], start
    for begin, stop in spans:
        if stop > end:
            break
        pieces += [_escape(text[at:begin]), "<mark>", _escape(text[begin:stop]), "</mark>"]
        at = stop
    return "".join(pieces) + _escape(text[at:end]) + (" …" if end < len(text) else "")


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
