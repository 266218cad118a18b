"""Questions to the server: filters are values, whatever a reader types."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morningdeck.asked.names import named_in
from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import ItemFilter, SearchQuery
from morningdeck.model.indexing import Reach
from morningdeck.search.phrasing import WORDS_READ, NotSayableError
from morningdeck.search.translation import MANY_IN_A_ROW, MOST_QUERIES, order_of, translated
from tests.conftest import NOW

OWN = "(source_id IN [3, 5] OR saved = 7)"
ATTRIBUTES = {
    *("source_id", "saved", "read", "date", "language", "topic_forms", "author_forms", "id"),
    *("AND", "OR", "NOT", "IN", "EXISTS", "STARTS", "WITH", "best.u7", "scores.b9"),
}


BITS: tuple[str, ...] = (
    "title:",
    "topic:",
    "author:",
    "lang:",
    "source:",
    '"',
    "\\",
    "' OR 1=1",
    "] OR id > 0",
)
BITS += (")", "x", "é", "東京", "is:read", "OR", "-", " ")


def reach_of(text: str) -> Reach:
    named = named_in(parse_query(text, now=NOW).asks)
    sources = dict.fromkeys(named.sources, (3,))
    return Reach(((3, 3), (5, 5)), sources, dict.fromkeys(named.briefings, (9,)))


def asked(text: str, sort: str = "relevance", **only: Any) -> Any:
    query = SearchQuery(7, parse_query(text, now=NOW), ItemFilter(**only), sort)
    return translated(query, reach_of(text), ("en",))


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("wind is:unread", "NOT read = 7"),
        ("wind is:saved", "saved = 7"),
        ("wind score>60", "best.u7 > 60"),
        ("wind briefing:Energy", "(scores.b9 EXISTS)"),
        ("wind source:Times", "source_id IN [3]"),
        ("wind -source:Times", "NOT (source_id IN [3])"),
        ("wind lang:de", '(language = "de" OR language STARTS WITH "de-")'),
        (
            "wind topic:Energy",
            '((topic_forms = "energy" OR topic_forms = "·energi" OR topic_forms = "·energy"))',
        ),
        ("wind (is:read OR is:saved)", "(read = 7 OR saved = 7)"),
        ("wind before:2026-11-01", "(date < 1793491200.0)"),
    ],
)
def test_fields_are_filters(text: str, filters: str) -> None:
    (one, *_) = asked(text)

    assert one.text.strip() == "wind"
    assert one.filter == f"{OWN} AND {filters}"


def test_sources_that_follow_each_other_are_named_by_their_ends() -> None:
    query = SearchQuery(7, parse_query("wind", now=NOW), ItemFilter())
    many = ((2, 2), (10, 9 + MANY_IN_A_ROW), (40, 41), (100, 999))

    for runs, told in (
        (many, "(source_id 10 TO 17 OR source_id 100 TO 999 OR source_id IN [2, 40, 41])"),
        (((5, 99),), "source_id 5 TO 99"),
        ((), "source_id IN []"),
    ):
        (one, *_) = translated(query, Reach(runs, {}, {}), ("en",))
        assert one.filter == f"({told} OR saved = 7)"


def test_sources_of_a_name_are_told_as_shortly() -> None:
    query = SearchQuery(7, parse_query("wind source:Times", now=NOW), ItemFilter())
    reach = Reach(((1, 90),), {"Times": (30, 2, *range(10, 20))}, {})

    (one, *_) = translated(query, reach, ("en",))

    assert "(source_id 10 TO 19 OR source_id IN [2, 30])" in one.filter


def test_words_with_or_are_several_queries() -> None:
    texts = [one.text for one in asked('wind OR "heat pumps" -oil')]

    assert texts == ['wind -"oil" ', '"heat pumps" -"oil" ']


def test_nobody_is_asked_for_nothing() -> None:
    assert asked("((((") == ()
    assert [one.text for one in asked("")] == [""]


@pytest.mark.parametrize(
    "text",
    [
        " ".join(f"word{number}" for number in range(WORDS_READ + 1)),
        "off* win*",
        '"two beginn"*',
        "oil-price",
        "-wind*",
        "title:wind farms",
        "(a1 OR b1) (c1 OR d1) (e1 OR f1) (g1 OR h1)",
    ],
)
def test_what_the_server_has_no_words_for_is_not_asked(text: str) -> None:
    with pytest.raises(NotSayableError):
        asked(text)


def test_an_order_comes_before_relevance() -> None:
    def order(text: str, sort: str, **only: Any) -> list[str]:
        return order_of(SearchQuery(7, parse_query(text), ItemFilter(**only), sort))

    newest = ["date:desc", "id:desc"]
    assert order("wind", "relevance") == []
    assert order("is:unread", "relevance") == newest
    assert order("wind", "date") == newest
    assert order("wind", "score") == ["best.u7:desc", *newest]
    assert order("wind", "score", briefing_id=9) == ["scores.b9:desc", *newest]


@given(st.text(max_size=80) | st.lists(st.sampled_from(BITS)).map("".join))
def test_no_text_gets_into_a_filter_but_as_a_string(text: str) -> None:
    try:
        queries = asked(text)
    except NotSayableError:
        return
    assert len(queries) <= MOST_QUERIES
    for one in queries:
        assert one.filter.startswith(OWN)
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", one.filter)
        assert set(re.findall(r"[A-Za-z_][\w.]*", bare)) <= ATTRIBUTES
        for string in re.findall(r'"(?:[^"\\]|\\.)*"', one.filter):
            json.loads(string)
