"""The database's own index is written with what it holds: no worker, no delay, nothing half."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import SearchQuery
from morningdeck.model.making import Enriched, Enrichment, Tags
from morningdeck.model.reading import Fetched, ParsedPage, Reading
from morningdeck.store.database.connect import Database
from morningdeck.store.results.enriched import save_enriched, save_parsed_page
from morningdeck.store.results.fetched import save_fetched
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import items, sources
from morningdeck.store.views.retention import Retention
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.work import Job, Stage
from tests.conftest import NOW
from tests.factories import change, make_subscription, make_user
from tests.store.making import an_entry, items_of, keep


class Reader:
    def __init__(self, database: Database, source: int) -> None:
        self.database, self.source = database, source
        self.user = make_user(database)
        make_subscription(database, self.user, source)

    def finds(self, text: str) -> list[str]:
        query = SearchQuery(self.user, parse_query(f"{text} "), sort="date")
        return [hit.title for hit in FulltextIndex(self.database).search(query).hits]

    def item(self) -> Job:
        (row,) = items_of(self.database, self.source)
        return Job(Stage.PROCESSING, row.id, 1)


@pytest.fixture
def reader(database: Database, source: int) -> Reader:
    return Reader(database, source)


def test_what_was_fetched_is_found_before_anybody_works_on_it(
    database: Database, source: int, reader: Reader
) -> None:
    keep(database, source, an_entry(1, text="Ferries run."), an_entry(2))

    assert reader.finds("ferries") == ["Title 1"]
    assert reader.finds("title") == ["Title 1", "Title 2"]


@pytest.mark.parametrize("count", [1, 31, 75])
def test_however_many_entries_come_at_once_each_is_stored_with_its_text(
    database: Database, source: int, reader: Reader, count: int
) -> None:
    numbers = range(1, count + 1)
    keep(database, source, *(an_entry(number, text=f"Ferry{number} runs.") for number in numbers))

    assert len(items_of(database, source)) == count
    for number in numbers:
        assert reader.finds(f"ferry{number}") == [f"Title {number}"]


def test_a_text_of_letters_that_no_database_takes_is_found_without_them(
    database: Database, source: int, reader: Reader
) -> None:
    keep(database, source, an_entry(1, title="Har\0bour", text="Fer\0ries \ud800run."))

    for word in ("harbour", "ferries", "run"):
        assert reader.finds(word) == ["Harbour"]


def test_an_entry_without_a_text_is_found_by_what_it_looks_like(
    database: Database, source: int, reader: Reader
) -> None:
    keep(database, source, an_entry(1, text="", html="<p>Ferries run.</p>"))

    assert reader.finds("ferries") == ["Title 1"]


def test_new_items_are_found_by_the_topics_of_their_source(
    database: Database, source: int, reader: Reader
) -> None:
    change(database, sources, source, topics=("Sea ports",))
    keep(database, source, an_entry(1))

    assert reader.finds("topic:ports") == ["Title 1"]


def test_a_changed_entry_is_found_by_its_new_words_only(
    database: Database, source: int, reader: Reader
) -> None:
    keep(database, source, an_entry(1, text="Ferries run."))
    keep(database, source, an_entry(1, text="Trains run.", content_hash="other"))

    assert reader.finds("ferries") == []
    assert reader.finds("trains") == ["Title 1"]


def test_a_fetch_that_is_undone_leaves_nothing_to_find(
    database: Database, source: int, reader: Reader
) -> None:
    fetched = Fetched(Reading((an_entry(1, text="Ferries run."),)))
    with suppress(ZeroDivisionError), database.write() as connection:
        save_fetched(connection, Job(Stage.FETCH, source, 1), fetched, NOW)
        raise ZeroDivisionError

    assert reader.finds("ferries") == []
    keep(database, source, an_entry(2, text="Ferries run."))
    assert reader.finds("ferries") == ["Title 2"]


def test_what_was_made_of_an_item_is_found_with_it(
    database: Database, source: int, reader: Reader
) -> None:
    keep(database, source, an_entry(1, text="Ferries ran."))
    found = Enrichment("Boats sailed.", "world", "report", Tags(people=("Ada Quay",)), "en", "x")
    with database.write() as connection:
        save_enriched(connection, reader.item(), Enriched(found, "hash-1"), NOW)

    for words in ("boats", '"ada quay"', "ferry", "lang:en"):
        assert reader.finds(words) == ["Title 1"], words


def test_the_page_of_an_item_is_found_with_it(
    database: Database, source: int, reader: Reader
) -> None:
    keep(database, source, an_entry(1, text="Teaser."))
    page = ParsedPage(text="The whole article on ferries.")
    with database.write() as connection:
        save_parsed_page(connection, reader.item(), page, NOW)

    assert reader.finds("article") == ["Title 1"]
    assert reader.finds("teaser") == []


def test_what_retention_removes_is_found_no_more(
    database: Database, source: int, reader: Reader
) -> None:
    keep(database, source, an_entry(1, text="Ferries run."))
    old = {"status": "ERROR", "started_at": NOW - timedelta(days=20)}
    change(database, items, reader.item().id, **old)

    Retention(database).purge_dead_letters(timedelta(days=14), NOW)

    assert reader.finds("ferries") == []
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM item_search").scalar() == 0


def test_an_index_that_was_cleared_is_filled_from_the_outbox(
    database: Database, source: int, reader: Reader
) -> None:
    index, outbox = FulltextIndex(database), SearchOutbox(database)
    keep(database, source, an_entry(1, text="Ferries run."))
    index.clear()
    assert reader.finds("ferries") == []

    index.put(outbox.documents(10), gone=())

    assert reader.finds("ferries") == ["Title 1"]
