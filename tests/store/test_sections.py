"""Briefings of several wishes: each is scored by itself, and all stand in one mail."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

import pytest
from sqlalchemy import update

from morningdeck.actions.briefings import preview
from morningdeck.errors import ConfigError, NotFoundError
from morningdeck.model.finding import ItemFilter
from morningdeck.model.wanting import BriefingChanges, NewSource, WantedSection
from morningdeck.model.weighing import Scope
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.rows.expected import Expected
from morningdeck.store.rows.items import SqlItemRows
from morningdeck.store.store import Store
from morningdeck.store.tables.briefs import briefing_subscriptions, briefings, item_scores
from morningdeck.store.tables.columns import metadata
from morningdeck.store.tables.news import items
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.items import Items
from morningdeck.store.views.overview import Overview
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.views.sent import BriefingView
from morningdeck.work import Stage
from tests.conftest import NOW
from tests.factories import Stock, make_score, row_of, rows_of
from tests.store.desk import DAY, Reader

TOWN, WIND = WantedSection("Town", "Hamburg"), WantedSection("Wind", "offshore wind")


@pytest.fixture
def views(database: Database) -> Briefings:
    return Briefings(database)


def edited(views: Briefings, user: int, briefing: int, **changes: Any) -> BriefingView:
    return views.edit(user, briefing, BriefingChanges(**changes), now=NOW, next_run_at=None)


def titles(view: BriefingView) -> list[str]:
    return [section.title for section in view.sections]


# ---- made and changed


def test_a_briefing_is_shown_with_its_sections_and_they_with_none(
    stock: Stock, views: Briefings, ada: int
) -> None:
    briefing = stock.briefing(ada, sections=(TOWN, WIND))

    (view,) = views.list(ada)
    assert [(one.title, one.criteria) for one in view.sections] == [
        ("Town", "Hamburg"),
        ("Wind", "offshore wind"),
    ]
    section = view.sections[0].id
    with pytest.raises(NotFoundError):
        views.show(ada, section)
    with pytest.raises(NotFoundError):
        views.remove(ada, section)
    assert SqlBriefingRows(views._database).load(section) is None
    assert Overview(views._database).queue_stats().briefing["ACTIVE"] == 1
    assert Overview(views._database).outlook(ada, NOW).briefings == 1
    assert views.show(ada, briefing) == view


def test_a_section_of_the_same_title_keeps_its_scores_unless_its_wish_differs(
    stock: Stock, views: Briefings, ada: int, database: Database
) -> None:
    briefing = stock.briefing(ada, sections=(TOWN, WIND))
    town, wind = (section.id for section in views.show(ada, briefing).sections)
    other = replace(TOWN, criteria="Hamburg and Bremen")

    view = edited(views, ada, briefing, sections=(WIND, other, WantedSection("Rail", "trains")))

    assert [section.id for section in view.sections][:2] == [wind, town]
    assert titles(view) == ["Wind", "Town", "Rail"]
    versions = [row_of(database, briefings, section).criteria_version for section in (wind, town)]
    assert versions == [1, 2]
    assert titles(edited(views, ada, briefing, sections=())) == []
    assert len(rows_of(database, briefings)) == 1


def test_a_new_section_has_what_is_recent_scored(
    stock: Stock, views: Briefings, ada: int, database: Database
) -> None:
    item = stock.item(stock.source(ada))
    briefing = stock.briefing(ada)
    stock.set(items, item, rescore=False)

    edited(views, ada, briefing, sections=(TOWN,))

    assert stock.row(items, item).rescore
    wishes = SqlItemRows(database).unscored(item, None)
    assert [one.text for one in wishes] == ["ships", "Hamburg"]


def test_what_a_briefing_is_its_sections_are(
    stock: Stock, views: Briefings, ada: int, database: Database
) -> None:
    first, second = stock.source(ada), stock.source(ada, "https://b.example/feed")
    briefing = stock.briefing(ada, sections=(TOWN,), source_ids=(first,))
    (section,) = (one.id for one in views.show(ada, briefing).sections)

    def sources() -> int:
        of_section = briefing_subscriptions.c.briefing_id == section
        return len(rows_of(database, briefing_subscriptions, of_section))

    assert sources() == 1
    edited(views, ada, briefing, source_ids=(first, second), language="de")
    assert (sources(), row_of(database, briefings, section).language) == (2, "de")
    views.pause(ada, briefing)
    assert row_of(database, briefings, section).paused
    views.resume(ada, briefing, now=NOW, next_run_at=NOW + DAY)
    row = row_of(database, briefings, section)
    assert (row.paused, row.due_at, row.next_run_at) == (False, None, None)
    edited(views, ada, briefing, source_ids=())
    assert row_of(database, briefings, section).all_sources


def test_a_source_added_to_a_briefing_is_its_sections_too(
    stock: Stock, views: Briefings, ada: int, database: Database
) -> None:
    briefing = stock.briefing(ada, sections=(TOWN,), source_ids=(stock.source(ada),))
    new = NewSource("https://b.example/feed")
    Subscriptions(database).subscribe(ada, new, briefing_ids=(briefing,), now=NOW)

    assert len(rows_of(database, briefing_subscriptions)) == 4


@pytest.mark.parametrize(
    "sections",
    [
        (TOWN, replace(TOWN, criteria="x")),
        (WantedSection(" ", "x"),),
        (WantedSection("x", " "),),
        tuple(WantedSection(str(number), "x") for number in range(10)),
    ],
)
def test_sections_need_a_title_of_their_own_and_a_wish(
    stock: Stock, ada: int, views: Briefings, sections: tuple[WantedSection, ...]
) -> None:
    with pytest.raises(ConfigError):
        stock.briefing(ada, sections=sections)
    assert views.list(ada) == ()


def test_the_items_of_a_briefing_are_those_of_its_sections_too(
    stock: Stock, views: Briefings, ada: int, database: Database
) -> None:
    source = stock.source(ada)
    own, of_section, other = (stock.item(source) for _ in range(3))
    briefing, another = stock.briefing(ada, sections=(TOWN,)), stock.briefing(ada)
    (section,) = (one.id for one in views.show(ada, briefing).sections)
    for item, wish in ((own, briefing), (of_section, section), (other, another)):
        make_score(database, item, wish, 70)

    listed = Items(database).list(ada, ItemFilter(briefing_id=briefing, min_score=60))

    assert {view.id for view in listed} == {own, of_section}


def test_a_section_can_be_tuned_like_a_briefing(
    stock: Stock, views: Briefings, ada: int, bob: int, database: Database
) -> None:
    briefing = stock.briefing(ada, sections=(TOWN,), language="de")
    (section,) = (one.id for one in views.show(ada, briefing).sections)
    item = stock.item(stock.source(ada))
    make_score(database, item, section, 70)

    assert [(one.item_id, one.score) for one in views.scored(ada, section)] == [(item, 70)]
    assert views.language(ada, section) == "de"
    for call in (views.scored, views.language):
        with pytest.raises(NotFoundError):
            call(bob, section)


# ---- written


class Paper(Reader):
    """A reader of one section beside the briefing's own wish."""

    def __init__(self, database: Database, **values: Any) -> None:
        super().__init__(database, **values)
        Briefings(database).edit(
            self.user, self.briefing, BriefingChanges(sections=(TOWN,)), now=NOW, next_run_at=None
        )
        (self.section,) = (section.id for section in self.loaded().sections)

    def news(self, own: int | None, of_section: int | None, **values: Any) -> int:
        item = self.item(own, **values)
        if of_section is not None:
            make_score(self.database, item, self.section, of_section)
        return item


@pytest.fixture
def paper(database: Database) -> Paper:
    return Paper(database)


def test_an_item_stands_once_in_the_section_that_it_serves_best(paper: Paper) -> None:
    ship, both, town = paper.news(80, None), paper.news(50, 70), paper.news(None, 60)

    report = paper.outcome().report

    assert report is not None
    assert [(one.title, [item.item_id for item in one.items]) for one in report.sections] == [
        ("", [ship]),
        ("Town", [both, town]),
    ]
    assert [item.position for item in report.items] == [1, 2, 3]
    assert report.weighed == 3


def test_each_section_has_places_of_its_own(database: Database) -> None:
    paper = Paper(database, max_items=1)
    ships = [paper.news(score, None) for score in (90, 80)]
    town = paper.news(None, 50)

    assert paper.run() == [ships[0], town]
    assert paper.weighed() == {*ships, town}


def test_h10_a_score_of_a_section_that_comes_late_is_weighed_next_and_shows_nothing_twice(
    paper: Paper,
) -> None:
    shown, other = paper.news(80, None), paper.news(30, None)
    with paper.database.write() as connection:
        connection.execute(update(briefings).values(min_score=40))
    assert paper.run() == [shown]

    for item in (shown, other):
        make_score(paper.database, item, paper.section, 90)

    assert paper.run(NOW + DAY) == [other]
    assert paper.run(NOW + 2 * DAY) == []
    marks = rows_of(paper.database, item_scores, item_scores.c.considered_in.is_(None))
    assert marks == []


def test_a_preview_changes_nothing(paper: Paper) -> None:
    for score in range(0, 100, 10):
        paper.news(score, 100 - score)
    before = everything(paper.database)

    store = Store(paper.database, lease=DAY, refresh=DAY, window=no_window)
    found = preview(store, paper.user, paper.briefing, now=NOW)

    assert len(found.report.items) == 10
    assert everything(paper.database) == before
    assert paper.run() == [item.item_id for item in found.report.items]


def no_window() -> NoReturn:
    raise AssertionError("a briefing places no items")


def everything(database: Database) -> dict[str, list[Any]]:
    return {table.name: rows_of(database, table) for table in metadata.sorted_tables}


def test_titles_that_read_alike_are_refused(views: Briefings, paper: Paper) -> None:
    alike = (WantedSection("The  Town", "Hamburg"), WantedSection("the town ", "Bremen"))

    with pytest.raises(ConfigError, match="cannot have one title"):
        edited(views, paper.user, paper.briefing, sections=alike)


def test_what_a_section_still_waits_for_is_not_scored_yet(paper: Paper) -> None:
    scope = Scope(paper.briefing, NOW - DAY)
    paper.item(80, status="DONE", rescore=True)
    expected = Expected(paper.database)

    assert expected.count(Stage.PROCESSING, scope) == 1
    assert len(expected.due(Stage.PROCESSING, scope, NOW, 10)) == 1
