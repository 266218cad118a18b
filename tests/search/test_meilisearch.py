"""Search by a real Meilisearch: the same language, and what the database cannot do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.search.meilisearch import MeilisearchIndex
from morningdeck.search.server import MeilisearchServer
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.search_outbox import SearchOutbox
from tests.contracts.search_index import SearchIndexContract
from tests.contracts.search_language import SearchLanguage
from tests.contracts.search_signs import SearchSigns
from tests.search.desk import Desk
from tests.servers.meilisearch import Meilisearch


class TestMeilisearchIndex(SearchIndexContract, SearchLanguage, SearchSigns):
    """With the fixtures of this folder."""


@pytest.fixture
def desk(database: Database, index: MeilisearchIndex) -> Desk:
    return Desk(database, index)


TEXTS = {
    "wind": "Offshore wind farms are growing",
    "running": "Running shoes for the harbour run",
    "tokyo": "東京都の天気は雨です",
    "seoul": "서울특별시는 큰 도시입니다",
    "thai": "ประเทศไทยมีฝนตก",
    "signs": "C++ and .NET at AT&T, issue #3",
    "plain": "The C language, a net, and T at last",
    "node": "Node.js and e-mail",
    "together": "nodejs is one word",
    "cafe": "Ein Café in Łódź",
    "haus": "Die Häuser am Hafen",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("wind", ["wind"]),
        ("ofshore", ["wind"]),  # a typing mistake
        ("off*", ["wind"]),
        ('"wind farms"', ["wind"]),
        ('"farms wind"', []),
        ("wind -farms", []),
        ("wind OR shoes", ["running", "wind"]),
        ("wind OR (shoes -harbour)", ["wind"]),
        ("runs", ["running"]),
        ("ran OR Haus", ["haus"]),
        ("東京", ["tokyo"]),
        ("京都", ["tokyo"]),
        ("都の天", ["tokyo"]),
        ("특별", ["seoul"]),
        ("시는", ["seoul"]),
        ("ไทย", ["thai"]),
        ("C++", ["signs"]),
        ("AT&T", ["signs"]),
        (".NET", ["signs"]),
        ("#3", ["signs"]),
        ("language -C++", ["plain"]),
        ("Node.js", ["node", "together"]),
        ("e-mail ", ["node"]),
        ("cafe lodz", ["cafe"]),
        ("Łódź", ["cafe"]),
        ("title:wind", ["wind"]),
        ("((((", []),
    ],
)
def test_the_query_language(desk: Desk, text: str, found: list[str]) -> None:
    ids = {}
    for name, title in TEXTS.items():
        ids[desk.item(title, language="de" if name == "haus" else "en")] = name
    desk.push()

    assert sorted(ids[one] for one in desk.found(text)) == found


def test_words_side_by_side_of_which_the_last_may_go_on_are_looked_for_by_the_database(
    desk: Desk,
) -> None:
    """The server would find them wherever they stand."""
    beside, _apart = desk.item("Oil-price rise"), desk.item("Price of crude oil")
    desk.push()

    answer = desk.ask("oil-price")

    assert (answer.backend, [hit.id for hit in answer.hits]) == ("database", [beside])
    assert desk.found("oil-price ") == [beside]


def test_what_several_queries_find_is_counted_once(desk: Desk) -> None:
    """OR, and other forms of a word, are queries of their own."""
    for number in range(30):
        desk.item(f"Harbour tugs running {number}", language="en")
    desk.push()

    answer = desk.search("harbour OR tugs OR runs")

    assert (answer.total, len(answer.hits)) == (30, 20)
    assert answer.facets["source"] == {answer.hits[0].source: 30}
    assert desk.search("runs").total == 30


def test_keys_that_somebody_has_deleted_are_made_again(
    desk: Desk, search_server: Meilisearch, shelves: MeilisearchServer
) -> None:
    item = desk.item("Harbour")
    desk.push()
    assert desk.found("harbour") == [item]
    for key in search_server.ask("GET", "/keys?limit=1000")["results"]:
        if key["indexes"] == [shelves.live, shelves.new]:
            search_server.ask("DELETE", f"/keys/{key['uid']}")

    assert desk.ask("harbour").degraded
    assert desk.found("harbour") == [item]


def test_documents_of_sources_that_nobody_knows_are_nobodys(
    database: Database, index: MeilisearchIndex
) -> None:
    """Of another deck on the server, or of a day that a backup does not know."""
    desk = Desk(database, index)
    item = desk.item("Harbour", tags={"people": ["Ada"]})
    outbox = SearchOutbox(database)
    (mine,) = outbox.documents(10)
    foreign = replace(mine, id=item + 1, source_id=desk.source + 1)
    index.put([mine, foreign], ())
    outbox.clear([mine])

    answer = desk.search("harbour")

    assert (answer.total, answer.facets["people"]) == (1, {"Ada": 1})


def test_stems_are_those_of_however_many_languages(desk: Desk) -> None:
    """The server counts no more than the ten that most documents are in."""
    for code in ("en", "fr", "es", "it", "nl", "pt", "da", "fi", "ro", "hu"):
        for _ in range(2):
            desk.item("Chess", language=code)
    desk.push()
    desk.search("harbour")  # it may remember
    item = desk.item("Ein Wald am Hafen", language="de")
    desk.push()

    assert desk.found("Wälder ") == [item]


def test_of_an_empty_index_no_language_is_remembered(desk: Desk) -> None:
    desk.search("harbour")
    item = desk.item("Ein Wald am Hafen", language="de")
    desk.push()

    assert desk.found("Wälder ") == desk.found("Wälder ") == [item]


@pytest.mark.parametrize("text", ['"harbour"', "title:harbour", '"0', "author:Ada"])
def test_an_empty_index_has_nothing_whatever_is_asked(desk: Desk, text: str) -> None:
    """The server knows no field yet; it says so, which is no reason to ask the database."""
    assert desk.search(text).total == 0
