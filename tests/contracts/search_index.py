"""The port `SearchIndex`: what was put is found by who may see it, until it is gone.

What an index holds beside the database is up to it; who may see what is not.
"""

from __future__ import annotations

from typing import Any

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import ItemFilter, SearchAnswer, SearchQuery
from morningdeck.ports.verbs import SearchIndex
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.indexed import index_items
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import item_texts, items
from tests.factories import change, make_item, make_source, make_subscription, make_user


class SearchIndexContract:
    """Give it the fixtures `index` and `database`, the one whose items are indexed."""

    def test_what_was_put_is_found_by_its_words(
        self, database: Database, index: SearchIndex
    ) -> None:
        reader, source = reader_of(database)
        item = put(database, index, source, "Harbour opens", "The tugs are in.")

        for words in ("harbour", "tugs", "Harbour tugs"):
            answer = search(index, reader, words)
            assert [hit.id for hit in answer.hits] == [item]
            assert (answer.total, answer.backend) == (1, index.name)
        assert search(index, reader, "chess").hits == ()

    def test_what_is_put_again_replaces_what_was_there(
        self, database: Database, index: SearchIndex
    ) -> None:
        reader, source = reader_of(database)
        item = put(database, index, source, "Harbour opens")
        change(database, items, item, title="Chess begins", search_mark=2)
        push(database, index, item)

        assert search(index, reader, "harbour").hits == ()
        assert [hit.id for hit in search(index, reader, "chess").hits] == [item]

    def test_what_is_gone_is_not_found(self, database: Database, index: SearchIndex) -> None:
        reader, source = reader_of(database)
        item = put(database, index, source, "Harbour opens")

        index.put((), gone=(item,))
        index.put((), gone=(item,))

        assert search(index, reader, "harbour").hits == ()

    def test_an_index_that_was_cleared_finds_nothing(
        self, database: Database, index: SearchIndex
    ) -> None:
        reader, source = reader_of(database)
        put(database, index, source, "Harbour opens")

        index.clear()

        assert search(index, reader, "harbour").hits == ()

    def test_nobody_finds_what_only_others_read(
        self, database: Database, index: SearchIndex
    ) -> None:
        reader, _ = reader_of(database)
        other, source = reader_of(database)
        item = put(database, index, source, "Harbour opens")

        assert search(index, reader, "harbour").hits == ()
        assert [hit.id for hit in search(index, other, "harbour").hits] == [item]

    def test_pages_follow_each_other_and_the_total_stays(
        self, database: Database, index: SearchIndex
    ) -> None:
        reader, source = reader_of(database)
        all_items = {put(database, index, source, f"Harbour {n}") for n in range(3)}

        pages = [search(index, reader, "harbour", limit=2, offset=at) for at in (0, 2)]

        assert [page.total for page in pages] == [3, 3]
        assert {hit.id for page in pages for hit in page.hits} == all_items

    def test_any_text_is_a_query(self, database: Database, index: SearchIndex) -> None:
        reader, _ = reader_of(database)

        for text in ('"', "a AND (", "-", "*", "\0", "' OR 1=1 --"):
            assert search(index, reader, text).hits == ()


def reader_of(database: Database) -> tuple[int, int]:
    """Somebody with a source of their own."""
    reader, source = make_user(database), make_source(database)
    make_subscription(database, reader, source)
    return reader, source


def put(database: Database, index: SearchIndex, source: int, title: str, text: str = "") -> int:
    item = make_item(database, source, title=title, status="DONE", search_mark=1)
    with database.write() as connection:
        this = item_texts.update().where(item_texts.c.item_id == item)
        connection.execute(this.values(clean_content=text))
    push(database, index, item)
    return item


def push(database: Database, index: SearchIndex, *changed: int) -> None:
    """As whoever changes an item does, and then whoever carries the changes out of the database."""
    with database.write() as connection:
        index_items(connection, changed)
    outbox = SearchOutbox(database)
    documents = outbox.documents(10)
    index.put(documents, gone=())
    outbox.clear(documents)


def search(index: SearchIndex, reader: int, text: str, **paging: Any) -> SearchAnswer:
    paging = {"limit": 20, "offset": 0, **paging}
    query = SearchQuery(reader, parse_query(text), ItemFilter(), "relevance", **paging)
    answer = index.search(query)
    assert not answer.degraded, text
    return answer
