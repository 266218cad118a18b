"""What an index holds of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from morningdeck.asked.indexed import LONGEST_SECTION, SET_APART, index_names, index_words
from morningdeck.asked.words import forms_in, has_words


def test_other_ways_to_find_a_word_stand_behind_and_apart() -> None:
    assert index_words("C++ Ferries", "en") == ["c", "ferries", SET_APART, "cplusplus", "·ferri"]
    assert index_words("Ferries") == ["ferries"]
    assert index_names(["Ada Quay", "C#"]) == [
        "ada",
        "quay",
        SET_APART,
        "c",
        SET_APART,
        "csharp",
        "·",
    ]


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_short_way_for_plain_letters_leads_to_the_same_words(text: str) -> None:
    words = index_words(text)

    plain = words[: words.index(SET_APART)] if SET_APART in words else words
    assert plain == [one.form for one in forms_in(text)]


@given(st.text())
def test_nothing_can_look_for_what_sets_apart(text: str) -> None:
    assert SET_APART not in [one.form for one in forms_in(text)]
    assert not has_words(SET_APART)


def test_what_is_too_long_is_cut() -> None:
    assert len(index_words("a " * LONGEST_SECTION)) == LONGEST_SECTION // 2
    assert len(index_names(["Ada"] * 10_000)) < 1_000
