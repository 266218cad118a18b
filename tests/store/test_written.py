"""Briefings from the database and back: nothing comes twice, to its own reader, and all is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete, update

from morningdeck.model.sending import Teller
from morningdeck.store.database.connect import Database
from morningdeck.store.results.written import save_written
from morningdeck.store.tables.briefs import (
    briefing_subscriptions,
    deliveries,
    report_items,
    report_texts,
    reports,
)
from morningdeck.store.tables.news import items, sources, stories
from morningdeck.work import Job, Stage
from tests.conftest import NOW
from tests.factories import change, make, make_source, make_subscription, make_user, rows_of
from tests.store.desk import DAY, Reader


@pytest.fixture
def ada(database: Database) -> Reader:
    return Reader(database)


def a_story(database: Database) -> int:
    return make(database, stories, label="Harbour")


# ---- what is weighed


def test_h10_an_item_scored_after_the_report_is_in_the_next_one_exactly_once(ada: Reader) -> None:
    early, late = ada.item(), ada.item(score=None)
    assert ada.run(NOW) == [early]

    ada.score(late)

    assert ada.run(NOW + DAY) == [late]
    assert ada.run(NOW + 2 * DAY) == []


def test_h10_a_future_dated_item_comes_once(ada: Reader) -> None:
    item = ada.item(published_at=NOW + timedelta(days=400))

    assert [ada.run(NOW + day * DAY) for day in range(3)] == [[item], [], []]


def test_an_old_item_that_was_seen_now_is_news(ada: Reader) -> None:
    item = ada.item(published_at=NOW - timedelta(days=4000))

    assert ada.run() == [item]


@pytest.mark.parametrize(("weekday", "told"), [(None, False), (2, True)], ids=["daily", "weekly"])
def test_what_was_seen_eight_days_ago_is_news_for_a_weekly_briefing_only(
    database: Database, weekday: int | None, told: bool
) -> None:
    frequency = "DAILY" if weekday is None else "WEEKLY"
    ada = Reader(database, weekday=weekday, frequency=frequency)
    item = ada.item(first_seen_at=NOW - timedelta(days=8))

    assert ada.run() == ([item] if told else [])


def test_every_row_that_was_weighed_is_marked_chosen_or_not(database: Database) -> None:
    ada = Reader(database, min_score=40, max_items=1)
    story = a_story(database)
    weighed = [
        ada.item(90, story_id=story),
        ada.item(80, story_id=story),
        ada.item(70),
        ada.item(10),
    ]
    assert ada.run() == weighed[:1]
    assert ada.weighed() == set(weighed)


def test_a_story_is_told_under_the_headline_of_what_was_enriched(
    ada: Reader, database: Database
) -> None:
    story = a_story(database)
    enriched, later = ada.item(60, story_id=story), ada.item(60, story_id=story)
    with database.write() as connection:
        connection.execute(update(stories).values(representative_id=enriched))

    assert ada.run() == [enriched]
    assert ada.weighed() == {enriched, later}


def test_a_story_that_an_earlier_report_told_is_not_told_again(
    database: Database, ada: Reader
) -> None:
    story = a_story(database)
    first = ada.item(60, story_id=story)
    assert ada.run() == [first]

    again, other = ada.item(99, story_id=story), ada.item(10)

    assert ada.run(NOW + DAY) == [other]
    assert ada.weighed() == {first, again, other}


def test_a_story_that_another_briefing_told_is_new_in_this_one(database: Database) -> None:
    ada, bob = Reader(database), Reader(database)
    story = a_story(database)
    ada.item(story_id=story)
    ada.run()

    his = bob.item(story_id=story)
    assert bob.run() == [his]


def test_a_preview_marks_nothing(ada: Reader) -> None:
    item = ada.item()
    candidates = ada.table.candidates(ada.loaded(), NOW - DAY)

    assert [candidate.item_id for candidate in candidates] == [item]
    assert ada.weighed() == set()


def test_a_candidate_has_all_that_a_report_shows(database: Database, ada: Reader) -> None:
    item = ada.item(71, summary="Short.", url="https://x", tags={"topics": ["energy"]})
    (found,) = ada.table.candidates(ada.loaded(), NOW - DAY)

    assert (found.item_id, found.source_title, found.score) == (item, "News", 71)
    assert (found.summary, found.url, found.topics) == ("Short.", "https://x", ("energy",))
    assert (found.reason, found.story_shown) == ("ships", False)


# ---- whose it is


def test_no_candidate_comes_from_a_source_he_does_not_read(database: Database, ada: Reader) -> None:
    others = make_source(database)
    make_subscription(database, make_user(database), others)
    ada.item(99, source=others)
    paused = make_source(database)
    make_subscription(database, ada.user, paused, paused=True)
    ada.item(99, source=paused)

    assert ada.run() == []


def test_a_briefing_that_names_its_sources_weighs_no_other(database: Database) -> None:
    ada = Reader(database, all_sources=False)
    second = make_source(database)
    named = make_subscription(database, ada.user, second)
    with database.write() as connection:
        row = {"briefing_id": ada.briefing, "subscription_id": named}
        connection.execute(briefing_subscriptions.insert().values(row))
    ada.item(99)
    item = ada.item(10, source=second)

    assert ada.run() == [item]


def test_the_tellers_of_a_story_are_his_own_sources_as_he_calls_them(
    database: Database, ada: Reader
) -> None:
    story = a_story(database)
    second, third, bobs = (make_source(database, title=name) for name in ("B", "C", "D"))
    change(database, sources, second, type="EMAIL")
    make_subscription(database, ada.user, second, name="Mine")
    make_subscription(database, ada.user, third, paused=True)
    make_subscription(database, make_user(database), bobs)
    make_subscription(database, make_user(database), second, name="His")
    for number, source in enumerate((ada.source, second, second, third, bobs)):
        ada.item(None, source=source, story_id=story, url=f"https://news.example/{number}")

    found = ada.table.tellers(ada.user, [story])

    mine = {
        ada.source: Teller("News", "https://news.example/0"),
        second: Teller("Mine", "https://news.example/2", private=True),
    }
    assert found == {story: mine}
    assert ada.table.tellers(ada.user, []) == {}


def test_broken_sources_are_named_if_this_briefing_reads_them(
    database: Database, ada: Reader
) -> None:
    for title, health in (("Ill", "degraded"), ("Gone", "gone"), ("Off", "inactive")):
        source = make_source(database, title=title, health=health)
        make_subscription(database, ada.user, source)
    make_source(database, title="Not hers", health="gone")

    assert ada.table.broken_sources(ada.briefing) == ("Gone", "Ill")


# ---- what is kept


def test_a_report_is_kept_as_it_was_sent_whatever_becomes_of_its_items(
    database: Database, ada: Reader
) -> None:
    item = ada.item(71, title="Then", url="https://then", summary="As it was.")
    ada.run()
    with database.write() as connection:
        connection.execute(delete(items).where(items.c.id == item))

    (snapshot,) = rows_of(database, report_items)
    (report,) = rows_of(database, reports)
    assert (snapshot.title, snapshot.url, snapshot.score) == ("Then", "https://then", 71)
    assert (snapshot.summary, snapshot.source_title) == ("As it was.", "News")
    assert (report.subject, report.weighed) == ("Then", 1)
    assert report.overview == "1 story from 1 paper, 1 minute"
    (texts,) = rows_of(database, report_texts)
    assert (texts.text, texts.html) == ("text", "page")
    assert report.generated_at == NOW


@pytest.mark.parametrize(("weekday", "hours"), [(None, 12), (2, 48)], ids=["daily", "weekly"])
def test_envelopes_become_deliveries_that_are_tried_for_a_while(
    database: Database, weekday: int | None, hours: int
) -> None:
    frequency = "DAILY" if weekday is None else "WEEKLY"
    ada = Reader(database, weekday=weekday, frequency=frequency)
    ada.item()
    ada.run()

    (delivery,) = rows_of(database, deliveries)
    assert (delivery.channel, delivery.address, delivery.status) == ("folder", "folder", "PENDING")
    assert (delivery.content, delivery.file_stem) == (b"bytes", "stem")
    assert (delivery.due_at, delivery.give_up_at) == (NOW, NOW + timedelta(hours=hours))


def test_an_empty_day_is_recorded_and_sends_nothing(database: Database, ada: Reader) -> None:
    ada.run()

    assert ada.slots() == {"2026-11-18": "GENERATED"}
    assert rows_of(database, deliveries) == []


def test_more_rows_than_one_statement_takes_are_all_marked(ada: Reader) -> None:
    weighed = {ada.item(50) for _ in range(3)}
    result = ada.outcome()
    many = tuple((ada.briefing, item) for item in (*range(10_000, 11_200), *weighed))
    with ada.database.write() as connection:
        job = Job(Stage.BRIEFING, ada.briefing, 1)
        save_written(connection, job, replace(result, weighed=many), NOW)

    assert ada.weighed() == weighed


def test_a_briefing_is_loaded_with_its_plan_and_its_reader(database: Database) -> None:
    ada = Reader(
        database, local_time="06:45", timezone="Europe/Paris", weekday=4, frequency="WEEKLY"
    )
    found = ada.loaded()

    assert (found.plan.hour, found.plan.minute, found.plan.weekday) == (6, 45, 4)
    assert (found.plan.timezone, found.title) == ("Europe/Paris", "Morning")
    assert found.user_email.endswith("@example.org")
    assert ada.table.load(ada.briefing + 1) is None
