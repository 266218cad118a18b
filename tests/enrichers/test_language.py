"""Which language a text is in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from morningdeck.enrichers.language import detect_language, language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The harbour was closed for most of the day", "en"),
        ("Bundeskanzler Merz reist nach Paris", "de"),
        ("L'hiver arrive sur Paris et la neige tombe", "fr"),
        ("El gobierno aprueba los presupuestos del próximo año", "es"),
        ("Il governo approva la manovra economica", "it"),
        ("Het kabinet is gevallen na een lang debat over asiel", "nl"),
        ("東京で地震が発生しました。津波の心配はありません", "ja"),
        ("שלום עולם, מה שלומכם היום", "he"),
        ("O governo aprovou o orçamento do próximo ano", "pt"),
        ("Правительство утвердило бюджет на следующий год", "ru"),
        ("정부가 내년도 예산안을 확정했다고 밝혔다", "ko"),
        ("政府公布了明年的预算方案并表示将继续支持经济", "zh"),
        ("أعلنت الحكومة عن ميزانية العام المقبل", "ar"),
        ("地震", "zh"),
        ("地震が発生", "ja"),
        ("지진 발생", "ko"),
        ("THE HARBOUR WAS CLOSED FOR MOST OF THE DAY", "en"),
    ],
)
def test_a_sentence_is_enough(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text", ["", "Hello", "🎉🎉🎉", "24.04 / 3.11", "https://example.org/the/path"]
)
def test_too_little_text_has_no_language(text: str) -> None:
    assert detect_language(text) is None


def test_addresses_do_not_make_a_german_text_english() -> None:
    text = "Die Brücke ist offen: https://example.org/the-bridge-is-open-again-at-last-today"

    assert detect_language(text) == "de"


def test_any_text_gets_an_answer(corpora: Path) -> None:
    naughty = json.loads((corpora / "naughty-strings" / "blns.json").read_text())

    codes = {detect_language(text) for text in [*naughty, "x\n" * 500_000, "lone \ud83d half " * 9]}

    assert all(code is None or len(code) == 2 for code in codes)


def test_a_feed_that_states_another_language_is_not_believed() -> None:
    german = "Die Brücke ist seit gestern wieder offen"

    assert language_of(german, stated="en-US") == "de"
    assert language_of("True Detective finale swamps HBO GO", stated="en-US") == "en"
    assert language_of("1:0", stated="en-US") == "en"
    assert language_of("1:0", stated=None) is None
