"""`briefing tune`: what a briefing thinks of its items, and would by another wish."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from morningdeck.actions.briefings import tune
from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.enrichers.relevance import Relevance
from morningdeck.errors import ConfigError, NotFoundError
from morningdeck.model.making import Article, Enriched
from morningdeck.store.database.connect import Database
from morningdeck.store.results.enriched import save_enriched
from morningdeck.store.store import Store
from morningdeck.store.tables import metadata
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.stories.window import RecentStories
from morningdeck.views.reading import TunedView
from morningdeck.work import Job, Stage
from tests.conftest import NOW
from tests.factories import Stock, rows_of

HOUR = timedelta(hours=1)
EMBEDDER = WordEmbedder()
COFFEE = "Brazil expects a larger coffee harvest"
CHESS = "The chess world cup begins in Baku"


def no_window() -> RecentStories:
    """Nothing is placed here."""
    return RecentStories(dimensions=DIMENSIONS)


@pytest.fixture
def stock(database: Database) -> Stock:
    return Stock(database)


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database, lease=HOUR, refresh=HOUR, window=no_window)


class Read:
    """Two items that a briefing on ships has scored, with what scores are made of."""

    def __init__(self, stock: Stock) -> None:
        self.reader = stock.user()
        self.source = stock.source(self.reader, title="Wire")
        self.briefing = stock.briefing(self.reader)
        self.items = {title: self.item(stock, title) for title in (COFFEE, CHESS)}

    def item(self, stock: Stock, title: str, **values: Any) -> int:
        item = stock.item(self.source, title=title, **values)
        profile = Relevance(EMBEDDER).profile(Article(title, f"{title}, says a paper."))
        with stock.database.write() as connection:
            found = Enriched((), "", profile=profile)
            save_enriched(connection, Job(Stage.PROCESSING, item, 1), found, NOW)
        stock.score(item, self.briefing, 12)
        return item


@pytest.fixture
def read(stock: Stock) -> Read:
    return Read(stock)


def tuned(store: Store, read: Read, **chosen: Any) -> tuple[TunedView, ...]:
    words = {"refiner": lambda: Relevance(EMBEDDER), "now": NOW, **chosen}
    return tune(store, read.reader, read.briefing, **words)


def everything(database: Database) -> dict[str, list[Any]]:
    with database.read() as connection:
        return {
            table.name: sorted(map(repr, connection.execute(select(table))))
            for table in metadata.sorted_tables
        }


def test_the_newest_items_are_shown_with_their_scores_and_why(store: Store, read: Read) -> None:
    newest, oldest = tuned(store, read)

    assert (newest.title, oldest.title) == (CHESS, COFFEE)
    assert (newest.item_id, newest.source) == (read.items[CHESS], "Wire")
    assert (newest.score, newest.reason, newest.by, newest.feedback) == (12, "ships", "offline", 0)
    assert (newest.outdated, newest.tried_score, newest.tried_reason) == (False, None, None)
    assert tuned(store, read, limit=1) == (newest,)


def test_another_wish_is_tried_beside_it(store: Store, read: Read) -> None:
    tried = {view.title: view for view in tuned(store, read, criteria="coffee")}

    assert (tried[COFFEE].tried_score or 0) >= 40 > (tried[CHESS].tried_score or 0)
    assert "coffee" in (tried[COFFEE].tried_reason or "")
    assert [view.score for view in tried.values()] == [12, 12]


def test_no_row_changes(store: Store, database: Database, read: Read) -> None:
    before = everything(database)

    tuned(store, read)
    tuned(store, read, criteria="coffee")

    assert everything(database) == before


def test_scores_by_criteria_that_have_changed_since_are_marked(
    store: Store, stock: Stock, read: Read
) -> None:
    stock.set(briefings, read.briefing, criteria_version=2)

    assert {view.outdated for view in tuned(store, read)} == {True}


def test_what_is_too_long_ago_is_shown_without_being_tried(
    store: Store, stock: Stock, read: Read
) -> None:
    read.item(stock, "Coffee was cheap", first_seen_at=NOW - timedelta(days=30))

    *_, oldest = tuned(store, read, criteria="coffee")

    assert (oldest.title, oldest.tried_score) == ("Coffee was cheap", None)


def test_thumbs_count_for_the_other_wish_as_well(
    store: Store, database: Database, read: Read
) -> None:
    by = {view.title: view for view in tuned(store, read, criteria="coffee")}
    store.items.rate(read.reader, read.items[CHESS], 1)

    liked = {view.title: view for view in tuned(store, read, criteria="coffee")}

    assert liked[CHESS].feedback == 1
    assert (liked[CHESS].tried_score or 0) > (by[CHESS].tried_score or 0)
    assert [row.score for row in rows_of(database, item_scores)] == [12, 12]


def test_a_briefing_is_tuned_by_its_own_reader_with_words(
    store: Store, stock: Stock, read: Read
) -> None:
    bob = stock.user("bob@example.org")

    with pytest.raises(NotFoundError, match=f"there is no briefing {read.briefing}"):
        tune(store, bob, read.briefing, refiner=lambda: Relevance(EMBEDDER), now=NOW)
    with pytest.raises(ConfigError, match="what is its reader interested in"):
        tuned(store, read, criteria=" ")
