"""Pages that a reader saves by hand, and what is stored of the page behind an item."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Row, select

from morningdeck.model.finding import ItemFilter
from morningdeck.model.making import Enriched
from morningdeck.model.reading import Entry, Fetched, ParsedPage, Reading
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.results.entries import save_entries
from morningdeck.store.rows.items import SqlItemRows
from morningdeck.store.tables.news import item_texts, items, sources
from morningdeck.store.views.items import Items
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.store.views.saved_pages import SavedPages
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.work import Postponed, RetryPolicy, Settlement, Stage, decide
from tests.conftest import NOW
from tests.factories import Stock, make_item
from tests.store.working import DONE, ENRICHED, ME, started

URL = "https://news.example/harbour?utm_source=x"
CANONICAL = "https://news.example/harbour"
PAGE = ParsedPage(
    title="Harbour opens",
    author="Ada",
    image_url="https://news.example/ferry.jpg",
    published_at=datetime(2026, 11, 17, tzinfo=UTC),
    html="<p>Ferries.</p>",
    text="Ferries.",
)


@pytest.fixture
def pages(database: Database) -> SavedPages:
    return SavedPages(database, Subscriptions(database), Items(database))


def text_of(database: Database, item_id: int) -> Row[str, str, str]:
    query = select(item_texts.c.raw_content, item_texts.c.clean_content, item_texts.c.web_content)
    with database.read() as connection:
        return connection.execute(query.where(item_texts.c.item_id == item_id)).one()


def test_a_saved_page_waits_before_all_others(
    database: Database, pages: SavedPages, work: SqlJobStore, ada: int, stock: Stock
) -> None:
    make_item(database, stock.source(ada), priority=10)

    view = pages.add(ada, URL, CANONICAL, NOW)

    assert (view.title, view.url, view.status, view.saved) == (CANONICAL, URL, "NEW", True)
    assert work.claim(Stage.PROCESSING, 1, ME, NOW) == (view.id,)
    loaded = SqlItemRows(database).load(view.id)
    assert loaded is not None
    assert loaded.saved
    assert not loaded.page_read


def test_all_that_a_reader_saves_is_of_one_source_that_is_never_fetched(
    database: Database, pages: SavedPages, work: SqlJobStore, ada: int, bob: int
) -> None:
    one, other = pages.add(ada, URL, CANONICAL, NOW), pages.add(ada, "https://b.example/", "b", NOW)
    his = pages.add(bob, URL, CANONICAL, NOW)

    assert one.source_id == other.source_id != his.source_id
    with database.read() as connection:
        urls = connection.scalars(select(sources.c.url).order_by(sources.c.id)).all()
    assert urls == [f"saved:{ada}", f"saved:{bob}"]
    assert work.claim(Stage.FETCH, 10, ME, NOW + timedelta(days=365)) == ()
    assert [view.id for view in Items(database).list(bob, ItemFilter(saved=True))] == [his.id]


def test_saving_a_page_again_changes_nothing(pages: SavedPages, ada: int, stock: Stock) -> None:
    first = pages.add(ada, URL, CANONICAL, NOW)
    stock.set(items, first.id, status="DONE", title="Harbour opens")

    second = pages.add(ada, CANONICAL, CANONICAL, NOW)

    assert (second.id, second.status, second.title) == (first.id, "DONE", "Harbour opens")


@pytest.mark.parametrize("status", ["ERROR", "CANCELLED"])
def test_saving_a_page_again_gives_it_another_chance(
    pages: SavedPages, ada: int, stock: Stock, status: str
) -> None:
    first = pages.add(ada, URL, CANONICAL, NOW)
    stock.set(items, first.id, status=status, failures=4)

    again = pages.add(ada, URL, CANONICAL, NOW)

    assert (again.id, again.status, again.failures) == (first.id, "NEW", 0)


def test_a_page_that_retention_removed_can_be_saved_again(
    database: Database, pages: SavedPages, ada: int, stock: Stock
) -> None:
    later = NOW + timedelta(days=400)
    for _ in range(2):
        view = pages.add(ada, URL, CANONICAL, NOW)
        stock.set(items, view.id, status="DONE")
        Items(database).mark_saved(ada, view.id, None)

        removed = Retention(database).apply(Keep(items=timedelta(days=365)), later)

        assert removed["items"] == 1


# ---- the page behind an item


def saved_with(work: SqlJobStore, item: int, page: ParsedPage) -> None:
    result = Enriched(ENRICHED, "", page=page)
    settlement = Settlement("DONE", None, 0, 0, result=result)
    assert work.settle(started(work, item), ME, settlement, NOW)


def test_a_page_tells_what_its_item_is(
    database: Database, pages: SavedPages, work: SqlJobStore, ada: int
) -> None:
    item = pages.add(ada, URL, CANONICAL, NOW).id

    saved_with(work, item, PAGE)

    view = Items(database).show(ada, item)
    assert (view.title, view.author, view.image_url) == (PAGE.title, PAGE.author, PAGE.image_url)
    assert (view.published_at, view.status) == (PAGE.published_at, "DONE")
    assert tuple(text_of(database, item)) == (PAGE.html, "", PAGE.text)
    loaded = SqlItemRows(database).load(item)
    assert loaded is not None
    assert loaded.page_read
    assert loaded.text == PAGE.text


def test_what_a_feed_told_stays(
    database: Database, work: SqlJobStore, ada: int, stock: Stock
) -> None:
    item = stock.item(stock.source(ada), status="NEW", title="Its title", author="Bob")
    texts = {"raw_content": "<p>Teaser</p>", "clean_content": "Teaser"}
    with database.write() as connection:
        connection.execute(item_texts.insert().values(item_id=item, **texts))

    saved_with(work, item, PAGE)

    view = Items(database).show(ada, item)
    assert (view.title, view.author, view.image_url) == ("Its title", "Bob", PAGE.image_url)
    assert tuple(text_of(database, item)) == ("<p>Teaser</p>", "Teaser", PAGE.text)


def test_a_page_without_a_title_leaves_the_address(
    database: Database, pages: SavedPages, work: SqlJobStore, ada: int
) -> None:
    item = pages.add(ada, URL, CANONICAL, NOW).id

    saved_with(work, item, ParsedPage(text="Ferries."))

    assert Items(database).show(ada, item).title == CANONICAL


def test_a_page_is_kept_although_its_item_must_wait(
    database: Database, pages: SavedPages, work: SqlJobStore, ada: int
) -> None:
    job = started(work, item := pages.add(ada, URL, CANONICAL, NOW).id)
    postponed = Postponed(NOW + timedelta(seconds=5), result=PAGE)

    settlement = decide(job, postponed, policy=RetryPolicy(()), now=NOW, chance=0)
    assert work.settle(job, ME, settlement, NOW)

    assert Items(database).show(ada, item).status == "NEW"
    assert text_of(database, item).web_content == PAGE.text


def test_an_entry_that_changed_is_read_with_its_page_anew(
    database: Database, work: SqlJobStore, ada: int, stock: Stock
) -> None:
    source = stock.source(ada)
    item = make_item(database, source, guid="1", content_hash="old")
    saved_with(work, item, PAGE)

    changed = Entry("1", URL, "Harbour opens", text="New words.", content_hash="new")
    with database.write() as connection:
        save_entries(connection, source, Fetched(Reading((changed,))), NOW)

    loaded = SqlItemRows(database).load(item)
    assert loaded is not None
    assert (loaded.text, loaded.page_read, loaded.done_before) == ("New words.", False, False)


def test_the_page_of_a_late_worker_is_refused(
    database: Database, pages: SavedPages, work: SqlJobStore, ada: int
) -> None:
    item = pages.add(ada, URL, CANONICAL, NOW).id
    late = started(work, item)
    assert work.settle(late, ME, DONE, NOW)

    result = Settlement("DONE", None, 0, 0, result=PAGE)
    assert not work.settle(late, ME, result, NOW)

    assert text_of(database, item).web_content == ""
