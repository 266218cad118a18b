"""The port `SearchIndex`: the query language means the same in every index.

Words, phrases, beginnings, fields, filters and all of them together; ten languages; any text
at all, as a query and as a title.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import ItemFilter, SearchAnswer, SearchQuery
from morningdeck.ports.verbs import SearchIndex
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import item_states, items
from tests.conftest import NOW
from tests.contracts.search_index import push
from tests.contracts.search_words import EXPECTED, TEXTS
from tests.factories import (
    change,
    make_briefing,
    make_item,
    make_score,
    make_source,
    make_subscription,
    make_user,
)

DAY = timedelta(days=1)
SIGNS = (*'()-"*:&|!~<>', "OR", "NOT", "title:", "a", "東", "x*")


class Library:
    """A reader with a few items, in whatever index."""

    def __init__(self, database: Database, index: SearchIndex) -> None:
        self.database, self.index = database, index
        self.reader = make_user(database)
        self.source = self.subscribe("Harbour Courier")

    def subscribe(self, name: str) -> int:
        source = make_source(self.database, title=name)
        make_subscription(self.database, self.reader, source)
        return source

    def item(self, title: str, text: str = "", **values: Any) -> int:
        row = {"title": title, "summary": text, "status": "DONE", "search_mark": 1, **values}
        item = make_item(self.database, row.pop("source_id", self.source), **row)
        push(self.database, self.index, item)
        return item

    def mark(self, item: int, **values: Any) -> None:
        with self.database.write() as connection:
            row = {"user_id": self.reader, "item_id": item, **values}
            connection.execute(item_states.insert().values(row))
        self.changed(item)

    def score(self, item: int, briefing: int, score: int) -> None:
        make_score(self.database, item, briefing, score)
        self.changed(item)

    def changed(self, item: int) -> None:
        change(self.database, items, item, search_mark=2)
        push(self.database, self.index, item)

    def search(self, text: str, *, sort: str = "relevance", **only: Any) -> SearchAnswer:
        asked = parse_query(text, now=NOW)
        query = SearchQuery(self.reader, asked, ItemFilter(**only), sort, limit=50)
        answer = self.index.search(query)
        assert not answer.degraded, text
        return answer

    def found(self, text: str, **only: Any) -> list[int]:
        return sorted(hit.id for hit in self.search(text, **only).hits)


class WithLibrary:
    """Give it the fixtures `index` and `database`, the one whose items are indexed."""

    @pytest.fixture
    def library(self, database: Database, index: SearchIndex) -> Library:
        return Library(database, index)


class SearchLanguage(WithLibrary):
    # ---- words

    @pytest.mark.parametrize("language", TEXTS)
    def test_each_language_is_found_by_its_words(self, library: Library, language: str) -> None:
        items = [library.item(*texts, language=language) for texts in TEXTS[language]]
        expected = [one for one in EXPECTED if one.language == language]

        assert len(expected) >= 10
        for one in expected:
            finds = [items[place] for place in one.finds]
            assert library.found(f"{one.query} ") == finds, one.query

    def test_words_exclude_join_and_group(self, library: Library) -> None:
        trump, both = library.item("Trump speaks"), library.item("Trump and the FBI")
        fbi = library.item("FBI opens case")

        assert library.found("trump -fbi") == [trump]
        assert library.found("fbi -trump") == [fbi]
        assert library.found("-trump") == [fbi]
        assert library.found("speaks OR case") == [trump, fbi]
        assert library.found("(speaks OR case) fbi") == [fbi]
        assert library.found("-(speaks OR case)") == [both]
        assert library.found('"the fbi"') == [both]
        assert library.found("op* cas*") == [fbi]
        assert library.found("-op*") == [trump, both]

    @pytest.mark.parametrize("text", ["((((", "-", '""', "*", "$ % ^", "-()"])
    def test_without_a_word_to_look_for_nothing_is_found(self, library: Library, text: str) -> None:
        library.item("Harbour opens")

        assert library.search(text).total == 0

    # ---- fields

    def test_fields_are_where_a_word_stands(self, library: Library) -> None:
        tags = {"topics": ["harbour policy"], "people": ["Ada Quay"]}
        title = library.item("Harbour opens", "Ships are in.")
        other = library.item("News", "The harbour opens.", author="Ben Harbour", tags=tags)

        assert library.found("title:harbour") == [title]
        assert library.found("-title:harbour") == [other]
        assert library.found('topic:"harbour policy"') == [other]
        assert library.found("topic:policy") == library.found("topic:pol*") == [other]
        assert library.found("author:harb*") == library.found("author:ben") == [other]
        assert library.found("topic:ada") == []
        assert library.found("title:harbour OR author:harbour") == [title, other]
        assert library.found("-harbour OR author:ben") == [other]
        assert library.found("-opens OR topic:policy") == [other]

    def test_a_source_is_called_by_a_part_of_its_name(self, library: Library) -> None:
        here = library.item("Harbour opens")
        tide = library.subscribe("Ledger & Tide")
        there = library.item("Harbour closes", source_id=tide)

        assert library.found("source:courier") == [here]
        assert library.found('harbour source:"ledger & ti"') == [there]
        assert library.found(f"source:{tide}") == [there]
        assert library.found("-source:tide") == [here]
        assert library.found("source:nobody") == []

    def test_languages_days_and_marks_are_filters(self, library: Library) -> None:
        old = library.item("Old harbour", language="de-AT", published_at=NOW - 20 * DAY)
        new = library.item("New harbour", language="en", published_at=NOW - DAY)
        library.mark(old, read_at=NOW)
        library.mark(new, saved_at=NOW)

        assert library.found("lang:de") == library.found("is:read") == [old]
        assert library.found("lang:de-AT") == [old]
        assert library.found("lang:EN") == library.found("is:unread") == [new]
        assert library.found("is:saved") == library.found("-is:read") == [new]
        assert library.found("before:2026-11-01") == [old]
        assert library.found("after:2026-11-01 harbour") == library.found("after:3d") == [new]
        assert library.found("is:saved OR lang:de") == [old, new]
        assert library.found("old OR is:saved") == [old, new]

    def test_what_is_in_no_known_language_is_not_in_german(self, library: Library) -> None:
        library.item("Alter Hafen", language="de-AT")
        english, unknown = library.item("Old quay", language="en"), library.item("Quay 7")

        assert library.found("-lang:de") == [english, unknown]
        assert library.found("-(lang:de OR old)") == [unknown]

    def test_scores_are_those_of_the_briefing_that_is_named(self, library: Library) -> None:
        energy = make_briefing(library.database, library.reader, title="My Energy")
        ships = make_briefing(library.database, library.reader, title="Ships")
        high, low = library.item("Harbour power"), library.item("Harbour ships")
        none = library.item("Harbour")
        library.score(high, energy, 80)
        library.score(low, energy, 30)
        library.score(low, ships, 70)

        assert library.found("score>60") == [high, low]
        assert library.found("score>=80") == library.found("score=80") == [high]
        assert library.found("score<75") == [low]
        assert library.found("briefing:energy") == [high, low]
        assert library.found("briefing:energy score>60") == [high]
        assert library.found(f"briefing:{ships}") == [low]
        assert library.found("-briefing:energy harbour") == [none]
        assert library.found("briefing:chess") == []

    @pytest.mark.parametrize("sort", ["relevance", "date", "score"])
    def test_words_or_a_filter_are_found_in_any_order(self, library: Library, sort: str) -> None:
        energy = make_briefing(library.database, library.reader)
        word = library.item("Harbour opens", tags={"topics": ["sea"]})
        marked = library.item("Chess", language="de", tags={"topics": ["games"]})
        library.mark(marked, saved_at=NOW)
        library.score(marked, energy, 80)

        for query in (
            *("score>40 OR harbour", "harbour OR is:saved", "lang:de OR harbour"),
            *("source:courier OR harbour", "topic:games OR harbour", "harbour OR -opens"),
            *("-harbour OR harbour", "(harbour -chess) OR is:saved"),
        ):
            assert library.found(query, sort=sort) == [word, marked], query

    def test_everything_combines(self, library: Library) -> None:
        energy = make_briefing(library.database, library.reader, title="Energy")
        right = library.item("Harbour power", language="en", published_at=NOW - DAY)
        library.score(right, energy, 80)
        for values in ({"language": "de"}, {"published_at": NOW - 30 * DAY}, {"title": "Harbour"}):
            row: dict[str, Any] = {
                "title": "Harbour power",
                "language": "en",
                "published_at": NOW - DAY,
                **values,
            }
            library.score(library.item(**row), energy, 80)
        library.mark(library.item("Harbour power", language="en"), read_at=NOW)

        query = "harbour title:pow* -chess lang:en after:2026-11-01 score>60 is:unread briefing:en"
        assert library.found(query) == [right]
        assert library.found("harbour power lang:en", min_score=60, since=NOW - 2 * DAY) == [right]
        assert library.found(query, source_id=library.source, unread=True) == [right]
        assert library.found(query, saved=True) == []

    def test_all_read_then_unread_is_empty(self, library: Library) -> None:
        for number in range(3):
            library.mark(library.item(f"Harbour {number}"), read_at=NOW)

        assert library.found("harbour is:unread") == library.found("harbour", unread=True) == []
        assert library.search("harbour").total == 3

    # ---- order, facets, what is told

    def test_it_sorts_by_relevance_date_and_score(self, library: Library) -> None:
        energy = make_briefing(library.database, library.reader)
        text = library.item("News", "Far down there is a harbour.", published_at=NOW - DAY)
        title = library.item("Harbour", published_at=NOW - 3 * DAY)
        library.score(text, energy, 10)
        library.score(title, energy, 90)

        def order(sort: str) -> list[int]:
            return [hit.id for hit in library.search("harbour", sort=sort).hits]

        assert order("relevance") == order("score") == [title, text]
        assert order("date") == [text, title]

    def test_facets_count_what_was_found(self, library: Library) -> None:
        tags = {"topics": ["sea"], "people": ["Ada"], "companies": ["Acme"], "sentiment": "neutral"}
        library.item("Harbour", tags=tags, category="world", language="en")
        library.item("Harbour", tags={"topics": ["sea", "rail"]}, language="de")
        library.item("Chess", tags={"topics": ["games"]})

        answer = library.search("harbour ")
        facets = answer.facets
        assert answer.facets_of == answer.total == 2
        assert facets["topics"] == {"sea": 2, "rail": 1}
        assert facets["people"] == {"Ada": 1}
        assert facets["companies"] == {"Acme": 1}
        assert facets["category"] == {"world": 1}
        assert facets["language"] == {"en": 1, "de": 1}
        assert facets["sentiment"] == {"neutral": 1}
        assert facets["source"] == {"Harbour Courier": 2}

    @pytest.mark.parametrize(
        ("title", "query", "shown"),
        [
            ("New ferries run", "ferry ", "New <mark>ferries</mark> run"),
            ("The harbour master", '"harbour master"', "The <mark>harbour master</mark>"),
            ("A <b>C++</b> book", "c++", "A &lt;b&gt;<mark>C++</mark>&lt;/b&gt; book"),
            ("富士山の登山道", "登山", "富士山の<mark>登山</mark>道"),
            ("Café & Bar", "cafe bar", "<mark>Café</mark> &amp; <mark>Bar</mark>"),
        ],
    )
    def test_what_matched_is_marked_and_nothing_else(
        self, library: Library, title: str, query: str, shown: str
    ) -> None:
        library.item(title, language="en")

        assert [hit.highlight for hit in library.search(query).hits] == [shown]

    def test_it_says_what_it_understood(self, library: Library) -> None:
        assert library.search("trump -fbi is:unread").understood == "trump, not fbi, unread"

    # ---- whose it is, and what may be typed

    def test_no_operator_leads_to_what_others_read(self, library: Library) -> None:
        other = Library(library.database, library.index)
        hidden = other.item("Harbour opens")
        other.mark(hidden, saved_at=NOW)
        briefing = make_briefing(library.database, other.reader, title="Secret")
        other.score(hidden, briefing, 90)

        for query in (
            *("", "harbour", "-chess", "-(chess)", "harbour OR chess", "chess OR -chess"),
            *("is:unread", "is:saved", "is:read OR -is:read", "score>1", "-score>200"),
            *("briefing:secret", f"briefing:{briefing}", f"briefing:{briefing} OR x"),
            *("source:courier", f"source:{other.source}", "-source:x", "lang:en OR -lang:en"),
            *("x OR user_id = 1", "' OR 1=1 --", 'x" OR title:"harbour', "NOT (chess)"),
        ):
            assert library.found(query) == [], query
        assert other.found("harbour") == [hidden]

    def test_any_naughty_text_is_a_query(self, library: Library, corpora: Path) -> None:
        item = library.item("Needle", "Haystack.")
        for query in naughty(corpora):
            answer = library.search(query)
            assert [hit.id for hit in answer.hits] in ([], [item]), query
            assert answer.understood
        assert library.found("needle") == [item]

    def test_any_text_may_be_in_an_item(self, library: Library, corpora: Path) -> None:
        strings = naughty(corpora)
        for number, start in enumerate(range(0, len(strings), 20)):
            several = "\n".join(strings[start : start + 20])
            tags = {"topics": strings[start : start + 3]}
            item = library.item(f"needle{number}x {several}", several, author=several, tags=tags)
            assert library.found(f'"needle{number}x"') == [item]
        for query in strings[::7]:
            assert library.search(query).total >= 0

    def test_nothing_is_too_long(self, library: Library) -> None:
        long = "needle " + "".join(chr(0x4E00 + n % 20_000) for n in range(60_000))
        tags = {"topics": [long] * 20, "people": [long[n:] for n in range(300)]}
        item = library.item(long, long, author=long, tags=tags, language="en")

        assert library.found("needle ") == library.found("title:needle") == [item]
        assert library.search(long).total <= 1
        assert library.search(" ".join(f'"{long[n : n + 90]}"' for n in range(90))).total <= 1

    @settings(
        max_examples=60,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(st.text(max_size=60) | st.lists(st.sampled_from(SIGNS)).map(" ".join))
    def test_no_text_is_an_error(self, library: Library, text: str) -> None:
        assert library.search(text).total == 0


def naughty(corpora: Path) -> Sequence[str]:
    found = json.loads((corpora / "naughty-strings" / "blns.json").read_text(encoding="utf-8"))
    return [str(text) for text in found]
