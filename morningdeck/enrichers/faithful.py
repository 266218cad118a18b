"""Whether a text in another language may be a translation: by its numbers, its names, its length.

Names are alike in all languages, or Babel knows what they are called there. In German, whose
capitals tell no names, those of the original have to stand in the translation; of a script
without capitals, nobody can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property

from morningdeck.enrichers.grounding import SHOWS_NAMES, Evidence, is_harmful, names
from morningdeck.enrichers.language import detect_language
from morningdeck.enrichers.sentences import sentences
from morningdeck.exonyms import beginning, exonyms, folded

ALIKE = 0.7
"""Of two words that begin with one letter, so that `Parlament` may be `Parliament`."""
SAME_BEGINNING = 4
SHOUTED = 0.6
"""Of its words, in capitals: a headline in which they tell no names."""
LONGER, SHORTER, SLACK = 3, 4, 40
"""A translation is at most so many times as long, or as short."""
SIGNS_A_WORD = 6

_WORD = re.compile(r"[^\W_]+")
_LATIN = re.compile(r"[a-zà-ɏ]", re.IGNORECASE)


class Original:
    """What a place says in its own language, all of it: a summary may name what its title means."""

    def __init__(self, texts: Sequence[str], language: str, target: str) -> None:
        self._texts = [text for text in texts if text]
        self._language = language
        self._target = target
        self._evidence = Evidence(self._texts, language)

    def is_told_by(self, told: str, text: str) -> bool:
        """`told` stands for `text`, which is one of its texts."""
        return (
            bool(told)
            and not is_harmful(told)
            and detect_language(told) in (self._target, None)
            and self._is_as_long(told, text)
            and self._evidence.has_numbers(told)
            and Evidence((told,), self._target).has_numbers(text)
            and self._has_names(told, text)
        )

    @cached_property
    def _is_latin(self) -> bool:
        letters = "".join(self._texts)
        return len(_LATIN.findall(letters)) > len(letters) / 2

    def _is_as_long(self, told: str, text: str) -> bool:
        size = len(text) * (1 if self._is_latin else SIGNS_A_WORD)
        return len(text) / SHORTER <= len(told) <= LONGER * size + SLACK

    def _has_names(self, told: str, text: str) -> bool:
        if not self._is_latin:
            return True
        if self._target in SHOWS_NAMES:
            return self._are_known(_names(told, self._target), self._texts)
        return self._are_known(_names(text, self._language, even_shouted=False), (told,))

    def _are_known(self, wanted: Iterable[str], texts: Iterable[str]) -> bool:
        words = frozenset(folded(word) for text in texts for word in _WORD.findall(text))
        return all(
            folded(word) in words
            or self._is_called(word, words)
            or any(_alike(folded(word), other) for other in words)
            for name in wanted
            for word in _WORD.findall(name)
            if word[0].isupper() and len(word) > 1
        )

    def _is_called(self, word: str, words: frozenset[str]) -> bool:
        """By another name of the same thing; German hides it in longer words."""
        things = self._called.get(beginning(word))
        if not things:
            return False
        if any(not things.isdisjoint(self._called.get(beginning(one), ())) for one in words):
            return True
        names = [one for one, those in self._called.items() if not things.isdisjoint(those)]
        return self._target not in SHOWS_NAMES and any(
            name in one for name in names for one in words if len(one) > len(name)
        )

    @cached_property
    def _called(self) -> Mapping[str, frozenset[str]]:
        return exonyms(self._language, self._target)


def _names(text: str, language: str, *, even_shouted: bool = True) -> list[str]:
    found = []
    for sentence in sentences(text) or [text]:
        words = _WORD.findall(sentence)
        shouts = sum(word[0].isupper() for word in words) > SHOUTED * len(words)
        if even_shouted or not shouts:
            found += names(sentence, language)
    return found


def _alike(one: str, other: str) -> bool:
    if one[0] != other[0]:
        return False
    if (
        min(len(one), len(other)) >= SAME_BEGINNING
        and one[:SAME_BEGINNING] == other[:SAME_BEGINNING]
    ):
        return True
    return SequenceMatcher(None, one, other).ratio() >= ALIKE
