"""Any text is a query, and what is told of it is what was meant."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from morningdeck.asked.parse import DEEPEST, MOST_TERMS_ASKED, parse_query
from morningdeck.asked.understood import ALL_THERE_IS, NOTHING_ASKED, understood
from morningdeck.asked.wanted import MOST_OF_A_PHRASE, shown_terms, wanted
from morningdeck.model.query import AllOf, AnyOf, Dated, Scored, Term, Without
from tests.conftest import NOW

PIECES = ["(", ")", "-", '"', "OR", "NOT", "AND", "title:", "is:", "score>", "*", " ", "a", "東京"]
QUERIES = st.text() | st.lists(st.sampled_from(PIECES)).map("".join)


def told(text: str) -> str:
    return understood(parse_query(text, now=NOW))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("trump -fbi", "trump, not fbi"),
        ("cats OR dogs food", "cats or dogs, food"),
        ("(cats dogs) OR birds", "(cats and dogs) or birds"),
        ("-(cats OR dogs)", "not (cats or dogs)"),
        ("NOT cats AND dogs", "not cats, dogs"),
        ('"harbour master" resigns', '"harbour master", resigns'),
        ("“harbour master”", '"harbour master"'),
        ('"never closed', '"never closed"'),
        ("harb* opens", "harb*, opens"),
        ('"harbour mas*"', '"harbour mas"*'),
        ("title:harbour topic:energy", "title has harbour, topic has energy"),
        ('author:"Ada Lovelace"', 'author has "Ada Lovelace"'),
        ("TITLE:Harbour", "title has Harbour"),
        ("source:bbc -is:read", "from a source called bbc, not read"),
        ('briefing:"My Energy" score>60', "scored by briefing My Energy, score above 60"),
        ("score>=60 score<90 score:7", "score of at least 60, score below 90, score of 7"),
        ("after:2026-11-01 before:2026-12", "since 2026-11-01, before 2026-12-01"),
        ("after:yesterday", "since 2026-11-17"),
        ("after:3h", "since 2026-11-18 04:00"),
        ("is:unread OR is:saved", "unread or saved"),
        ("lang:de-AT", "in language de"),
        ("C++ AT&T .NET #3", "C++, AT&T, .NET, #3"),
        ("e-mail well-known", "e-mail, well-known"),
        ("", ALL_THERE_IS),
        ("   ", ALL_THERE_IS),
    ],
)
def test_what_was_understood_is_what_was_meant(text: str, meant: str) -> None:
    assert told(text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("colour:red", "colour:red"),
        ("title: harbour", "title:, harbour"),
        ("is:odd", "is:odd"),
        ("score>many", "score>many"),
        ("after:soon after:2026-02-30", "after:soon, after:2026-02-30"),
        ("lang:!", "lang:!"),
        ("12:30", "12:30"),
        ("https://x.example/a?b=1", "https://x.example/a?b=1"),
        ("--help", "--help"),
    ],
)
def test_what_makes_no_sense_is_words(text: str, meant: str) -> None:
    assert told(text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("OR", "OR"),
        ("NOT", "NOT"),
        ("and or not", "and, or, not"),
        ("cats OR", "cats"),
        ("OR cats", "cats"),
        ("(cats OR) dogs", "cats, dogs"),
        ("cats NOT", "cats"),
        ("cats - dogs", "cats, dogs"),
        ("cats )( dogs", "cats, dogs"),
        ("((cats", "cats"),
        ("cats ((((", "cats"),
        ('cats ""', "cats"),
        ("-", NOTHING_ASKED),
        ("((((", NOTHING_ASKED),
        ('""', NOTHING_ASKED),
        ("*", NOTHING_ASKED),
        ("$ %", NOTHING_ASKED),
        ("\u06e5", NOTHING_ASKED),
        ("cats \ufe70", "cats"),
        ('title:"new y"*', 'title has "new y"*'),
    ],
)
def test_signs_that_join_nothing_are_what_a_person_would_expect(text: str, meant: str) -> None:
    assert told(text) == meant


def test_only_the_last_word_of_all_may_be_unfinished() -> None:
    assert [term.unfinished for term in shown_terms(parse_query("new harb").asks)] == [False, True]
    for finished in ("new harb ", '"new harb"', "harb*", "new title:harb", "new -harb"):
        terms = parse_query(finished).asks
        assert not any(term.unfinished for term in shown_terms(terms)), finished
    assert parse_query("new -harb").asks == AllOf((Term("new"), Without(Term("harb"))))


def test_days_are_those_of_the_reader() -> None:
    paris = ZoneInfo("Europe/Paris")
    asked = parse_query("after:2026-11-01", now=NOW, zone=paris)

    assert asked.asks == Dated("2026-11-01", after=datetime(2026, 10, 31, 23, tzinfo=UTC))
    assert understood(asked) == "since 2026-11-01"
    assert understood(parse_query("after:2d")) == "after:2d"  # nobody knows what time it is


def test_a_score_is_by_the_briefing_beside_it() -> None:
    assert parse_query("score>60 briefing:Energy").asks == AllOf(
        (Scored(">", 60, ("Energy",)), parse_query("briefing:Energy").asks)
    )


def test_too_many_words_are_left_out_and_it_says_so() -> None:
    asked = parse_query("word " * (MOST_TERMS_ASKED + 3))

    assert asked.left_out == 3
    assert understood(asked).endswith("; 3 more left out, they are too many")


def test_a_query_as_long_as_a_book_is_cut() -> None:
    whole = parse_query("a.b" * 100_000)
    (term,) = shown_terms(whole.asks)

    assert len(wanted(term).phrase) == MOST_OF_A_PHRASE
    assert whole.left_out == 1


def test_brackets_deeper_than_any_person_would_go_are_no_trouble() -> None:
    deep = "(" * 1_000 + "cats OR dogs" + ")" * 1_000

    assert "cats" in told(deep)
    assert DEEPEST < 100


def test_however_often_not_is_said_is_no_trouble() -> None:
    assert told("NOT " * 901 + "cats dogs") == "not cats, dogs"
    assert told("(" + "NOT " * 900 + "cats) dogs") == "cats, dogs"


@given(QUERIES)
@example("-(-(-a")
@example("\0 \ud800")
def test_no_text_fails(text: str) -> None:
    asked = parse_query(text, now=NOW)

    assert asked.text == text
    assert understood(asked)
    for term in shown_terms(asked.asks):
        asks = wanted(term)
        assert asks.phrase or asks.besides or asks.instead


@given(QUERIES.filter(str.strip))
def test_only_blanks_ask_for_everything(text: str) -> None:
    assert parse_query(text).asks != AllOf()


def test_every_naughty_string_is_understood_somehow(corpora: Path) -> None:
    strings = json.loads((corpora / "naughty-strings" / "blns.json").read_text(encoding="utf-8"))

    for text in strings:
        assert told(text)
        assert (told(text) == ALL_THERE_IS) == (not text.strip())
    assert parse_query("$$$").asks == AnyOf()
