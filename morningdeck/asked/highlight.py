"""Shows where a text has what was looked for: safe HTML, each match between <mark> and </mark>."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from morningdeck.asked.stems import stems_in
from morningdeck.asked.wanted import Wanted
from morningdeck.asked.words import Form, forms_in, is_spaceless, joined_in

AROUND = 90
"""Characters that are shown on each side of the first match."""
AT_A_TIME = 500
"""Characters of a long text that are looked at until a match is found."""

Span = tuple[int, int]


def highlight(
    texts: Mapping[str, str], terms: Sequence[Wanted], language: str | None = None
) -> str:
    """A piece of the first text that has a match; `texts` by what they are, `title` or others.

    The text's own angle brackets are escaped, so that the result is safe as HTML.
    """
    for place, text in texts.items():
        here = [term for term in terms if term.place in ("", place)]
        if here and (shown := _shown(unicodedata.normalize("NFC", text), here, language)):
            return shown
    whole = next((text for text in texts.values() if text), "")
    end = _last_end(whole, 0, 2 * AROUND)
    return _escape(whole[:end]) + (" …" if end < len(whole) else "")


def _shown(text: str, terms: Sequence[Wanted], language: str | None) -> str:
    start = 0
    while start < len(text):
        end = _word_end(text, start + AT_A_TIME)
        if spans := _matches(text[start:end], terms, language):
            return _piece(text, [(start + one, start + other) for one, other in spans])
        start = end
    return ""


def _word_end(text: str, at: int) -> int:
    """The next blank, if it is near."""
    blank = text.find(" ", at, at + AROUND)
    return min(len(text), at if blank < 0 else blank)


def _last_end(text: str, after: int, at: int) -> int:
    """The last blank before `at`, so that no word is cut, where there is one."""
    if at >= len(text):
        return len(text)
    blank = text.rfind(" ", after, at + 1)
    return at if blank < 0 else blank


def _matches(text: str, terms: Sequence[Wanted], language: str | None) -> list[Span]:
    forms = forms_in(text)
    single = {form for term in terms for form in (*term.instead, *term.besides)}
    spans = [span for term in terms if term.phrase for span in _phrases(forms, term)]
    if single:
        spans += [(one.start, one.end) for one in joined_in(text) if one.form in single]
        others = (*stems_in(text, forms, language), *forms)
        spans += [(one.start, one.end) for one in others if one.form in single]
    return _merged(sorted(spans))


def _phrases(forms: Sequence[Form], term: Wanted) -> Iterator[Span]:
    *before, last = term.phrase
    for place in range(len(before), len(forms)):
        one = forms[place]
        met = one.form.startswith(last) if term.open_end else one.form == last
        first = place - len(before)
        if met and [form.form for form in forms[first:place]] == before:
            yield forms[first].start, _end(forms, place, last)


def _end(forms: Sequence[Form], place: int, last: str) -> int:
    """Of a piece of two characters that was found by its first, only that one."""
    overlaps = place + 1 < len(forms) and forms[place + 1].start < forms[place].end
    if overlaps and is_spaceless(last) and len(last) < len(forms[place].form):
        return forms[place + 1].start
    return forms[place].end


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _piece(text: str, spans: Sequence[Span]) -> str:
    start = max(0, spans[0][0] - AROUND)
    end = _last_end(text, spans[0][1], spans[0][1] + AROUND)
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
