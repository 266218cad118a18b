"""Until an item has topics of its own, those of its source count wherever one ranks or filters."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.model.wanting import SourceChanges
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.tables.news import items, sources
from morningdeck.store.views.items import Items
from morningdeck.store.views.subscriptions import Subscriptions
from tests.conftest import NOW
from tests.factories import change, make_briefing, row_of
from tests.store.shelf import Shelf

OWN = {"topics": ["energy"]}


@pytest.fixture
def shelf(database: Database) -> Shelf:
    """Its source is about ports."""
    shelf = Shelf(database)
    change(database, sources, shelf.source, topics=("ports",))
    return shelf


def test_a_search_finds_an_item_that_waits_by_what_its_source_is_about(shelf: Shelf) -> None:
    waits = shelf.item("Harbour opens", status="NEW")
    without = shelf.item("Harbour closes", tags={"topics": [], "people": ["Ada"]})
    shelf.item("Harbour power", tags=OWN)

    assert shelf.found("ports") == [waits, without]


def test_facets_count_it_under_the_topics_of_its_source(shelf: Shelf) -> None:
    shelf.item("Harbour opens", status="NEW")
    shelf.item("Harbour power", tags=OWN)

    assert shelf.search("harbour").facets["topics"] == {"ports": 1, "energy": 1}
    assert shelf.search("").facets["topics"] == {"ports": 1, "energy": 1}


def test_lists_show_it_with_them(shelf: Shelf, database: Database) -> None:
    shelf.item("Harbour opens", status="NEW")
    shelf.item("Harbour power", tags=OWN)

    shown = Items(database).list(shelf.reader)

    assert [view.tags.topics for view in shown] == [("energy",), ("ports",)]


def test_a_briefing_weighs_it_with_them(shelf: Shelf, database: Database) -> None:
    briefing = make_briefing(database, shelf.reader)
    shelf.score(shelf.item("Harbour opens", tags={}), briefing, 71)
    rows = SqlBriefingRows(database)
    loaded = rows.load(briefing)
    assert loaded is not None

    (found,) = rows.candidates(loaded, NOW - timedelta(days=1))

    assert found.topics == ("ports",)


def test_other_topics_of_the_source_are_told_to_the_index_for_those_without(
    shelf: Shelf, database: Database
) -> None:
    waits, own = shelf.item("Harbour opens", tags={"topics": []}), shelf.item("Power", tags=OWN)
    bare = shelf.item("Harbour closes", status="NEW")
    subscriptions = Subscriptions(database)

    subscriptions.edit(shelf.reader, shelf.source, SourceChanges(topics=("shipping",)), now=NOW)

    marks = {item: row_of(database, items, item).search_mark for item in (waits, own, bare)}
    assert {item for item, mark in marks.items() if mark > 0} == {waits, bare}
    assert shelf.found("shipping") == [waits, bare]
    assert shelf.found("ports") == []
