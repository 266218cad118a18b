"""Words of an index: the same for all ways to write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morningdeck.asked.stems import stems_asked, stems_in
from morningdeck.asked.wanted import Wanted, wanted
from morningdeck.asked.words import (
    LONGEST_FORM,
    Form,
    Joined,
    fold,
    forms_in,
    joined_in,
    spelled_in,
)
from morningdeck.model.query import Term


def forms(text: str) -> list[str]:
    return [one.form for one in forms_in(text)]


def joined(text: str) -> list[str]:
    return [one.form for one in joined_in(text)]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Café", "cafe"),
        ("Cafe\u0301", "cafe"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("ﬁndet", "findet"),
        ("Łódź", "lodz"),
        ("Ελλάδα", "ελλαδα"),
        ("йод", "иод"),
        ("har\u00adbour", "harbour"),
        ("ＡＢＣ１２", "abc12"),
        ("ｶﾞ", "ガ"),
        ("か\u3099", "が"),
        ("مُحَمَّد", "محمد"),
        ("हिन्दी", "हिन्दी"),
        ("می\u200cخواهم", "میخواهم"),
    ],
)
def test_ways_to_write_a_word_are_one_word(text: str, same: str) -> None:
    assert fold(text) == fold(same)
    assert forms(text) == forms(same) != []


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("富士山", ["富士", "士山", "山"]),
        ("한국어", ["한국", "국어", "어"]),
        ("ไทย", ["ไท", "ทย", "ย"]),
        ("5月 iPhone発売", ["5", "月", "iphone", "発売", "売"]),
        ("が", ["が"]),
    ],
)
def test_scripts_without_spaces_are_pieces_of_two(text: str, pieces: list[str]) -> None:
    assert forms(text) == pieces


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C++ and C/C++ or C++20", ["cplusplus"] * 3),
        ("C#, F#", ["csharp", "fsharp"]),
        ("AT&T", ["atandt"]),
        (".NET", ["dotnet"]),
        ("#3 #climate", ["hash3", "hashclimate"]),
        ("Node.js don’t e-mail", ["nodejs", "dont", "email"]),
        ("GPT-4 U.S.", ["gpt4", "us"]),
        ("1.25 2026-11-18 .5", []),
        ("train/ferry a - b ...", []),
    ],
)
def test_words_with_signs_are_one_word_more(text: str, words: list[str]) -> None:
    assert joined(text) == words


def test_a_word_with_signs_is_more_than_its_parts() -> None:
    assert wanted(Term("C++")) == Wanted(besides=("cplusplus",))
    assert wanted(Term("AT&T results", quoted=True)) == Wanted(
        ("at", "t", "results"), besides=("atandt",)
    )
    assert wanted(Term("e-mail")) == Wanted(("e", "mail"), instead=("email",))
    assert wanted(Term("U.S.")).instead == ()


def test_a_part_of_a_run_may_go_on_at_its_end() -> None:
    assert wanted(Term("富士山")).phrase == ("富士", "士山")
    assert wanted(Term("山")) == Wanted(("山",), open_end=True)
    assert wanted(Term("東京 5月", quoted=True)).phrase == ("東京", "京", "5", "月")


def test_unfinished_words_are_beginnings_when_they_are_long_enough() -> None:
    assert wanted(Term("harb", unfinished=True)).open_end
    assert not wanted(Term("ha", unfinished=True)).open_end
    assert wanted(Term("h", prefix=True)).open_end


def test_stems_are_those_of_their_language() -> None:
    text = "Die Häuser"

    assert [one.form for one in stems_in(text, forms_in(text), "de-AT")] == ["·die", "·haus"]
    assert "·haus" in stems_asked("Haus")
    assert "·run" in stems_asked("running")
    assert len(stems_asked("harbours")) == 2
    assert stems_in(text, forms_in(text), None) == []
    assert stems_asked("дома") == ("·дом",)


def test_a_quoted_or_open_word_has_no_other_forms() -> None:
    assert wanted(Term("running", quoted=True)).instead == ()
    assert wanted(Term("running", prefix=True)).instead == ()
    assert "·run" in wanted(Term("running")).instead


SLOW = " " + "東" * 400
"""Behind a text, it makes that be read character by character."""
LATIN = st.text(alphabet=st.sampled_from("aZ9 .-&+#'_’“–äßñİ½²€\u2011\u0301\n\u00a0"), max_size=100)


@given(LATIN)
def test_the_short_way_through_a_latin_text_leads_to_the_same_words(text: str) -> None:
    long_way = [one for one in forms_in(text + SLOW) if one.start < len(text)]

    assert forms_in(text) == long_way
    assert [form for _, form in spelled_in(text)] == [one.form for one in long_way]
    assert joined_in(text) == [one for one in joined_in(text + SLOW) if one.start < len(text)]


@given(st.text())
def test_every_form_stands_where_it_says(text: str) -> None:
    found: list[Form | Joined] = [*forms_in(text), *joined_in(text)]
    for one in found:
        assert 0 <= one.start < one.end <= len(text)
        assert one.form
        assert not set(one.form) & set(" \0\"'*()&|!:<>\\")
        assert len(one.form) <= LONGEST_FORM + 1


@given(st.text())
def test_a_form_is_its_own_form(text: str) -> None:
    """So that what was told of an index can be asked of it."""
    for word in forms(text):
        assert fold(word) == word or fold(fold(word)) == fold(word)


def test_no_naughty_string_is_trouble(corpora: Path) -> None:
    strings = json.loads((corpora / "naughty-strings" / "blns.json").read_text(encoding="utf-8"))

    assert all(isinstance(forms(text) + joined(text), list) for text in strings)
