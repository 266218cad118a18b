"""Briefings from the database and back: nothing comes twice, nothing is lost, all is his own."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Row, delete, select, update

from morningdeck.brief import brief
from morningdeck.model import Briefed, Briefing, Envelope, Report
from morningdeck.store.briefed import BriefingTable, save_briefed
from morningdeck.store.connect import Database
from morningdeck.store.tables import (
    briefing_subscriptions,
    briefings,
    deliveries,
    item_scores,
    items,
    notices,
    report_items,
    reports,
    stories,
)
from morningdeck.work import Done, Job, Stage
from tests.conftest import NOW
from tests.factories import (
    make,
    make_briefing,
    make_item,
    make_source,
    make_subscription,
    make_user,
    row_of,
)

DAY = timedelta(days=1)


class PlainPress:
    """The shape of a press, with one line of text and one envelope."""

    def worded(self, report: Report) -> Report:
        return replace(report, subject=f"{len(report.items)} stories", overview="All of them.")

    def envelopes(self, briefing: Briefing, report: Report) -> tuple[Envelope, ...]:
        return (Envelope("folder", "folder", f"<{report.id}@x>", b"bytes", "stem"),)


class Reader:
    """Somebody with a source and a daily briefing that is due now."""

    def __init__(self, database: Database, **values: Any) -> None:
        self.database = database
        self.table = BriefingTable(database)
        self.user = make_user(database)
        self.source = make_source(database, title="News")
        self.subscription = make_subscription(database, self.user, self.source)
        planned = {"local_time": "07:00", "criteria": "ships", **values}
        self.briefing = make_briefing(database, self.user, **planned)

    def item(self, score: int | None = 50, *, source: int | None = None, **values: Any) -> int:
        """Seen an hour ago, and scored for the briefing unless `score` is None."""
        row = {"status": "DONE", "first_seen_at": NOW - timedelta(hours=1), **values}
        item = make_item(self.database, source or self.source, **row)
        if score is not None:
            self.score(item, score)
        return item

    def score(self, item: int, score: int = 50) -> None:
        row = {"item_id": item, "briefing_id": self.briefing, "score": score, "reason": "ships"}
        with self.database.write() as connection:
            connection.execute(item_scores.insert().values(row))

    def outcome(self, now: datetime = NOW) -> Briefed:
        job = Job(Stage.BRIEFING, self.briefing, 1)
        outcome = brief(job, briefings=self.table, press=PlainPress(), clock=lambda: now)
        assert isinstance(outcome, Done)
        assert isinstance(outcome.result, Briefed)
        return outcome.result

    def run(self, now: datetime = NOW) -> list[int]:
        """Write what is due and return the items told."""
        result = self.outcome(now)
        with self.database.write() as connection:
            save_briefed(connection, Job(Stage.BRIEFING, self.briefing, 1), result, now)
        return [] if result.report is None else [item.item_id for item in result.report.items]

    def run_by_hand(self, now: datetime = NOW) -> list[int]:
        assert self.table.request_run(self.briefing, now)
        return self.run(now)

    def loaded(self) -> Briefing:
        briefing = self.table.load(self.briefing)
        assert briefing is not None
        return briefing

    def weighed(self) -> set[int]:
        query = select(item_scores.c.item_id).where(item_scores.c.considered_in.is_not(None))
        with self.database.read() as connection:
            return set(connection.scalars(query))

    def slots(self) -> dict[str, str]:
        query = select(reports).where(reports.c.briefing_id == self.briefing)
        with self.database.read() as connection:
            return {row.slot: row.status for row in connection.execute(query)}


@pytest.fixture
def ada(database: Database) -> Reader:
    return Reader(database)


def a_story(database: Database) -> int:
    return make(database, stories, label="Harbour")


def all_rows(database: Database, table: Any) -> list[Row[Any]]:
    with database.read() as connection:
        return list(connection.execute(select(table)))


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
    item = ada.item(
        71, summary="Short.", url="https://x", tags={"topics": ["energy"]}, image_url="https://i"
    )
    (found,) = ada.table.candidates(ada.loaded(), NOW - DAY)

    assert (found.item_id, found.source_title, found.score) == (item, "News", 71)
    assert (found.summary, found.url, found.topics) == ("Short.", "https://x", ("energy",))
    assert (found.image_url, found.reason, found.story_shown) == ("https://i", "ships", False)


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


def test_also_in_names_only_his_own_sources_as_he_calls_them(
    database: Database, ada: Reader
) -> None:
    story = a_story(database)
    second, third, bobs = (make_source(database, title=name) for name in ("B", "C", "D"))
    make_subscription(database, ada.user, second, name="Mine")
    make_subscription(database, ada.user, third, paused=True)
    make_subscription(database, make_user(database), bobs)
    make_subscription(database, make_user(database), second, name="His")
    for source in (ada.source, second, second, third, bobs):
        ada.item(None, source=source, story_id=story)

    found = ada.table.also_in(ada.user, [story])

    assert found == {story: ((ada.source, "News"), (second, "Mine"))}
    assert ada.table.also_in(ada.user, []) == {}


def test_broken_sources_are_named_if_this_briefing_reads_them(
    database: Database, ada: Reader
) -> None:
    for title, health in (("Ill", "degraded"), ("Gone", "gone"), ("Off", "inactive")):
        source = make_source(database, title=title, health=health)
        make_subscription(database, ada.user, source)
    make_source(database, title="Not hers", health="gone")

    assert ada.table.broken_sources(ada.briefing) == ("Gone", "Ill")


# ---- slots


def test_a_slot_is_opened_once_and_written_once(ada: Reader) -> None:
    opened = ada.table.open_report(ada.briefing, "2026-11-18", NOW)
    assert ada.table.open_report(ada.briefing, "2026-11-18", NOW) == opened

    ada.item()
    ada.run()

    assert ada.table.open_report(ada.briefing, "2026-11-18", NOW) is None
    assert ada.slots() == {"2026-11-18": "GENERATED"}


def test_a_slot_that_is_written_already_only_moves_the_plan(
    database: Database, ada: Reader
) -> None:
    ada.item()
    ada.run()
    with database.write() as connection:
        connection.execute(update(briefings).values(next_run_at=NOW))
    ada.item()

    assert ada.run() == []
    assert len(all_rows(database, deliveries)) == 1
    assert row_of(database, briefings, ada.briefing).next_run_at == NOW + DAY


def test_a_run_moves_the_plan_to_the_next_slot(database: Database, ada: Reader) -> None:
    ada.run()

    row = row_of(database, briefings, ada.briefing)
    assert (row.last_slot, row.next_run_at) == ("2026-11-18", NOW + DAY)
    assert row.last_executed_at == NOW


def test_manual_runs_are_numbered_and_leave_the_plan_alone(database: Database, ada: Reader) -> None:
    item = ada.item()
    assert ada.run_by_hand(NOW - timedelta(hours=1)) == [item]
    assert ada.run_by_hand(NOW - timedelta(minutes=1)) == []

    row = row_of(database, briefings, ada.briefing)
    assert (row.next_run_at, row.last_slot, row.run_requested_at) == (NOW, None, None)
    assert ada.slots() == {"manual:1": "GENERATED", "manual:2": "GENERATED"}


def test_a_manual_run_that_crashed_is_taken_up_again(ada: Reader) -> None:
    begun = ada.table.open_report(ada.briefing, None, NOW)
    ada.run_by_hand()

    assert ada.table.last_report(ada.briefing) == begun
    assert ada.slots() == {"manual:1": "GENERATED"}


def test_the_number_of_a_manual_run_is_never_used_again(database: Database, ada: Reader) -> None:
    ada.run_by_hand()
    ada.run_by_hand()
    with database.write() as connection:
        connection.execute(delete(reports).where(reports.c.slot == "manual:1"))

    item = ada.item()

    assert ada.run_by_hand() == [item]
    assert ada.slots() == {"manual:2": "GENERATED", "manual:3": "GENERATED"}


def test_no_manual_run_while_the_briefing_is_being_written(database: Database, ada: Reader) -> None:
    with database.write() as connection:
        connection.execute(update(briefings).values(status="PROCESSING"))

    assert not ada.table.request_run(ada.briefing, NOW)
    assert not ada.loaded().manual


def test_missed_slots_are_recorded_with_one_notice_and_the_last_is_made_up(
    database: Database, ada: Reader
) -> None:
    item = ada.item(first_seen_at=NOW + 3 * DAY)
    assert ada.run(NOW + 3 * DAY + timedelta(hours=11)) == [item]

    assert ada.slots() == {
        "2026-11-18": "SKIPPED",
        "2026-11-19": "SKIPPED",
        "2026-11-20": "SKIPPED",
        "2026-11-21": "GENERATED",
    }
    (notice,) = all_rows(database, notices)
    assert (notice.user_id, notice.kind) == (ada.user, "missed-slot")
    assert notice.text == "Morning: 3 run(s) missed, the last 2026-11-20: nothing was running"


def test_a_run_that_is_too_late_is_skipped_and_weighs_nothing(
    database: Database, ada: Reader
) -> None:
    ada.item()
    assert ada.run(NOW + timedelta(hours=13)) == []

    assert ada.slots() == {"2026-11-18": "SKIPPED"}
    assert ada.weighed() == set()
    row = row_of(database, briefings, ada.briefing)
    assert (row.last_slot, row.next_run_at, row.last_executed_at) == ("2026-11-18", NOW + DAY, None)


def test_a_slot_that_was_begun_and_then_missed_is_skipped_too(ada: Reader) -> None:
    ada.table.open_report(ada.briefing, "2026-11-18", NOW)
    ada.run(NOW + timedelta(hours=13))

    assert ada.slots() == {"2026-11-18": "SKIPPED"}


# ---- what is kept


def test_a_report_is_kept_as_it_was_sent_whatever_becomes_of_its_items(
    database: Database, ada: Reader
) -> None:
    item = ada.item(71, title="Then", url="https://then", summary="As it was.")
    ada.run()
    with database.write() as connection:
        connection.execute(delete(items).where(items.c.id == item))

    (snapshot,) = all_rows(database, report_items)
    (report,) = all_rows(database, reports)
    assert (snapshot.title, snapshot.url, snapshot.score) == ("Then", "https://then", 71)
    assert (snapshot.summary, snapshot.source_title) == ("As it was.", "News")
    assert (report.subject, report.overview, report.weighed) == ("1 stories", "All of them.", 1)
    assert report.generated_at == NOW


@pytest.mark.parametrize(("weekday", "hours"), [(None, 12), (2, 48)], ids=["daily", "weekly"])
def test_envelopes_become_deliveries_that_are_tried_for_a_while(
    database: Database, weekday: int | None, hours: int
) -> None:
    frequency = "DAILY" if weekday is None else "WEEKLY"
    ada = Reader(database, weekday=weekday, frequency=frequency)
    ada.item()
    ada.run()

    (delivery,) = all_rows(database, deliveries)
    assert (delivery.channel, delivery.address, delivery.status) == ("folder", "folder", "PENDING")
    assert (delivery.content, delivery.file_stem) == (b"bytes", "stem")
    assert (delivery.due_at, delivery.give_up_at) == (NOW, NOW + timedelta(hours=hours))


def test_an_empty_day_is_recorded_and_sends_nothing(database: Database, ada: Reader) -> None:
    ada.run()

    assert ada.slots() == {"2026-11-18": "GENERATED"}
    assert all_rows(database, deliveries) == []


def test_more_rows_than_one_statement_takes_are_all_marked(ada: Reader) -> None:
    weighed = {ada.item(50) for _ in range(3)}
    result = ada.outcome()
    many = (*range(10_000, 11_200), *weighed)
    with ada.database.write() as connection:
        job = Job(Stage.BRIEFING, ada.briefing, 1)
        save_briefed(connection, job, replace(result, weighed=many), NOW)

    assert ada.weighed() == weighed


def test_a_briefing_is_loaded_with_its_plan_and_its_reader(database: Database) -> None:
    ada = Reader(
        database, local_time="06:45", timezone="Europe/Paris", weekday=4, frequency="WEEKLY"
    )
    found = ada.loaded()

    assert (found.plan.hour, found.plan.minute, found.plan.weekday) == (6, 45, 4)
    assert (found.plan.timezone, found.criteria, found.title) == (
        "Europe/Paris",
        "ships",
        "Morning",
    )
    assert found.user_email.endswith("@example.org")
    assert ada.table.load(ada.briefing + 1) is None
