from __future__ import annotations

import pytest

from morningdeck.plaintext import (
    at_sentence,
    direction,
    one_line,
    reading_minutes,
    shorten,
    slug,
)


@pytest.mark.parametrize(
    ("foreign", "harmless"),
    [
        ("a\r\nBcc: b", "a Bcc: b"),
        ("tab\tand\x00null\x1b", "tab andnull"),
        ("half a pair \ud83d", "half a pair"),
        ("\u202egpj.exe", "gpj.exe"),
        ("family 👩‍👩‍👧 עברית", "family 👩‍👩‍👧 עברית"),
        ("\u200b\ufeff\u00ad \u0301", ""),
    ],
)
def test_foreign_text_becomes_one_harmless_line(foreign: str, harmless: str) -> None:
    assert one_line(foreign) == harmless


def test_text_is_shortened_between_words() -> None:
    assert shorten("one two three four", 12) == "one two…"
    assert shorten("one two", 12) == "one two"
    assert shorten("one two… three four", 12) == "one two…"
    assert shorten("x" * 50, 12) == "x" * 11 + "…"
    assert shorten("anything", 0) == ""


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Energy & grid", "energy-grid"),
        ("Überblick: Größe!", "uberblick-groe"),
        ("../../etc/passwd", "etc-passwd"),
        ("今日のニュース", "briefing"),
        ("", "briefing"),
        ("word " * 40, "word-word-word-word-word-word-word-word"),
    ],
)
def test_a_slug_is_safe_in_a_file_name(title: str, expected: str) -> None:
    assert slug(title) == expected


def test_a_text_ends_after_a_sentence_where_that_keeps_half_of_it() -> None:
    text = 'It began in March. "It ends now," she said. And then it went on.'
    assert at_sentence(text, 50) == 'It began in March. "It ends now," she said.'
    assert at_sentence(text, 100) == text
    assert at_sentence("One. " + "word " * 20, 40) == "One. " + "word " * 5 + "word…"
    assert at_sentence("最初の文。次の文。三番目の文。", 10) == "最初の文。次の文。"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Jurors have not agreed. They heard the case of U.S. Sen. Bob Menendez.", "agreed."),
        ("Das Haus ist fertig gebaut. Es öffnet am 3. Mai in Bonn mit einem Fest.", "gebaut."),
        ('Ein Lied für jeden. Er hat "Und wer bist du?" verstanden wie kein Zweiter.', "jeden."),
        ("It opened in 2015. It has a hall, two rooms and, say guests, a garden.", "2015."),
    ],
)
def test_a_sentence_does_not_end_where_it_goes_on(text: str, kept: str) -> None:
    for limit in range(len(text) - 30, len(text)):
        ended = at_sentence(text, limit)
        assert ended.endswith((kept, "…"))


@pytest.mark.parametrize(
    ("text", "runs"),
    [("abc", "ltr"), ("12 עברית abc", "rtl"), ("«العربية»", "rtl"), ("漢字", "ltr"), ("12", "rtl")],
)
def test_a_text_runs_as_its_first_letter(text: str, runs: str) -> None:
    assert direction(text, "rtl") == runs


@pytest.mark.parametrize(
    ("text", "minutes"), [("", 1), ("word " * 660, 3), ("漢" * 900, 2), ("漢 word " * 440, 3)]
)
def test_reading_takes_a_minute_for_so_many_words_or_signs(text: str, minutes: int) -> None:
    assert reading_minutes(text) == minutes
