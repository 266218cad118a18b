from __future__ import annotations

import pytest

from morningdeck.plaintext import one_line, shorten, slug


@pytest.mark.parametrize(
    ("foreign", "harmless"),
    [
        ("a\r\nBcc: b", "a Bcc: b"),
        ("tab\tand\x00null\x1b", "tab andnull"),
        ("half a pair \ud83d", "half a pair"),
        ("\u202egpj.exe", "gpj.exe"),
        ("family 👩‍👩‍👧 עברית", "family 👩‍👩‍👧 עברית"),
    ],
)
def test_foreign_text_becomes_one_harmless_line(foreign: str, harmless: str) -> None:
    assert one_line(foreign) == harmless


def test_text_is_shortened_between_words() -> None:
    assert shorten("one two three four", 12) == "one two…"
    assert shorten("one two", 12) == "one two"
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
