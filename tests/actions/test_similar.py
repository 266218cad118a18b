"""`item similar`: more like this, among what the reader may see."""

from __future__ import annotations

from functools import partial

import pytest

from morningdeck.actions.items import MoreLikeThis
from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.errors import NotFoundError
from morningdeck.noting.parts import in_place
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.stories import SqlStoryRows
from morningdeck.store.tables.news import item_likenesses
from morningdeck.store.views.items import Items
from morningdeck.store.views.similar import SimilarItems
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.stories.likeness import likeness
from morningdeck.stories.neighbours import Neighbours
from morningdeck.stories.window import RecentStories
from morningdeck.views.reading import SimilarView
from tests.conftest import NOW
from tests.factories import Stock

COFFEE = "Brazil expects a larger coffee harvest"
PRICES = "Arabica roasters buy more from Brazil"
BEANS = "Colombia exports fewer coffee beans"
CHESS = "The chess world cup begins in Baku"
EMBEDDER = WordEmbedder()
NOTES = in_place(EMBEDDER, tells=False)


class Newsroom:
    """Items that are placed in stories as processing does it."""

    def __init__(self, database: Database) -> None:
        self.stock = Stock(database)
        self.items = SimilarItems(database)
        self._stories = SqlStoryRows(database, lambda: RecentStories(dimensions=DIMENSIONS))
        self.ada = self.stock.user("ada@example.org")
        self.source = self.stock.source(self.ada, title="Wire")

    def item(self, title: str, source: int | None = None) -> int:
        item = self.stock.item(source or self.source, title=title)
        (vector,) = EMBEDDER.embed((title,))
        self._stories.assign(item, likeness(title, "", None, vector), NOW)
        return item

    def like(self, item: int, reader: int | None = None, limit: int = 10) -> list[SimilarView]:
        nearest = partial(Neighbours, dimensions=DIMENSIONS)
        found = MoreLikeThis(self.items, lambda: NOTES, nearest)
        return list(found.find(reader or self.ada, item, limit))


@pytest.fixture
def newsroom(database: Database) -> Newsroom:
    return Newsroom(database)


def test_what_is_nearest_comes_first_and_what_has_nothing_to_do_with_it_not_at_all(
    newsroom: Newsroom,
) -> None:
    coffee, prices, beans, _ = map(newsroom.item, (COFFEE, PRICES, BEANS, CHESS))

    first, second = newsroom.like(coffee)

    assert [first.id, second.id] == [prices, beans]
    assert 100 >= first.closeness > second.closeness > 0
    assert (first.title, first.source, first.published_at) == (PRICES, "Wire", None)
    assert newsroom.like(coffee, limit=1) == [first]


def test_a_story_is_told_once_and_its_own_not_at_all(newsroom: Newsroom) -> None:
    other = newsroom.stock.source(newsroom.ada, "https://other.example/")
    coffee, again = newsroom.item(COFFEE), newsroom.item(COFFEE, other)
    prices, once_more = newsroom.item(PRICES), newsroom.item(PRICES, other)

    (found,) = newsroom.like(coffee)

    assert found.id in (prices, once_more)
    assert [view.id for view in newsroom.like(again)] == [found.id]


def test_what_others_read_is_not_shown(newsroom: Newsroom) -> None:
    bob = newsroom.stock.user("bob@example.org")
    his = newsroom.stock.source(bob, "https://his.example/")
    coffee, prices = newsroom.item(COFFEE), newsroom.item(PRICES, his)

    assert newsroom.like(coffee) == []
    assert newsroom.like(prices, bob) == []
    for reader, item in ((newsroom.ada, prices), (bob, coffee)):
        with pytest.raises(NotFoundError, match=f"there is no item {item}"):
            newsroom.like(item, reader)


def test_what_was_saved_is_compared_after_its_source_is_left(
    newsroom: Newsroom, database: Database
) -> None:
    other = newsroom.stock.source(newsroom.ada, "https://other.example/")
    coffee, prices = newsroom.item(COFFEE), newsroom.item(PRICES, other)
    Items(database).mark_saved(newsroom.ada, prices, NOW)
    Subscriptions(database).remove(newsroom.ada, other)

    assert [(view.id, view.source) for view in newsroom.like(coffee)] == [(prices, "other.example")]


def test_what_was_never_processed_is_compared_as_it_reads(newsroom: Newsroom) -> None:
    prices = newsroom.item(PRICES)
    newsroom.item(CHESS)
    item = newsroom.stock.item(newsroom.source, status="DONE", title=COFFEE)

    assert [view.id for view in newsroom.like(item)] == [prices]
    assert item not in {view.id for view in newsroom.like(prices)}
    with pytest.raises(NotFoundError):
        newsroom.like(item, newsroom.stock.user("bob@example.org"))


def test_all_slices_are_looked_at(newsroom: Newsroom, database: Database) -> None:
    newsroom.items = SimilarItems(database, a_slice=2)
    coffee, *_ = (newsroom.item(title) for title in (COFFEE, CHESS, PRICES, "Rain in Spain", BEANS))

    assert [view.title for view in newsroom.like(coffee)] == [PRICES, BEANS]

    newsroom.items = SimilarItems(database, most=2)
    assert [view.title for view in newsroom.like(coffee)] == [BEANS]


def test_nothing_known_of_an_item_but_its_title_is_enough(
    newsroom: Newsroom, database: Database
) -> None:
    years = ("The coffee harvest of 2025", "The coffee harvest of 2026")
    coffee, beans = map(newsroom.item, years)
    newsroom.item(CHESS)
    with database.write() as connection:
        connection.execute(item_likenesses.update().values(vector=b""))

    assert [view.id for view in newsroom.like(coffee)] == [beans]
