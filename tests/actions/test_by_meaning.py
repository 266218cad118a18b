"""A search by meaning on the real store: near without the words, never beyond what it may see."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from morningdeck.actions.search import ByMeaning, find, push
from morningdeck.asked.parse import parse_query
from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.model.finding import ItemFilter, SearchAnswer, SearchQuery
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import item_likenesses, item_states, item_texts, stories
from morningdeck.store.views.meant import MeantItems
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.stories.likeness import in_bytes
from morningdeck.stories.meaning import Meaning
from tests.conftest import NOW
from tests.factories import make, make_item, make_source, make_subscription, make_user

EMBEDDER = WordEmbedder()


class Reading:
    """Somebody who reads one source, and asks what its items mean."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.user = make_user(database)
        self.source = make_source(database, title="Wire")
        make_subscription(database, self.user, self.source)
        self.index = FulltextIndex(database)
        items = MeantItems(database, a_slice=2)
        self.by_meaning = ByMeaning(items, self.index, lambda: EMBEDDER, Meaning)

    def item(self, title: str, *, source: int | None = None, **values: Any) -> int:
        row = {"title": title, "status": "DONE", "search_mark": 1, **values}
        item = make_item(self.database, source or self.source, **row)
        story = make(self.database, stories, label=title)
        with self.database.write() as connection:
            this = update(item_texts).where(item_texts.c.item_id == item)
            connection.execute(this.values(clean_content=title))
            (vector,) = EMBEDDER.embed([title])
            likeness = {"item_id": item, "story_id": story, "first_seen_at": NOW}
            connection.execute(item_likenesses.insert().values(vector=in_bytes(vector), **likeness))
        push(SearchOutbox(self.database), self.index)
        return item

    def ask(self, text: str, limit: int = 20, offset: int = 0, **only: Any) -> SearchAnswer:
        asked = parse_query(text, now=NOW)
        query = SearchQuery(self.user, asked, ItemFilter(**only), "meaning", limit, offset)
        return find(self.index, lambda: self.by_meaning, query)

    def found(self, text: str, **how: Any) -> list[int]:
        return [hit.id for hit in self.ask(text, **how).hits]


@pytest.fixture
def ada(database: Database) -> Reading:
    return Reading(database)


def test_it_finds_what_is_near_without_the_words(ada: Reading) -> None:
    refinery = ada.item("Refineries process less petroleum after the leak")
    ada.item("Grandmasters draw in the final round of the chess tournament")
    drilling = ada.item("Drilling for crude begins off the coast")

    assert set(ada.found("oil wells")) == {refinery, drilling}
    assert ada.index.search(SearchQuery(ada.user, parse_query("oil wells"))).total == 0


def test_pages_follow_each_other_and_the_total_stays(ada: Reading) -> None:
    for number in range(5):
        ada.item(f"Oil price number {number}")

    pages = [ada.ask("oil", limit=2, offset=at) for at in (0, 2, 4, 6)]

    assert [len(page.hits) for page in pages] == [2, 2, 1, 0]
    assert len({hit.id for page in pages for hit in page.hits}) == 5
    assert {page.total for page in pages} == {5}
    assert {(page.backend, page.degraded) for page in pages} == {("database", False)}


def test_options_and_what_the_query_forbids_still_filter(ada: Reading) -> None:
    crude, brent = ada.item("Crude oil falls"), ada.item("Brent oil falls")
    with ada.database.write() as connection:
        row = {"user_id": ada.user, "item_id": crude, "saved_at": NOW}
        connection.execute(item_states.insert().values(row))

    assert set(ada.found("petroleum")) == {crude, brent}
    assert ada.found("petroleum", saved=True) == [crude]
    assert ada.found("petroleum -brent") == [crude]
    assert ada.found('petroleum "brent oil"') == [brent]
    assert ada.found("petroleum", since=NOW + timedelta(days=1)) == []


def test_nobody_finds_what_only_others_read(ada: Reading, database: Database) -> None:
    bob = Reading(database)
    item = bob.item("Crude oil falls")

    assert (ada.found("petroleum"), bob.found("petroleum")) == ([], [item])
    assert ada.ask("petroleum").total == 0


def test_without_a_subject_the_newest_come_first(ada: Reading) -> None:
    old, new = ada.item("Oil", first_seen_at=NOW - timedelta(days=1)), ada.item("Chess")

    assert ada.found("") == [new, old]


def test_words_that_nobody_knows_are_near_to_nothing(ada: Reading) -> None:
    ada.item("Crude oil falls")

    assert ada.found("\ud800 \0") == []
