"""The weekly beside its dailies on the real store: what it tells, and what was missed."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from morningdeck.model.sending import Movement, Plan
from morningdeck.model.wanting import BriefingChanges
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import (
    item_scores,
    reports,
    topic_clusters,
    topic_members,
    topic_runs,
)
from morningdeck.store.tables.news import item_likenesses, items
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.retention import Keep, Retention
from tests.conftest import NOW
from tests.factories import (
    change,
    make,
    make_briefing,
    make_score,
    make_source,
    make_subscription,
)
from tests.store.desk import DAY, Reader
from tests.store.test_editions import GROUNDED, a_story, drawn


@pytest.fixture
def ada(database: Database) -> Reader:
    return Reader(database)


def weekly_of(ada: Reader, **values: object) -> int:
    planned = {"frequency": "WEEKLY", "weekday": 2, "local_time": "09:00", **values}
    return make_briefing(ada.database, ada.user, **planned)


def test_a_weekly_tells_what_dailies_had_no_place_for_and_marks_what_they_told(
    database: Database,
) -> None:
    ada = Reader(database, max_items=1)
    weekly = weekly_of(ada, max_items=1)
    ids = [ada.item(score) for score in (90, 80, 70, 60)]
    for item, score in zip(ids, (90, 80, 70, 60), strict=True):
        make_score(database, item, weekly, score)
    assert ada.run() == ids[:1]

    report = drawn(ada, weekly)

    assert [(one.item_id, one.told, one.missed) for one in report.items] == [
        (ids[1], False, False),
        (ids[0], True, False),
        *((item, False, True) for item in ids[2:]),
    ]
    assert [item.item_id for item in report.missed] == ids[2:]
    assert not report.left_out


def test_nobody_has_missed_what_the_week_tells_of_in_other_words(database: Database) -> None:
    ada = Reader(database, max_items=1)
    weekly = weekly_of(ada, max_items=1)
    ids = [ada.item(score, summary=GROUNDED) for score in (90, 80, 70, 60, 50)]
    for number, item in enumerate(ids):
        make_score(database, item, weekly, 90 - 10 * number)
        story = a_story(database)
        change(database, items, item, story_id=story)
        subject = ids[(0, 1, 1, 3, 3)[number]]
        placed = {"item_id": item, "story_id": story, "first_seen_at": NOW, "title": "x"}
        make(database, item_likenesses, **placed, subject_id=subject)
    assert ada.run() == ids[:1]

    assert [item.item_id for item in drawn(ada, weekly).missed] == [ids[3]]


def test_a_daily_for_others_has_told_its_readers_nothing(database: Database) -> None:
    ada = Reader(database, recipients=("ada@a.example",))
    team = weekly_of(ada, recipients=("ada@a.example", "bob@b.example"))
    own = weekly_of(ada, recipients=("ada@a.example",))
    item = ada.item()
    for weekly in (team, own):
        make_score(database, item, weekly, 60)
    ada.run()

    assert [one.told for one in drawn(ada, team).items] == [False]
    assert [one.told for one in drawn(ada, own).items] == [True]


def test_the_best_of_a_week_leads_and_topics_that_stories_share_are_sections(
    database: Database,
) -> None:
    ada = Reader(database, frequency="WEEKLY", weekday=2)
    told = [("Ships",), ("Wind",), ("Ships", "Ports"), (), ("Wind",), ("Ships",), ("Rail",)]
    ids = [
        ada.item(
            90 - number,
            source=reading(ada),
            tags={"topics": topics},
            first_seen_at=NOW - number * DAY,
        )
        for number, topics in enumerate(told)
    ]

    sections = drawn(ada).sections

    assert [(one.title, [ids.index(item.item_id) for item in one.items]) for one in sections] == [
        ("", [0, 3, 6]),
        ("Wind", [1, 4]),
        ("Ships", [2, 5]),
    ]


def test_the_title_of_a_section_begins_with_a_capital(database: Database) -> None:
    ada = Reader(database, frequency="WEEKLY", weekday=2)
    for number, topic in enumerate(["", "offshore wind", "offshore wind", "iPhone", "iPhone"]):
        tags = {"topics": [topic] if topic else []}
        seen_at = NOW - number * DAY
        ada.item(90 - number, source=reading(ada), tags=tags, first_seen_at=seen_at)

    assert [one.title for one in drawn(ada).sections] == ["", "Offshore wind", "iPhone"]


def test_a_topic_of_the_news_and_one_of_articles_share_a_section_whatever_their_case(
    database: Database,
) -> None:
    ada = Reader(database, frequency="WEEKLY", weekday=2)
    topics: list[list[str]] = [[], [], [], ["ships"], ["ships"]]
    ids = [
        ada.item(
            90 - number,
            source=reading(ada),
            title="Ships",
            tags={"topics": named},
            first_seen_at=NOW - number * DAY,
        )
        for number, named in enumerate(topics)
    ]
    with database.write() as connection:
        run = {"user_id": ada.user, "run": 2, "day": "2026-11-18", "ran_at": NOW}
        connection.execute(topic_runs.insert().values(**run))
    a_topic(database, ada.user, ids[1:3], label="Ships", this_week=2)

    assert [(one.title, len(one.items)) for one in drawn(ada).sections] == [("", 1), ("Ships", 4)]


def a_topic(
    database: Database, user: int, items: list[int], run: int = 2, **values: object
) -> None:
    cluster = make(database, topic_clusters, user_id=user, run=run, period="2026-11-18", **values)
    with database.write() as connection:
        rows = [{"cluster_id": cluster, "item_id": item} for item in items]
        connection.execute(topic_members.insert(), rows)


def test_a_weekly_is_ordered_by_what_its_readers_news_turns_around_and_says_what_moved(
    database: Database,
) -> None:
    ada = Reader(database, frequency="WEEKLY", weekday=2, min_score=40)
    ids = [
        ada.item(score, source=reading(ada), title="A harbour", tags={"topics": ["Ships"]})
        for score in (90, 80, 70, 60, 50, 10)
    ]
    with database.write() as connection:
        connection.execute(
            topic_runs.insert().values(user_id=ada.user, run=2, day="2026-11-18", ran_at=NOW)
        )
    harbour: dict[str, Any] = {"label": "Harbour", "this_week": 4, "week_before": 9}
    a_topic(database, ada.user, [ids[1], ids[3]], **harbour)
    a_topic(database, ada.user, ids[:1], label="Young", this_week=7, week_before=None)
    a_topic(database, ada.user, ids[5:], label="Elsewhere", this_week=8, week_before=1)
    a_topic(database, ada.user, [ids[2], ids[4]], run=1, label="Last night", this_week=5)

    report = drawn(ada)

    sections = report.sections
    assert [(one.title, [ids.index(item.item_id) for item in one.items]) for one in sections] == [
        ("", [0]),
        ("Harbour", [1, 3]),
        ("Ships", [2, 4]),
    ]
    assert report.moved == (Movement("Harbour", 4, 9),)


def test_nothing_stands_under_a_topic_of_which_it_says_no_word(database: Database) -> None:
    ada = Reader(database, frequency="WEEKLY", weekday=2)
    titles = ("Lead", "Ferries return", "A pilot leaves", "The ferries' new timetable")
    ids = [
        ada.item(90 - n, source=reading(ada), title=title, first_seen_at=NOW - n * DAY)
        for n, title in enumerate(titles)
    ]
    with database.write() as connection:
        run = {"user_id": ada.user, "run": 2, "day": "2026-11-18", "ran_at": NOW}
        connection.execute(topic_runs.insert().values(**run))
    a_topic(database, ada.user, ids[1:], label="Ferries, Edda Lorimer", this_week=3)

    told = [(one.title, [item.item_id for item in one.items]) for one in drawn(ada).sections]

    assert told == [("", [ids[0], ids[2]]), ("Ferries, Edda Lorimer", [ids[1], ids[3]])]


def reading(ada: Reader) -> int:
    source = make_source(ada.database)
    make_subscription(ada.database, ada.user, source)
    return source


def test_a_briefing_that_becomes_weekly_covers_the_week_on_its_own_marks(ada: Reader) -> None:
    item = ada.item()
    assert ada.run() == [item]
    views, weekly = Briefings(ada.database), Plan(7, 0, "UTC", weekday=3)
    changes = BriefingChanges(plan=weekly)

    views.edit(ada.user, ada.briefing, changes, now=NOW, next_run_at=NOW + DAY)
    assert [one.told for one in drawn(ada).items] == [True]
    assert ada.run(NOW + DAY) == [item]

    daily = BriefingChanges(plan=Plan(7, 0, "UTC"))
    views.edit(ada.user, ada.briefing, daily, now=NOW, next_run_at=NOW + 2 * DAY)
    assert ada.run(NOW + 2 * DAY) == []


def test_what_was_shown_is_never_shown_again_even_if_its_mark_is_lost(
    database: Database, ada: Reader
) -> None:
    ada.item()
    assert len(ada.run()) == 1
    with database.write() as connection:
        connection.execute(update(item_scores).values(considered_in=None))

    assert ada.run(NOW + DAY) == []


def test_reports_are_kept_as_long_as_they_keep_news_from_coming_twice(
    database: Database, ada: Reader
) -> None:
    ada.item()
    assert len(ada.run()) == 1

    with database.write() as connection:
        connection.execute(update(reports).values(created_at=NOW))

    keep, retention = Keep(reports=DAY), Retention(database)
    assert retention.apply(keep, NOW + 5 * DAY)["reports"] == 0
    assert ada.run(NOW + 5 * DAY) == []
    assert retention.apply(keep, NOW + 12 * DAY)["reports"] >= 1
