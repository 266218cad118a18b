"""What an index holds of a document: its words, section by section.

After the words of a section stand the other ways to find them, apart from them by a mark, so that
no phrase reaches from one to the other: words with their signs, and stems.
"""

from __future__ import annotations

from collections.abc import Sequence

from morningdeck.asked.stems import stems_of
from morningdeck.asked.words import LONGEST_FORM, joined_in, plain, spelled_in

LONGEST_SECTION, NAMES_INDEXED, NAME_CHARACTERS = 10_000, 200, 200
"""Characters and names that count, so that no text is too much for an index."""
SET_APART = "·"
"""A word that nobody can look for."""
_APART = {code: " " for code in range(128) if not chr(code).isalnum()}


def index_words(text: str, language: str | None = None) -> list[str]:
    text = text[:LONGEST_SECTION]
    text = plain(text) or text
    if text.isascii():
        words = spelled = [word[:LONGEST_FORM] for word in text.lower().translate(_APART).split()]
    else:
        both = spelled_in(text)
        words, spelled = [form for _, form in both], [word for word, _ in both]
    others = [one.form for one in joined_in(text)] + stems_of(spelled, language)
    return [*words, SET_APART, *others] if others else words


def index_names(names: Sequence[str], language: str | None = None) -> list[str]:
    """Names side by side are no phrase."""
    known = (index_words(name[:NAME_CHARACTERS], language) for name in names[:NAMES_INDEXED])
    return [word for words in known for word in (*words, SET_APART)]
