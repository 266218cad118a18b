"""A highlight marks what matched, and nothing that looks like it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morningdeck.asked.highlight import AROUND, highlight
from morningdeck.asked.parse import parse_query
from morningdeck.asked.wanted import shown_terms, wanted


def shown(text: str, query: str, language: str | None = None) -> str:
    terms = [wanted(term) for term in shown_terms(parse_query(query).asks)]
    return highlight({"title": "", "content": text}, terms, language)


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("The harbour master", "harb", "The <mark>harbour</mark> master"),
        (
            "harbour and harbour master",
            '"harbour master"',
            "harbour and <mark>harbour master</mark>",
        ),
        ("c and C++ and c#", "C++", "c and <mark>C++</mark> and c#"),
        ("at t, AT&T", "at&t", "at t, <mark>AT&amp;T</mark>"),
        ("Cafe\u0301s", "cafe", "<mark>Cafés</mark>"),
        ("東京都庁", "京都", "東<mark>京都</mark>庁"),
        ("東京都庁", "都", "東京<mark>都</mark>庁"),
        ("한국어로", "국어", "한<mark>국어</mark>로"),
        ("trump and fbi", "trump -fbi", "<mark>trump</mark> and fbi"),
        ("an author's title", "author:author title:title", "an author's title"),
    ],
)
def test_what_matched_is_marked(text: str, query: str, marked: str) -> None:
    assert shown(text, query) == marked


def test_other_forms_are_marked_where_the_language_is_known() -> None:
    assert shown("Ferries run", "ferry ", "en") == "<mark>Ferries</mark> run"
    assert shown("Die Häuser", "haus ", "de") == "Die <mark>Häuser</mark>"


def test_a_match_far_down_is_found_and_the_text_cut_around_it() -> None:
    found = shown(f"{'before ' * 2_000}needle {'after ' * 50}", "needle")

    assert "before <mark>needle</mark> after" in found
    assert len(found) < 4 * AROUND


def test_no_word_is_cut_at_either_end() -> None:
    text = "clause " * 40 + "needle " + "clause " * 40

    for query in ("needle", "nothing"):
        words = set(re.sub(r"</?mark>", "", shown(text, query)).split())
        assert words <= {"…", "clause", "needle"}


@given(st.text(max_size=300), st.text(max_size=20))
def test_it_is_safe_whatever_stands_in_it(text: str, query: str) -> None:
    found = shown(text, query)

    without = re.sub(r"</?mark>", "", found)
    assert "<" not in without
    assert ">" not in without
    assert found.count("<mark>") == found.count("</mark>")
    assert unescape(without) is not None
