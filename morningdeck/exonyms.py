"""What countries, languages, cities, days and months are called elsewhere, as Babel has it.

A name is looked up by the first letters of its words, so that other forms and adjectives are found
with it: `allemande` is Germany's as `Allemagne` is.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale

LETTERS = 5
_SHORTEST = 3
_SPOKEN_IN = {
    **{"en": "GB", "ja": "JP", "zh": "CN", "ko": "KR", "sv": "SE", "da": "DK", "nb": "NO"},
    **{"el": "GR", "cs": "CZ", "uk": "UA", "he": "IL", "sr": "RS", "et": "EE", "sl": "SI"},
}
"""Where the language's code is not the country's."""
_LISTED = Path(__file__).with_suffix(".txt")
_WORD = re.compile(r"[^\W\d_]+")


def folded(word: str) -> str:
    """Without accents and case."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def beginning(word: str) -> str:
    return folded(word)[:LETTERS]


@cache
def exonyms(*languages: str) -> Mapping[str, frozenset[str]]:
    """By the beginning of a word what it may name in any of the languages."""
    named: defaultdict[str, set[str]] = defaultdict(set)
    for thing, name in _names(languages):
        for word in _WORD.findall(name):
            if len(word) >= _SHORTEST:
                named[beginning(word)].add(thing)
    for number, line in enumerate(_LISTED.read_text(encoding="utf-8").splitlines()):
        if not line.startswith("#"):
            for word in _WORD.findall(line):
                named[beginning(word)].add(f"line {number}")
    return {word: frozenset(things) for word, things in named.items()}


def _names(languages: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each thing with one of its names."""
    from babel import Locale, UnknownLocaleError

    for language in languages:
        try:
            locale = Locale.parse(language)
        except (UnknownLocaleError, ValueError):
            continue
        for code, name in locale.territories.items():
            yield code, name
        for code, name in locale.languages.items():
            if len(code) == 2:  # the others are dialects, with the names of two countries
                yield _SPOKEN_IN.get(code, code.upper()), name
        yield from _of_calendar(locale)
        for zone, told in locale.time_zones.items():
            city = zone.rpartition("/")[2].replace("_", " ")
            yield zone, str(told.get("city", city)) if "/" in zone else ""
            yield zone, city


def _of_calendar(locale: Locale) -> Iterator[tuple[str, str]]:
    for kind, names in (("month", locale.months), ("day", locale.days)):
        for number, name in names["format"]["wide"].items():
            yield f"{kind} {number}", name
