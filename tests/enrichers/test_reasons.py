"""Why a score is what it is, in each language that a briefing may have."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from morningdeck.enrichers.reasons import LONGEST_QUOTE, reasons
from morningdeck.languages import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_tells_all_that_english_does(language: str) -> None:
    english, told = asdict(reasons("en")), asdict(reasons(language))

    assert {name: text.count("{}") for name, text in told.items()} == {
        name: text.count("{}") for name, text in english.items()
    }
    assert language == "en" or not {told[name] for name in told} & set(english.values())


def test_a_region_is_told_in_its_language_and_another_language_in_english() -> None:
    assert reasons("pt-BR").both == "{} e {}"
    assert reasons("pl") is reasons(None) is reasons("en")


def test_at_most_two_are_quoted_and_a_long_one_is_cut_at_a_word() -> None:
    told = reasons("en")

    assert told.quote(["ships", "ports", "quays"]) == "'ships' and 'ports'"
    assert told.quote(["ships", "ports"], told.either) == "'ships' or 'ports'"
    assert told.quote([]) == ""
    assert told.quote(["harbour " * 20]) == f"'{' '.join(['harbour'] * 7)}…'"
    assert len(told.quote(["harbour " * 20])) <= LONGEST_QUOTE + 2
