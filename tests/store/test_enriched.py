"""What processing sees of an item, and what enrichment leaves behind."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from morningdeck.model.making import Enriched, Enrichment, Score, Tags
from morningdeck.store.database.connect import Database
from morningdeck.store.results.enriched import save_enriched
from morningdeck.store.rows.items import SqlItemRows
from morningdeck.store.tables.briefs import briefing_subscriptions, briefings, item_scores, reports
from morningdeck.store.tables.news import item_texts, items
from morningdeck.work import Job, Stage
from tests.conftest import NOW
from tests.factories import (
    Stock,
    make,
    make_briefing,
    make_item,
    make_source,
    make_subscription,
    make_user,
    row_of,
)

TAGS = Tags(("energy",), ("Ada",), ("Acme",), ("Wasm",), "positive")


def an_enrichment(*scores: Score) -> Enrichment:
    return Enrichment("A summary.", "news", "inform", TAGS, "en", by="offline", scores=scores)


def a_score(briefing: int, value: int = 50, *, version: int = 1, reason: str = "energy") -> Score:
    return Score(briefing, version, value, reason, by="offline")


def save(
    database: Database,
    item: int,
    found: Enrichment | tuple[Score, ...],
    *,
    leader: int | None = None,
    content_hash: str = "hash",
    own_summary: str | None = None,
) -> None:
    with database.write() as connection:
        enriched = Enriched(found, content_hash, leader, own_summary=own_summary)
        save_enriched(connection, Job(Stage.PROCESSING, item, 1), enriched, NOW)


def scores_of(database: Database, item: int) -> dict[int, int]:
    query = select(item_scores.c.briefing_id, item_scores.c.score)
    with database.read() as connection:
        rows = connection.execute(query.where(item_scores.c.item_id == item))
        return {row.briefing_id: row.score for row in rows}


def unscored(database: Database, item: int, leader: int | None = None) -> list[int]:
    return [wanted.briefing_id for wanted in SqlItemRows(database).unscored(item, leader)]


@pytest.fixture
def ada_reads(database: Database, source: int) -> int:
    """Ada, who reads the source."""
    ada = make_user(database)
    make_subscription(database, ada, source)
    return ada


# ---- seeing an item


@pytest.mark.parametrize(
    ("texts", "seen"),
    [
        ({"raw_content": "raw", "clean_content": "clean", "web_content": "web"}, "web"),
        ({"raw_content": "raw", "clean_content": "clean"}, "clean"),
        ({"raw_content": "raw", "clean_content": ""}, "raw"),
        ({"clean_content": ""}, ""),
    ],
)
def test_the_best_text_there_is_is_used(
    database: Database, item: int, texts: dict[str, str], seen: str
) -> None:
    with database.write() as connection:
        this = update(item_texts).where(item_texts.c.item_id == item)
        connection.execute(this.values(**texts))

    found = SqlItemRows(database).load(item)
    assert found is not None
    assert found.text == seen


def test_an_item_comes_with_what_is_known_of_its_source(database: Database) -> None:
    source = make_source(database, title="News", topics=("energy",))
    found = SqlItemRows(database).load(make_item(database, source, processed_at=NOW))

    assert found is not None
    assert (found.source_title, found.source_topics, found.done_before) == (
        "News",
        ("energy",),
        True,
    )
    assert SqlItemRows(database).load(found.id + 1) is None


def test_an_item_is_read_while_somebody_has_its_source(
    database: Database, stock: Stock, ada: int
) -> None:
    read, left = stock.source(ada), make_source(database)

    found = [SqlItemRows(database).load(stock.item(source)) for source in (read, left)]

    assert [item.has_readers for item in found if item] == [True, False]


# ---- which briefings it serves


def test_an_item_serves_the_briefings_of_all_who_read_its_source(
    database: Database, item: int, source: int, ada_reads: int
) -> None:
    bob, eve = make_user(database), make_user(database)
    make_subscription(database, bob, source)
    served = [make_briefing(database, reader) for reader in (ada_reads, bob)]
    make_briefing(database, eve)

    assert unscored(database, item) == served


def test_it_serves_no_briefing_that_is_paused_or_whose_reader_is_away(
    database: Database, item: int, source: int, ada_reads: int
) -> None:
    bob, eve = make_user(database), make_user(database, enabled=False)
    make_subscription(database, bob, source, paused=True)
    make_subscription(database, eve, source)
    make_briefing(database, ada_reads, paused=True)
    make_briefing(database, bob)
    make_briefing(database, eve)

    assert unscored(database, item) == []


def test_a_briefing_that_names_its_sources_takes_no_other(
    database: Database, item: int, source: int
) -> None:
    ada = make_user(database)
    mine = make_subscription(database, ada, source)
    other = make_subscription(database, ada, make_source(database))
    one, two = (make_briefing(database, ada, all_sources=False) for _ in range(2))
    with database.write() as connection:
        rows = [
            {"briefing_id": one, "subscription_id": mine},
            {"briefing_id": two, "subscription_id": other},
        ]
        connection.execute(briefing_subscriptions.insert(), rows)

    assert unscored(database, item) == [one]


def test_an_item_is_wanted_by_the_first_slot_of_the_briefings_it_serves(
    database: Database, item: int, ada_reads: int
) -> None:
    items_ = SqlItemRows(database)
    assert items_.next_slot(item) is None

    make_briefing(database, ada_reads, next_run_at=NOW + timedelta(hours=5))
    make_briefing(database, ada_reads, next_run_at=NOW + timedelta(hours=2))
    make_briefing(database, ada_reads, next_run_at=NOW, paused=True)
    assert items_.next_slot(item) == NOW + timedelta(hours=2)

    by_hand = NOW + timedelta(hours=1)
    make_briefing(
        database, ada_reads, next_run_at=NOW + timedelta(hours=9), run_requested_at=by_hand
    )
    assert items_.next_slot(item) == by_hand


def test_whose_wishes_they_are_and_in_which_language_is_known(
    database: Database, item: int, ada_reads: int
) -> None:
    make_briefing(database, ada_reads, language="de")

    (wish,) = SqlItemRows(database).unscored(item, None)

    assert (wish.user_id, wish.language) == (ada_reads, "de")


def test_a_score_counts_until_the_criteria_change(
    database: Database, item: int, ada_reads: int
) -> None:
    briefing = make_briefing(database, ada_reads, criteria="ships")
    save(database, item, an_enrichment(a_score(briefing)))
    assert unscored(database, item) == []

    with database.write() as connection:
        connection.execute(update(briefings).values(criteria="trains", criteria_version=2))

    (wanted,) = SqlItemRows(database).unscored(item, None)
    assert (wanted.briefing_id, wanted.version, wanted.text) == (briefing, 2, "trains")


def test_a_score_of_its_leader_is_as_good_as_its_own(
    database: Database, item: int, source: int, ada_reads: int
) -> None:
    briefing = make_briefing(database, ada_reads)
    leader = make_item(database, source)
    save(database, leader, an_enrichment(a_score(briefing)))

    assert unscored(database, item, leader) == []
    assert unscored(database, item) == [briefing]


# ---- what is left behind


def test_an_enrichment_is_stored_with_its_scores_and_marks_the_index(
    database: Database, item: int, ada_reads: int
) -> None:
    briefing = make_briefing(database, ada_reads)
    save(database, item, an_enrichment(a_score(briefing, 71)))

    row = row_of(database, items, item)
    assert (row.summary, row.category, row.intent) == ("A summary.", "news", "inform")
    assert (row.language, row.enriched_by, row.processed_at) == ("en", "offline", NOW)
    assert (row.tags["topics"], row.tags["sentiment"]) == (["energy"], "positive")
    assert row.search_mark == 1
    assert scores_of(database, item) == {briefing: 71}


def test_models_may_say_what_no_database_can_keep(
    database: Database, item: int, ada_reads: int
) -> None:
    bad, briefing = "a\0b\ud800", make_briefing(database, ada_reads)
    found = Enrichment(bad, bad, bad, Tags((bad,)), bad, bad, (a_score(briefing, reason=bad),))
    save(database, item, found)

    row = row_of(database, items, item)
    assert (row.summary, row.tags["topics"]) == ("ab?", ["ab?"])


def test_a_new_score_of_what_was_weighed_does_not_bring_it_back(
    database: Database, item: int, ada_reads: int
) -> None:
    briefing = make_briefing(database, ada_reads)
    report = make(database, reports, briefing_id=briefing, slot="2026-11-18")
    save(database, item, an_enrichment(a_score(briefing, 40)))
    with database.write() as connection:
        connection.execute(update(item_scores).values(considered_in=report, feedback=1))

    save(database, item, (a_score(briefing, 90, version=2),))

    with database.read() as connection:
        row = connection.execute(select(item_scores)).one()
    assert (row.score, row.criteria_version) == (90, 2)
    assert (row.considered_in, row.feedback) == (report, 1)


def test_scores_alone_leave_the_enrichment_as_it_is(
    database: Database, item: int, ada_reads: int
) -> None:
    save(database, item, an_enrichment())
    save(database, item, (a_score(make_briefing(database, ada_reads), 90),))

    row = row_of(database, items, item)
    assert (row.summary, row.search_mark) == ("A summary.", 2)


def test_a_text_that_changed_meanwhile_is_processed_again(database: Database, item: int) -> None:
    save(database, item, an_enrichment(), content_hash="the old one")

    row = row_of(database, items, item)
    assert (row.status, row.processed_at) == ("NEW", None)


# ---- followers


def test_a_follower_takes_over_what_its_leader_got(
    database: Database, item: int, source: int, ada_reads: int
) -> None:
    briefing, leader = make_briefing(database, ada_reads), make_item(database, source)
    save(database, leader, an_enrichment(a_score(briefing, 71)))

    save(database, item, (), leader=leader, own_summary="In its own words.")

    assert row_of(database, items, item).summary == "In its own words."
    assert row_of(database, items, item).tags == row_of(database, items, leader).tags
    assert scores_of(database, item) == {briefing: 71}


def test_a_follower_takes_no_score_for_a_reader_it_does_not_serve(
    database: Database, item: int, ada_reads: int
) -> None:
    bob, elsewhere = make_user(database), make_source(database)
    make_subscription(database, bob, elsewhere)
    leader = make_item(database, elsewhere)
    his = make_briefing(database, bob)
    save(database, leader, an_enrichment(a_score(his, 71)))
    hers = make_briefing(database, ada_reads)

    save(database, item, (a_score(hers, 20),), leader=leader)

    assert scores_of(database, item) == {hers: 20}


def test_a_followers_own_score_is_not_overwritten_by_its_leaders(
    database: Database, item: int, source: int, ada_reads: int
) -> None:
    briefing, leader = make_briefing(database, ada_reads), make_item(database, source)
    save(database, leader, an_enrichment(a_score(briefing, 71)))

    save(database, item, (a_score(briefing, 20, version=2),), leader=leader)

    assert scores_of(database, item) == {briefing: 20}


def test_a_followers_score_by_older_criteria_gives_way_to_its_leaders(
    database: Database, item: int, source: int, ada_reads: int
) -> None:
    briefing, leader = make_briefing(database, ada_reads), make_item(database, source)
    save(database, item, an_enrichment(a_score(briefing, 20)))
    save(database, leader, an_enrichment(a_score(briefing, 71, version=2)))

    save(database, item, (), leader=leader)

    assert scores_of(database, item) == {briefing: 71}
