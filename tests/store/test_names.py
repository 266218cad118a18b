"""What a reader's things are called, for choices in forms and beside scores."""

from __future__ import annotations

from morningdeck.model.wanting import WantedSection
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.views.names import Names
from morningdeck.views.reading import NameView
from tests.factories import Stock, make


def test_sources_go_by_their_readers_name_else_their_own(
    database: Database, stock: Stock, ada: int, bob: int
) -> None:
    own = stock.source(ada, "https://a.example/feed", name="Mine")
    plain = stock.source(ada, "https://b.example/feed")
    stock.source(bob, "https://a.example/feed", name="His")

    found = Names(database).sources(ada, 10)

    assert {(one.id, one.name) for one in found} == {(own, "Mine"), (plain, "b.example")}
    assert len(Names(database).sources(ada, 1)) == 1
    assert [one.id for one in Names(database).sources(ada, 1, only=own)] == [own]


def test_sections_are_named_with_their_briefing_and_saved_searches_are_none(
    database: Database, stock: Stock, ada: int, bob: int
) -> None:
    town = WantedSection("Town", "Hamburg")
    briefing = stock.briefing(ada, title="Morning", sections=(town,))
    make(database, briefings, user_id=ada, title="ships", at_once=True, paused=True)
    stock.briefing(bob, title="His")

    section, whole = Names(database).wishes(ada, 10)

    assert whole == NameView(briefing, "Morning")
    assert (section.name, section.section_of) == ("Town", briefing)
