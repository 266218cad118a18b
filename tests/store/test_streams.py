"""Items as reader apps ask for them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.errors import NotFoundError
from morningdeck.model.finding import ItemFilter, Stream, StreamQuery
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.tables.news import item_states, item_texts
from morningdeck.store.views.items import Items
from morningdeck.store.views.streams import Streams
from morningdeck.views.reading import BodyView, UnreadView
from tests.conftest import NOW
from tests.factories import Stock, rows_of
from tests.store.plans import plan_of

EVERYTHING = StreamQuery()
UNREAD, STARRED = Stream((ItemFilter(unread=True),)), Stream((ItemFilter(saved=True),))


@pytest.fixture
def streams(database: Database) -> Streams:
    return Streams(database)


@pytest.fixture
def items(database: Database) -> Items:
    return Items(database)


def came(stock: Stock, source: int, hours_ago: float) -> int:
    return stock.item(source, first_seen_at=NOW - timedelta(hours=hours_ago))


def ids(streams: Streams, user: int, query: StreamQuery = EVERYTHING) -> list[int]:
    return [one.id for one in streams.arrivals(user, query, 100)]


def test_items_come_in_the_order_in_which_they_were_seen_from_both_ends(
    streams: Streams, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    middle, old, new, twin = (came(stock, source, hours) for hours in (2, 3, 1, 2))
    order = [new, twin, middle, old]

    assert ids(streams, ada) == order
    for oldest_first in (False, True):
        seen: list[int] = []
        place = None
        while page := streams.arrivals(ada, EVERYTHING, 1, oldest_first=oldest_first, beyond=place):
            seen += [one.id for one in page]
            place = (page[0].first_seen_at, page[0].id)
        assert seen == (order[::-1] if oldest_first else order)


def test_streams_are_crossed_and_taken_away(
    streams: Streams, items: Items, stock: Stock, ada: int
) -> None:
    one, two = stock.source(ada, "https://a.example"), stock.source(ada, "https://b.example")
    first, second, third = came(stock, one, 3), came(stock, one, 2), came(stock, two, 1)
    items.mark_these(ada, [second], read_at=NOW)
    items.mark_these(ada, [third], saved_at=NOW)
    of_one = Stream(source_ids=(one,))

    assert ids(streams, ada, StreamQuery((of_one, UNREAD))) == [first]
    assert ids(streams, ada, StreamQuery(none_of=(UNREAD,))) == [second]
    assert ids(streams, ada, StreamQuery(none_of=(of_one,))) == [third]
    assert ids(streams, ada, StreamQuery((STARRED,))) == [third]
    assert ids(streams, ada, StreamQuery((Stream(),))) == []
    either = Stream((ItemFilter(saved=True),), (one,))
    assert ids(streams, ada, StreamQuery((either,))) == [third, second, first]
    hour = timedelta(hours=1)
    between = StreamQuery(seen_from=NOW - 2 * hour, seen_until=NOW - 2 * hour)
    assert ids(streams, ada, between) == [second]


def test_a_stream_of_a_briefing_is_for_its_owner(
    streams: Streams, stock: Stock, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    liked, disliked = came(stock, source, 1), came(stock, source, 2)
    briefing = stock.briefing(ada)
    stock.score(liked, briefing, 71)
    stock.score(disliked, briefing, 12)
    query = StreamQuery((Stream((ItemFilter(briefing_id=briefing, min_score=40),)),))

    assert ids(streams, ada, query) == [liked]
    assert streams.unread_of_briefing(ada, briefing, 40).count == 1
    assert streams.unread_of_briefing(ada, briefing, 10).count == 2
    with pytest.raises(NotFoundError):
        ids(streams, bob, query)
    with pytest.raises(NotFoundError):
        streams.unread_of_briefing(bob, briefing, 40)


def test_what_others_read_is_neither_seen_nor_marked(
    streams: Streams, items: Items, stock: Stock, database: Database, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    hers = came(stock, source, 1)

    assert ids(streams, bob) == []
    assert ids(streams, bob, StreamQuery((Stream(source_ids=(source,)),))) == []
    assert streams.bodies(bob, [hers]) == {}
    assert items.some(bob, [hers]) == ()
    assert items.mark_these(bob, [hers], saved_at=NOW) == ()
    assert streams.mark_read(bob, EVERYTHING, at=NOW) == 0
    assert streams.unread_by_source(bob) == {}
    assert rows_of(database, item_states) == []


def test_all_of_a_stream_is_read_at_once(streams: Streams, stock: Stock, ada: int) -> None:
    source = stock.source(ada)
    old, new = came(stock, source, 2), came(stock, source, 1)
    until = NOW - timedelta(hours=1.5)

    assert streams.mark_read(ada, StreamQuery(seen_until=until), at=NOW) == 1
    assert streams.mark_read(ada, StreamQuery(seen_until=until), at=NOW) == 0
    assert ids(streams, ada, StreamQuery(none_of=(UNREAD,))) == [old]
    assert streams.unread_by_source(ada) == {source: UnreadView(1, NOW - timedelta(hours=1))}
    assert ids(streams, ada, StreamQuery((UNREAD,))) == [new]


def test_sources_that_are_read_to_the_end_are_counted_too(
    streams: Streams, items: Items, stock: Stock, ada: int
) -> None:
    busy, empty = stock.source(ada, "https://a.example"), stock.source(ada, "https://b.example")
    item = came(stock, busy, 1)
    items.mark_these(ada, [item], read_at=NOW)

    seen_at = NOW - timedelta(hours=1)
    assert streams.unread_by_source(ada) == {
        busy: UnreadView(0, seen_at),
        empty: UnreadView(0, None),
    }


def test_some_items_are_shown_in_the_order_that_was_asked_for(
    items: Items, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    made = [came(stock, source, hours) for hours in (1, 2, 3)]

    asked = [made[2], 10**9, made[0], made[2]]
    assert [view.id for view in items.some(ada, asked)] == [made[2], made[0]]


def test_an_item_has_the_texts_that_are_there(
    streams: Streams, stock: Stock, database: Database, ada: int
) -> None:
    source = stock.source(ada)
    bare, full = came(stock, source, 1), came(stock, source, 2)
    with database.write() as connection:
        texts = {"raw_content": "<p>a</p>", "clean_content": "a", "web_content": "a b"}
        connection.execute(item_texts.insert().values(item_id=full, **texts))

    assert streams.bodies(ada, [bare, full]) == {
        bare: BodyView("", "", ""),
        full: BodyView("<p>a</p>", "a", "a b"),
    }


@pytest.mark.parametrize("of_one_source", [False, True])
def test_sqlite_reads_them_off_an_index_and_sorts_nothing(
    sqlite_url: str, of_one_source: bool
) -> None:
    database = open_database(sqlite_url)
    stock = Stock(database)
    reader = stock.user()
    source = stock.source(reader)
    stock.item(source)
    query = StreamQuery((Stream(source_ids=(source,)), UNREAD)) if of_one_source else EVERYTHING

    def ask() -> None:
        Streams(database).arrivals(reader, query, 20, beyond=(NOW, 1))

    plan = plan_of(database, ask, "LIMIT")
    database.close()

    index = "COVERING INDEX ix_items_source_seen" if of_one_source else "INDEX ix_items_seen"
    assert plan[0].startswith(f"SEARCH items USING {index}")
    assert not [step for step in plan if "TEMP B-TREE" in step]
