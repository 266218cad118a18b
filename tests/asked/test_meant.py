"""What a query says of its subject, and what it forbids whatever its subject is."""

from __future__ import annotations

import pytest

from morningdeck.asked.meant import limits, words_meant
from morningdeck.asked.parse import parse_query
from morningdeck.model.query import (
    AllOf,
    AnyOf,
    Asks,
    InLanguage,
    Marked,
    NamedSource,
    Term,
    Without,
)


@pytest.mark.parametrize(
    ("query", "words", "limit"),
    [
        ("crude oil", "crude oil", AllOf()),
        ("oil -fbi", "oil", Without(Term("fbi"))),
        ("oil OR gas", "oil gas", AllOf()),
        ("oil OR lang:de", "oil", AllOf()),
        ("lang:de OR is:saved", "", AnyOf((InLanguage("de"), Marked("saved")))),
        ('oil "north sea"', "oil north sea", Term("north sea", quoted=True)),
        ("oil source:Wire", "oil", NamedSource("Wire")),
        ("(oil -(gas coal))", "oil", Without(AllOf((Term("gas"), Term("coal"))))),
        ("title:oil", "oil", Term("oil", place="title")),
        ("author:Ada", "", Term("Ada", place="author")),
        ("", "", AllOf()),
        ("((((", "", AnyOf()),
    ],
)
def test_plain_words_tell_the_subject_and_all_else_limits(
    query: str, words: str, limit: Asks
) -> None:
    asks = parse_query(query).asks

    assert (words_meant(asks), limits(asks)) == (words, limit)
