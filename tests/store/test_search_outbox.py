"""The index's outbox: a mark stays until exactly what it stands for has been pushed."""

from __future__ import annotations

from sqlalchemy import update

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import item_texts, items
from tests.factories import make_item, make_items, make_source, row_of


def mark(database: Database, *ids: int) -> None:
    with database.write() as connection:
        connection.execute(
            update(items).where(items.c.id.in_(ids)).values(search_mark=items.c.search_mark + 1)
        )


def test_only_what_is_marked_waits_and_the_oldest_first(database: Database, source: int) -> None:
    one, two, three = make_items(database, source, 3)
    outbox = SearchOutbox(database)
    assert not outbox.waits()

    mark(database, three, one)

    assert outbox.waits()
    assert [document.id for document in outbox.documents(10)] == [one, three]
    assert [document.id for document in outbox.documents(1)] == [one]
    assert row_of(database, items, two).search_mark <= 0


def test_a_document_holds_all_that_can_be_searched(database: Database, source: int) -> None:
    tags = {"topics": ["energy"], "people": ["Ada"], "companies": ["Acme"], "technologies": ["C"]}
    item = make_item(database, source, search_mark=3, author="Bob", summary="Short.", tags=tags)
    with database.write() as connection:
        connection.execute(update(item_texts).values(web_content="x" * 20_000))

    (document,) = SearchOutbox(database).documents(10)

    assert (document.id, document.mark, document.source_id) == (item, 3, source)
    assert (document.title, document.summary, document.author) == ("Item 0", "Short.", "Bob")
    assert (document.topics, document.people) == (("energy",), ("Ada",))
    assert (document.companies, document.technologies) == (("Acme",), ("C",))
    assert document.content == "x" * 10_000


def test_a_change_after_the_push_keeps_its_mark(database: Database, source: int) -> None:
    one, two = make_items(database, source, 2, search_mark=1)
    outbox = SearchOutbox(database)
    pushed = outbox.documents(10)
    mark(database, two)

    outbox.clear(pushed)

    assert [(document.id, document.mark) for document in outbox.documents(10)] == [(two, 2)]
    assert row_of(database, items, one).search_mark <= 0


def test_nothing_pushed_clears_nothing(database: Database, source: int) -> None:
    make_item(database, source, search_mark=1)
    outbox = SearchOutbox(database)

    outbox.clear(())

    assert outbox.waits()


def test_what_somebody_is_just_writing_keeps_its_mark_and_is_not_waited_for(
    postgres_url: str,
) -> None:
    one, other = open_database(postgres_url), open_database(postgres_url)
    busy, free = make_items(one, make_source(one), 2, search_mark=1)
    outbox = SearchOutbox(one)
    pushed = outbox.documents(10)
    with other.write() as writing:
        writing.execute(update(items).where(items.c.id == busy).values(title="x"))
        outbox.clear(pushed)

    assert [document.id for document in outbox.documents(10)] == [busy]
    assert row_of(one, items, free).search_mark <= 0
    one.close()
    other.close()
