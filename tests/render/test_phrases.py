"""The languages of the frame, each whole."""

from __future__ import annotations

import string
from dataclasses import asdict
from datetime import date
from typing import Any

import pytest

from morningdeck.languages import LANGUAGES, phrases

OTHERS = [language for language in LANGUAGES if language != "en"]
PATTERNS = {"day", "full_day"}
SAME = {
    "locale",
    "quoted",
    "titled",
    "reading_time",
    "minutes",
    "day",
    "full_day",
    "others",
    "test",
}
"""What may be said with the same letters as in English."""


def holes(phrase: str | dict[str, str]) -> Any:
    if isinstance(phrase, dict):
        return {form: holes(text) for form, text in phrase.items()}
    return sorted(name for _, name, _, _ in string.Formatter().parse(phrase) if name is not None)


def test_the_languages_are_those_that_are_promised() -> None:
    assert LANGUAGES == ("de", "en", "es", "fr", "it", "nl", "pt")


@pytest.mark.parametrize("language", OTHERS)
def test_each_language_says_all_that_english_does(language: str) -> None:
    english, told = asdict(phrases("en")), asdict(phrases(language))
    assert {name: holes(text) for name, text in told.items() if name not in PATTERNS} == {
        name: holes(text) for name, text in english.items() if name not in PATTERNS
    }
    same = {name for name, text in told.items() if text == english[name]} - SAME
    assert not same, f"{language} says these in English: {same}"
    assert all(text if isinstance(text, str) else all(text.values()) for text in told.values())


@pytest.mark.parametrize(
    ("language", "counts"),
    [
        ("en", ["0 stories", "1 story", "12,345 stories"]),
        ("de", ["0 Meldungen", "1 Meldung", "12.345 Meldungen"]),
        ("fr", ["0 sujet", "1 sujet", "12\u202f345 sujets"]),
        ("pt", ["0 notícia", "1 notícia", "12.345 notícias"]),
    ],
)
def test_numbers_have_the_form_of_their_language(language: str, counts: list[str]) -> None:
    spoken = phrases(language)
    assert [spoken.counted(spoken.stories, number) for number in (0, 1, 12_345)] == counts


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_date_has_its_day_and_no_letter_of_its_pattern(language: str) -> None:
    spoken = phrases(language)
    written = spoken.dated(date(2026, 8, 31), spoken.full_day)
    assert "31" in written
    assert "2026" not in written
    assert not {"EEEE", "MMMM", "'"} & set(written.split())


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("es", "1 noticia, tema nuevo esta semana"),
        ("it", "1 notizia, tema nuovo questa settimana"),
        ("pt", "1 notícia, tema novo esta semana"),
    ],
)
def test_it_is_the_topic_that_is_new_and_not_its_one_story(language: str, told: str) -> None:
    spoken = phrases(language)

    assert spoken.new_this_week.format(stories=spoken.counted(spoken.stories, 1)) == told
