"""Whatever is remembered of what strangers wrote has its bound in bytes."""

from __future__ import annotations

import importlib
import tracemalloc
from collections.abc import Callable
from datetime import timedelta
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from morningdeck.asked.indexed import index_words
from morningdeck.enrichers import document, profiles
from morningdeck.model.making import Article
from morningdeck.net.answers import Answer
from morningdeck.net.polite import MOST_REMEMBERED, Remembered, Trail
from morningdeck.stories import likeness
from tests.conftest import NOW

PACKAGE = Path(__file__).parents[1] / "morningdeck"
MOST_BYTES = 64 << 20
LETTER = "\U00010400"
"""Of those that take most room."""

OF_OUR_OWN = {
    "wire._adapter",
    "word_list.passages",
    "stemming._stemmer",
    "classification.category_stems",
    "commands._load",
    "enriched._copying",
    "enriched._profiling",
    "enriched._scoring",
    "entries._inserting",
    "fetched._keeping",
    "indexed._unindexing",
    "statements.claiming",
    "statements.starting",
    "statements.settling",
    "shown_hits._hits",
    "shown_hits._names",
    "structured.formatter",
    "languages._read",
    "reasons._read",
    "repository._reading",
}
"""Filled by types, languages, commands, stages, columns and formats that we list ourselves, or with
a bound by the number of hits on a page.
"""
STARTS = {"celery.py"}
"""Cannot be imported without a broker's settings."""
IN_PARSERS = {"xmlfeed._name", "sanitise._cleaner"}
"""In a child process, which has a limit for all it holds."""
OF_STRANGERS = {
    "document.term_of",
    "keyphrases._is_no_noun",
    "profiles._keys_as_written",
    "document._read",
    "why.off_topic",
    "likeness._known_codes",
    "stems._stem_that_fits",
    "words._fold",
    "words._whole",
}

Cache: TypeAlias = "_lru_cache_wrapper[Any]"


def caches() -> dict[str, Cache]:
    """All that remember by what they are asked."""
    found = {}
    for file in PACKAGE.rglob("*.py"):
        if file.name not in STARTS and "functools" in file.read_text(encoding="utf-8"):
            name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
            for key, value in vars(importlib.import_module(name)).items():
                cached = isinstance(value, _lru_cache_wrapper) and value.__module__ == name
                if cached and value.__wrapped__.__code__.co_argcount:
                    found[f"{file.stem}.{key}"] = value
    return found


def long_words(number: int) -> None:
    document.terms(f"a{number}" + LETTER * 500, "en")


def hyphenated_words(number: int) -> None:
    profiles.keys_of("-".join(f"{LETTER * 60}{part}{number}" for part in range(9)), "en")


def long_articles(number: int) -> None:
    document.read_article(Article(LETTER * 500, f"{number} {LETTER * 9} . " * 9_000))


def clauses(number: int) -> None:
    """Of a script without spaces, of which every two letters stand for a word."""
    clause = "".join(chr(0x4E00 + (number * 97 + part * 31) % 20_000) for part in range(24))
    likeness.title_words(clause)


def test_every_cache_is_known_by_what_fills_it() -> None:
    assert caches().keys() == OF_OUR_OWN | IN_PARSERS | OF_STRANGERS


def long_indexed_words(number: int) -> None:
    index_words(f"a{number} {LETTER * 500}{number} {LETTER * 50}{number}", "en")


@pytest.mark.parametrize(
    "fill", [long_words, hyphenated_words, long_articles, long_indexed_words, clauses]
)
def test_no_stranger_fills_the_memory_with_what_is_remembered(fill: Callable[[int], None]) -> None:
    asked = [cache for name, cache in caches().items() if name in OF_STRANGERS]
    fill(-1)
    for cache in asked:
        cache.cache_clear()
    tracemalloc.start()
    for number in range(200):
        fill(number)
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()

    entries = max(cache.cache_info().currsize for cache in asked)
    room = max(cache.cache_info().maxsize or 0 for cache in asked if cache.cache_info().currsize)
    assert kept / entries * room < MOST_BYTES


def test_no_stranger_fills_the_memory_with_where_they_redirect_to() -> None:
    remembered, entries = Remembered(lambda: NOW), 200
    tracemalloc.start()
    for number in range(entries):
        for length in (2000, 8000):
            url = f"https://{number}.example/{length}"
            moved = Answer(301, {"location": f"/{'a' * length}"}, b"")
            remembered.put(url, Trail.starting(url).further(moved), NOW)
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()

    assert remembered.take("https://0.example/2000") is not None
    assert remembered.take("https://0.example/8000") is None
    assert kept / entries * MOST_REMEMBERED < MOST_BYTES


def test_of_very_many_redirects_those_whose_time_is_over_are_forgotten_first() -> None:
    now = NOW
    remembered = Remembered(lambda: now)
    for number in range(MOST_REMEMBERED + 1):
        url = f"https://{number}.example/"
        remembered.put(url, Trail.starting(url), NOW)
    assert remembered.take(f"https://{MOST_REMEMBERED}.example/") is None

    now += timedelta(hours=1)
    remembered.put("https://late.example/", Trail.starting("https://late.example/"), now)

    assert remembered.take("https://late.example/") is not None
    assert remembered.take("https://0.example/") is None
