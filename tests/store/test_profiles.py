"""What scores are refined by: kept with each item, marked until it is done, counted in the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from morningdeck.model.making import Criteria, Enriched, Profile
from morningdeck.model.refining import RefinedScore, WordCounts
from morningdeck.model.wanting import WantedSection
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.results.enriched import save_enriched
from morningdeck.store.rows.profiles import SqlProfileRows
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.news import items
from morningdeck.store.views.items import Items
from morningdeck.store.views.names import Names
from morningdeck.work import Job, Stage
from tests.conftest import NOW
from tests.factories import Stock, row_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LONG_AGO = NOW - 30 * DAY
ENGLISH = Profile("en", b"\x01\x00\x00\x00\x81", b"\x7f" * 4)


@pytest.fixture
def rows(database: Database) -> SqlProfileRows:
    return SqlProfileRows(database)


@pytest.fixture
def stock_on_postgres(postgres_url: str) -> Iterator[Stock]:
    """SQLite has one writer at a time: there nobody else writes."""
    with closing(open_database(postgres_url)) as database:
        yield Stock(database)


@pytest.fixture
def source(stock: Stock, ada: int) -> int:
    return stock.source(ada)


@pytest.fixture
def briefing(stock: Stock, ada: int) -> int:
    return stock.briefing(ada)


def process(database: Database, item: int, profile: Profile = ENGLISH) -> None:
    with database.write() as connection:
        result = Enriched((), "", profile=profile)
        save_enriched(connection, Job(Stage.PROCESSING, item, 1), result, NOW)


def score_of(database: Database, item: int) -> Any:
    query = select(item_scores).where(item_scores.c.item_id == item)
    with database.read() as connection:
        return connection.execute(query).one()


def better(briefing: int, item: int, value: int, *, version: int = 1) -> RefinedScore:
    return RefinedScore(briefing, item, version, value, "why", shows=True)


def test_a_profile_is_kept_with_its_item_and_marked(
    database: Database, stock: Stock, rows: SqlProfileRows, source: int
) -> None:
    item = stock.item(source)
    process(database, item)

    (kept,) = rows.recent(NOW - DAY, 10)
    assert (kept.item_id, kept.source_id, kept.profile) == (item, source, ENGLISH)
    assert rows.waits()
    assert rows.marked() == [(item, 1)]


def test_the_newest_profiles_of_the_window_are_read(
    database: Database, stock: Stock, rows: SqlProfileRows, source: int
) -> None:
    ids = [stock.item(source, first_seen_at=NOW - hours * HOUR) for hours in (30, 3, 2, 1)]
    for item in ids:
        process(database, item)

    assert [kept.item_id for kept in rows.recent(NOW - DAY, 2)] == [ids[3], ids[2]]
    assert len(rows.recent(NOW - DAY, 10)) == 3


def test_what_is_processed_again_meanwhile_waits_for_the_next_round(
    database: Database, stock: Stock, rows: SqlProfileRows, source: int
) -> None:
    one, two = stock.item(source), stock.item(source)
    process(database, one)
    process(database, two)
    marked = rows.marked()
    process(database, two)

    rows.clear(marked)

    assert rows.marked() == [(two, 2)]


def test_a_briefing_waits_for_what_its_sections_score(
    database: Database, stock: Stock, rows: SqlProfileRows, ada: int, source: int
) -> None:
    briefing = stock.briefing(ada, sections=(WantedSection("Town", "Hamburg"),))
    section, _ = Names(database).wishes(ada, 2)
    item = stock.item(source)
    process(database, item)

    assert not rows.waits(briefing)
    stock.score(item, section.id, 50)
    assert rows.waits(briefing)


def test_a_thumb_asks_for_better_scores(
    database: Database, stock: Stock, rows: SqlProfileRows, ada: int, source: int, briefing: int
) -> None:
    item = stock.item(source)
    process(database, item)
    stock.score(item, briefing, 50)
    rows.clear(rows.marked())

    Items(database).rate(ada, item, 1)

    assert rows.waits()
    assert rows.waits(briefing)
    assert not rows.waits(briefing + 1)
    ((rated,),) = rows.rated().values()
    assert (rated.item_id, rated.title, rated.feedback) == (item, "Harbour opens", 1)
    assert rated.profile == ENGLISH

    Items(database).rate(ada, item, 0)
    assert rows.rated() == {}


def test_better_scores_show_in_the_index_if_they_differ_much(
    database: Database, stock: Stock, rows: SqlProfileRows, source: int, briefing: int
) -> None:
    much, little = stock.item(source), stock.item(source)
    for item in (much, little):
        stock.score(item, briefing, 50)

    rows.save(
        [
            better(briefing, much, 80),
            RefinedScore(briefing, little, 1, 52, "why", shows=False),
        ]
    )

    assert (score_of(database, much).score, score_of(database, much).reason) == (80, "why")
    assert score_of(database, little).score == 52
    marks = [row_of(database, items, item).search_mark for item in (much, little)]
    assert marks == [1, 0]


def test_what_somebody_else_is_writing_is_left_out_and_told(
    stock_on_postgres: Stock,
) -> None:
    stock = stock_on_postgres
    ada = stock.user()
    source, briefing = stock.source(ada), stock.briefing(ada)
    held, free = stock.item(source), stock.item(source)
    for item in (held, free):
        stock.score(item, briefing, 50)
    rows = SqlProfileRows(stock.database)
    scores = [better(briefing, item, 80) for item in (held, free)]

    with stock.database.write() as connection:
        connection.execute(update(items).where(items.c.id == held).values(search_mark=0))
        assert rows.save(scores) == {held}

    assert score_of(stock.database, held).score == 50
    assert score_of(stock.database, free).score == 80
    assert rows.save(scores) == frozenset()
    assert score_of(stock.database, held).score == 80


def test_scores_of_a_model_and_of_other_criteria_stay(
    database: Database, stock: Stock, rows: SqlProfileRows, source: int, briefing: int
) -> None:
    by_model, by_old_criteria = stock.item(source), stock.item(source)
    for item in (by_model, by_old_criteria):
        stock.score(item, briefing, 50)
    of_model = update(item_scores).where(item_scores.c.item_id == by_model)
    with database.write() as connection:
        connection.execute(of_model.values(scored_by="gpt"))

    rows.save([better(briefing, by_model, 80), better(briefing, by_old_criteria, 80, version=2)])

    assert score_of(database, by_model).score == 50
    assert score_of(database, by_old_criteria).score == 50
    assert rows.scores(Criteria(briefing, 1, "ships"), NOW - DAY) == [(by_old_criteria, 50)]


def test_criteria_are_those_of_briefings_that_go_out(
    database: Database, stock: Stock, rows: SqlProfileRows, ada: int, source: int
) -> None:
    shown = stock.briefing(ada, criteria="ships", language="de")
    paused = stock.briefing(ada, criteria="chess")
    stock.set(items.metadata.tables["briefings"], paused, paused=True)

    assert rows.criteria() == (Criteria(shown, 1, "ships", ada, "de"),)
    assert rows.sources_of([ada]) == {ada: frozenset({source})}


def test_what_left_the_window_is_kept_as_counts_but_for_what_was_rated(
    database: Database, stock: Stock, rows: SqlProfileRows, ada: int, source: int, briefing: int
) -> None:
    old, liked = (stock.item(source, first_seen_at=LONG_AGO) for _ in range(2))
    recent = stock.item(source)
    for item in (old, liked, recent):
        process(database, item)
    stock.score(liked, briefing, 50)
    Items(database).rate(ada, liked, 1)

    outdated = rows.outdated(NOW - 11 * DAY, 10)
    counts = WordCounts("en", 1.5, b"\x01\x00\x00\x00\x00\x00\x80\x3f", NOW)
    rows.replace(outdated, [counts])

    assert [kept.item_id for kept in outdated] == [old]
    assert {kept.item_id for kept in rows.recent(LONG_AGO, 10)} == {liked, recent}
    assert rows.counts() == {"en": counts}


def test_a_profile_goes_with_its_item(
    database: Database, stock: Stock, rows: SqlProfileRows, source: int
) -> None:
    item = stock.item(source)
    process(database, item)
    with database.write() as connection:
        connection.execute(items.delete().where(items.c.id == item))

    assert not rows.waits()


def test_only_one_process_refines_at_a_time(rows: SqlProfileRows, postgres_url: str) -> None:
    from morningdeck.store.database.connect import open_database

    other = open_database(postgres_url)
    here = open_database(postgres_url)
    try:
        with SqlProfileRows(other).alone() as first, SqlProfileRows(here).alone() as second:
            assert (first, second) == (True, False)
    finally:
        other.close()
        here.close()
