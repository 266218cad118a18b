"""An item as the search server holds it.

The server cuts and compares words in its own way, which forgives typing mistakes. What it would
find by other words than the database does stands once more in `forms`: pieces of scripts without
spaces, coded as plain words of Latin letters and digits; words with signs as one word; stems; words
without the strokes and accents that the server keeps. In the texts themselves, signs that part
words here and not there are replaced, and come back where a text is shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import blake2b
from itertools import groupby
from typing import Any

from morningdeck.asked.indexed import LONGEST_SECTION, NAME_CHARACTERS, NAMES_INDEXED
from morningdeck.asked.stems import MARK, stems_in, stems_of
from morningdeck.asked.words import Form, forms_in, is_spaceless, joined_in, spelled_in
from morningdeck.model.finding import SearchDocument
from morningdeck.model.indexing import PackedDocument
from morningdeck.search.index_settings import FACETS, FORMS, KEY

MARK_ON, MARK_OFF = "\ue000", "\ue001"
"""What the server puts around matches; no document has them."""
_PARTING = "!,.;?¡¿…。、！؟،؛۔।" + "$<=>^|~£¥€¢₹₽₿₩°®©™№§→←‑●■◆▲"
"""No phrase goes over one of the former on the server, the latter it takes for letters."""
_GAPS = "".join(map(chr, (*range(0x2E00, 0x2E18), *range(0x2E19, 0x2E2E))))
"""Marks of scholars in old books, which it takes for mere gaps."""
_STAND_INS, _GAP = _GAPS[: len(_PARTING)], _GAPS[-1]
_EMOJI = "[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001fbff]"
_STUCK = re.compile(rf"(?<=\S)(?={_EMOJI})|(?<={_EMOJI})(?=\S)")
"""Where a word begins or ends at an emoji, which the server takes for one of its letters."""
_WITH_STAND_INS = str.maketrans(_PARTING, _STAND_INS)
_WITH_SIGNS = str.maketrans(_STAND_INS, _PARTING, _GAP)
_UNMARKED = str.maketrans("", "", MARK_ON + MARK_OFF + _GAPS)
WORDS_OF_NAME = 4
"""So many words of a topic or author can be asked for side by side."""


_ASCII_WORD = re.compile(r"[a-z0-9]+")


def pack(document: SearchDocument) -> PackedDocument:
    fields = _fields(document)
    body = json.dumps(fields, ensure_ascii=False).encode()
    fields["digest"] = blake2b(body, digest_size=12).hexdigest()
    return PackedDocument(document.id, json.dumps(fields, ensure_ascii=False).encode())


def digest_of(document: SearchDocument) -> str:
    body = json.dumps(_fields(document), ensure_ascii=False).encode()
    return blake2b(body, digest_size=12).hexdigest()


def _fields(document: SearchDocument) -> dict[str, Any]:
    names = {of: _names_in(getattr(document, of)) for of in FACETS}
    author = document.author[:NAME_CHARACTERS]
    texts = {of: _clean(getattr(document, of)) for of in ("title", "summary", "content")}
    texts["author"] = _clean(author)
    language = document.language
    named = [name for those in names.values() for name in those]
    title, title_stems = _forms((texts["title"],), language)
    rest, stems = _forms((*texts.values(), *named), language)
    return {
        KEY: document.id,
        "source_id": document.source_id,
        **{of: _parted(text) for of, text in texts.items()},
        **names,
        "sentiment": document.sentiment,
        "category": document.category,
        "language": (document.language or "").lower(),
        "published_at": seconds(document.published_at),
        "created_at": seconds(document.created_at),
        "date": seconds(document.dated_at),
        "read": list(document.read_by),
        "saved": list(document.saved_by),
        "scores": {f"b{briefing}": score for briefing, score in document.scores},
        "best": {f"u{user}": score for user, score in document.best},
        "topic_forms": sorted(_names(names["topics"], language)),
        "author_forms": sorted(_names((author,), language)),
        FORMS: {
            "title": title,
            "title_stems": title_stems,
            "rest": [*rest, *_hidden_in(named)],
            "stems": stems,
        },
    }


def with_signs(text: str) -> str:
    """What the server shows of a text of a document."""
    return text.translate(_WITH_SIGNS)


def _parted(text: str) -> str:
    """With its words as we cut them."""
    apart = text if text.isascii() else _STUCK.sub(_GAP, text)
    return apart.translate(_WITH_STAND_INS)


def _hidden_in(names: Iterable[str]) -> list[str]:
    """The words of names that the server would not find by its own cuts: names are counted as they
    are, and cannot have signs replaced in them.
    """
    forms = (forms_in(name) for name in names if _parted(name) != name)
    lines = (" ".join(one.form for one in each if not is_spaceless(one.form)) for each in forms)
    return sorted(set(filter(None, lines)))


def _clean(text: str) -> str:
    """As much of it as the database's index looks at."""
    return text[:LONGEST_SECTION].translate(_UNMARKED)


def _names_in(names: Sequence[str]) -> list[str]:
    return [_clean(name[:NAME_CHARACTERS]) for name in names[:NAMES_INDEXED]]


def seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def coded(form: str) -> str:
    """A plain word for any form, which begins as the words for its beginnings do."""
    return "x" + form.encode("utf-8", "replace").hex()


def _forms(texts: Iterable[str], language: str | None) -> tuple[list[str], list[str]]:
    """A line for all that stands side by side in scripts without spaces, one for each other word
    that needs it; and the stems.
    """
    lines: list[str] = []
    others: set[str] = set()
    stems: set[str] = set()
    plain: set[str] = set()
    for text in filter(None, texts):
        if text.isascii():
            spelled = set(_ASCII_WORD.findall(text.lower()))
            plain |= spelled
        else:
            words, stuck = set(spelled_in(text)), set[str]()
            if any(is_spaceless(form) for _, form in words):
                forms = forms_in(text)
                lines += _runs(forms)
                stuck = _numbers_stuck(text, forms)
                words = {(word, form) for word, form in words if not is_spaceless(form)}
            different = {form for word, form in words if not stays_itself(word, form)} | stuck
            others |= different
            plain |= {form for _, form in words} - different
            spelled = {word for word, _ in words}
        others.update(one.form for one in joined_in(text))
        stems.update(bare(stem) for stem in stems_of(list(spelled), language))
    return lines + sorted(others - plain), sorted(stems - plain - others)


def _numbers_stuck(text: str, forms: Sequence[Form]) -> set[str]:
    """Those beside scripts without spaces, which the server cuts into pieces: 2026年 to 20, 26."""
    return {
        one.form
        for one in forms
        if any(map(str.isdigit, one.form))
        and not is_spaceless(one.form)
        and (is_spaceless(text[one.start - 1 : one.start]) or is_spaceless(text[one.end :][:1]))
    }


def bare(stem: str) -> str:
    """Without its mark, which the server would not tell from the word."""
    return stem.rpartition(MARK)[2]


def stays_itself(word: str, form: str) -> bool:
    """Whether the server finds the word by that form."""
    return word.isascii() or word.lower() == form


def _runs(forms: Sequence[Form]) -> Iterable[str]:
    """Korean has blanks between words, Japanese signs between sentences: phrases go over both."""
    for spaceless, run in groupby(forms, lambda one: is_spaceless(one.form)):
        if spaceless:
            yield " ".join(coded(one.form) for one in run)


def _names(names: Iterable[str], language: str | None) -> set[str]:
    """All words of these names, and those that stand side by side; stems of single ones with their
    mark, as these are compared whole: Anna is no Ann, though a Swedish anna is.
    """
    found: set[str] = set()
    for name in names:
        forms = forms_in(name)
        words = [one.form for one in forms]
        for start in range(len(words)):
            for length in range(1, min(WORDS_OF_NAME, len(words) - start) + 1):
                found.add(" ".join(words[start : start + length]))
        found.update(one.form for one in joined_in(name))
        found.update(one.form for one in stems_in(name, forms, language))
    return found
