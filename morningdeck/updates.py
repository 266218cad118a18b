"""What is new in a story that was told already: the sentences whose facts nobody has told.

A fact is a number, or a word with a capital inside a sentence. Another paper that says the same
in other words has the same facts, so it is no update.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_TOLD = 2
NEW_FACTS, SHARE_OF_FACTS = 2, 0.5
"""A sentence is new with so many new facts, if they are such a share of its facts."""
NOUNS_IN_CAPITALS = ("de", "lb")
"""In these languages another word for a thing looks like a name: a number has to be new too."""

_BETWEEN_SENTENCES = re.compile(
    r"(?<!\b\w\.)(?<!\b\w\w\.)(?<!\b[A-Z][a-z]{2}\.)(?<!\bProf\.)(?<=[.!?\u061f])\s+"
    r"|(?<=[\u3002\uff01\uff1f])"
)
"""Not after `U.S.`, `Dr.`, `30.`, `Sen.`: what is told anew would begin in the midst."""
_LEANS = re.compile(
    r"(?:he|she|it|they|his|her|its|their|this|that|these|those|er|sie|es|ihre?|seine?|diese?[rs]?"
    r"|ils?|elles?|cela|él|ellas?|ellos|esto|lui|lei|loro|questo|hij|zij|ze|dit|dat|el[ea]s?|isto"
    r"|isso)\b",
    re.I,
)
"""How a sentence begins that means little without the one before it."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]{3,}")


def whats_new(summary: str, told: str, language: str | None = None) -> str:
    """The sentences of the summary with facts that are not in what was told; mostly none. One that
    begins with "he" brings the one before it.
    """
    known = told.casefold()
    facts = {*_WORD.findall(known), *_NUMBER.findall(known)}
    names_tell = (language or "").partition("-")[0] not in NOUNS_IN_CAPITALS
    before, new = "", list[str]()
    for one in (sentence.strip() for sentence in _BETWEEN_SENTENCES.split(summary)):
        if _is_new(one, facts, names_tell):
            leans = before and before not in new and _LEANS.match(one)
            needed = [before, one] if leans else [one]
            new += needed if len(new) + len(needed) <= MOST_TOLD else []
        before = one
    return " ".join(new)


def _is_new(sentence: str, known: set[str], names_tell: bool) -> bool:
    facts = set(_facts(sentence))
    new = facts - known
    tells = names_tell or any(fact[0].isdigit() for fact in new)
    return tells and len(new) >= NEW_FACTS and len(new) >= SHARE_OF_FACTS * len(facts)


def _facts(sentence: str) -> Iterator[str]:
    yield from _NUMBER.findall(sentence)
    words = _WORD.findall(sentence)[1:]
    yield from (word.casefold() for word in words if word[0].isupper())
