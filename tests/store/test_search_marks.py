"""Whatever a document shows marks its item when it changes; what it does not show marks none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from morningdeck.model.finding import SearchDocument
from morningdeck.model.refining import RefinedScore
from morningdeck.model.wanting import BriefingChanges, SourceChanges, WantedSection
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.profiles import SqlProfileRows
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.news import item_texts
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.items import Items
from morningdeck.store.views.retention import Retention
from morningdeck.store.views.saved_pages import SavedPages
from morningdeck.store.views.subscriptions import Subscriptions
from tests.conftest import NOW
from tests.factories import Stock

PAGE = "https://example.org/page"


class Indexed:
    """An item that the index knows, of a reader with a briefing of two wishes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        stock = Stock(database)
        self.ada = stock.user()
        self.source = stock.source(self.ada, topics=("ports",))
        self.briefings = Briefings(database)
        sections = (WantedSection("Town", "Hamburg"),)
        self.briefing = stock.briefing(self.ada, sections=sections)
        (section,) = self.briefings.show(self.ada, self.briefing).sections
        pages = SavedPages(database, Subscriptions(database), Items(database))
        self.page = pages.add(self.ada, PAGE, PAGE, NOW).id
        self.item = stock.item(self.source, search_mark=1)
        with database.write() as connection:
            connection.execute(item_texts.insert().values(item_id=self.item))
        stock.score(self.item, self.briefing, 40)
        stock.score(self.item, section.id, 70)
        self.outbox = SearchOutbox(database)
        self.outbox.clear(self.outbox.documents(10))
        assert not self.outbox.waits()

    def documents(self) -> dict[int, SearchDocument]:
        return {one.id: replace(one, mark=0) for one in self.outbox.after(0, 10)}

    def changed_by(self, work: Callable[[Indexed], object]) -> set[int]:
        """The items whose documents differ; exactly they wait."""
        before = self.documents()
        work(self)
        after = self.documents()
        differ = {one for one in after if after[one] != before.get(one)}
        assert {one.id for one in self.outbox.documents(10)} == differ
        return differ


@pytest.fixture
def indexed(database: Database) -> Indexed:
    return Indexed(database)


def read(on: Indexed) -> None:
    Items(on.database).mark_read(on.ada, on.item, NOW)


def saved(on: Indexed) -> None:
    Items(on.database).mark_saved(on.ada, on.item, NOW)


def all_read(on: Indexed) -> None:
    Items(on.database).mark_all_read(on.ada, at=NOW)


def topics(on: Indexed) -> None:
    changes = SourceChanges(topics=("ships",))
    Subscriptions(on.database).edit(on.ada, on.source, changes, now=NOW)


def renamed(on: Indexed) -> None:
    changes = SourceChanges(name="Tug Times")
    Subscriptions(on.database).edit(on.ada, on.source, changes, now=NOW)


def left(on: Indexed) -> None:
    Subscriptions(on.database).remove(on.ada, on.source)


def briefing_removed(on: Indexed) -> None:
    on.briefings.remove(on.ada, on.briefing)


def section_removed(on: Indexed) -> None:
    on.briefings.edit(on.ada, on.briefing, BriefingChanges(sections=()), now=NOW, next_run_at=NOW)


def refined(on: Indexed) -> None:
    score = RefinedScore(on.briefing, on.item, 1, 90, "better", shows=True)
    with on.database.write() as connection:
        connection.execute(update(item_scores).values(criteria_version=1, scored_by="offline"))
    SqlProfileRows(on.database).save([score])


def page_saved_again(on: Indexed) -> None:
    pages = SavedPages(on.database, Subscriptions(on.database), Items(on.database))
    Items(on.database).mark_saved(on.ada, on.page, None)
    on.outbox.clear(on.outbox.documents(10))
    assert not on.outbox.waits()
    pages.add(on.ada, PAGE, PAGE, NOW)


@pytest.mark.parametrize("work", [read, saved, topics, briefing_removed, section_removed, refined])
def test_what_a_document_shows_marks_its_item(
    indexed: Indexed, work: Callable[[Indexed], object]
) -> None:
    assert indexed.changed_by(work) == {indexed.item}


def test_everything_that_is_read_is_marked(indexed: Indexed) -> None:
    assert indexed.changed_by(all_read) == {indexed.item, indexed.page}


@pytest.mark.parametrize("work", [renamed, left])
def test_what_no_document_shows_marks_nothing(
    indexed: Indexed, work: Callable[[Indexed], object]
) -> None:
    assert indexed.changed_by(work) == set()


def test_a_page_that_is_saved_once_more_is_marked(indexed: Indexed) -> None:
    page_saved_again(indexed)

    assert [one.id for one in indexed.outbox.documents(10)] == [indexed.page]


def test_a_document_has_the_best_score_of_a_briefing_and_its_sections(indexed: Indexed) -> None:
    document = indexed.documents()[indexed.item]

    assert document.scores == ((indexed.briefing, 70),)
    assert document.best == ((indexed.ada, 70),)


def test_what_is_removed_is_told(indexed: Indexed) -> None:
    stock = Stock(indexed.database)
    old = stock.item(indexed.source, status="ERROR", started_at=NOW - timedelta(days=30))

    Retention(indexed.database).purge_dead_letters(timedelta(days=14), NOW)

    assert indexed.outbox.gone(10) == (old,)
    indexed.outbox.forget([indexed.item, old + 1])  # what is there is never forgotten
    assert indexed.outbox.gone(10) == (old, old + 1)
