"""Which rows are claimed, and in what order: nobody's backlog delays anybody else's news."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import update

from morningdeck.model.reading import Entry, Fetched, Reading
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.tables.news import items
from morningdeck.work import Settlement, Stage
from tests.conftest import NOW
from tests.factories import make_briefing, make_item, make_items, make_source, make_user
from tests.store.working import DONE, LATER, ME, processed, started


def test_the_backlog_of_one_source_does_not_delay_another(
    database: Database, work: SqlJobStore
) -> None:
    make_items(database, make_source(database), 10_000)
    few = make_items(database, make_source(database), 10)

    first = work.claim(Stage.PROCESSING, 20, ME, NOW)

    assert set(few) <= set(first)


def test_sources_take_turns(database: Database, work: SqlJobStore) -> None:
    ada, bob, cid = (make_items(database, make_source(database), 3) for _ in range(3))

    taken = work.claim(Stage.PROCESSING, 9, ME, NOW)

    assert taken == tuple(item for turn in zip(ada, bob, cid, strict=True) for item in turn)


def test_new_entries_get_in_line_behind_what_waits_of_their_source(
    database: Database, work: SqlJobStore, source: int
) -> None:
    old = make_items(database, source, 2)
    other = make_items(database, make_source(database), 4)

    entries = tuple(Entry(f"new-{n}", None, "New") for n in range(2))
    assert work.claim(Stage.FETCH, 1, ME, NOW) == (source,)
    job = work.start(Stage.FETCH, source, ME, NOW)
    assert job is not None
    found = Fetched(Reading(entries))
    work.settle(job, ME, Settlement("IDLE", LATER, 0, 0, result=found), NOW)

    taken = work.claim(Stage.PROCESSING, 9, ME, NOW)
    new = sorted(set(taken) - {*old, *other})
    assert taken == (old[0], other[0], old[1], other[1], other[2], new[0], other[3], new[1])


def test_what_is_urgent_comes_before_every_turn(
    database: Database, work: SqlJobStore, source: int
) -> None:
    make_items(database, source, 3)
    fresh = make_item(database, source, priority=10, turn=3)
    by_hand = make_item(database, source, priority=20, turn=4)

    assert work.claim(Stage.PROCESSING, 2, ME, NOW) == (by_hand, fresh)


def test_items_that_come_due_together_still_take_turns(
    database: Database, work: SqlJobStore
) -> None:
    many = make_items(database, make_source(database), 50, turn=0, due_at=LATER)
    few = make_items(database, make_source(database), 3, turn=0, due_at=LATER)

    taken = work.claim(Stage.PROCESSING, 6, ME, LATER)

    assert taken == (many[0], few[0], many[1], few[1], many[2], few[2])


def test_texts_that_change_together_still_take_turns(
    database: Database, work: SqlJobStore, source: int
) -> None:
    enriched = {"status": "DONE", "enriched_by": "offline", "processed_at": NOW}
    known = [make_item(database, source, guid=f"g{n}", **enriched) for n in range(3)]
    other = make_items(database, make_source(database), 3)
    entries = tuple(Entry(f"g{n}", None, "Changed", content_hash="new") for n in range(3))

    work.claim(Stage.FETCH, 1, ME, NOW)
    job = work.start(Stage.FETCH, source, ME, NOW)
    assert job is not None
    found = Fetched(Reading(entries))
    work.settle(job, ME, Settlement("IDLE", LATER, 0, 0, result=found), NOW)

    taken = work.claim(Stage.PROCESSING, 6, ME, NOW)
    assert taken == (known[0], other[0], known[1], other[1], known[2], other[2])


def test_the_longest_due_sources_and_briefings_come_first(
    database: Database, work: SqlJobStore
) -> None:
    user, hour = make_user(database), timedelta(hours=1)
    late, later, latest = (make_source(database, due_at=NOW - n * hour) for n in range(3))
    morning, night = (make_briefing(database, user, due_at=NOW - n * hour) for n in range(2))

    assert work.claim(Stage.FETCH, 9, ME, NOW) == (latest, later, late)
    assert work.claim(Stage.BRIEFING, 9, ME, NOW) == (night, morning)


def test_what_nobody_wants_or_is_not_due_is_never_claimed(
    database: Database, work: SqlJobStore, source: int
) -> None:
    make_source(database, wanted=False)
    make_source(database, due_at=LATER)
    make_source(database, due_at=None)
    make_item(database, source, due_at=LATER)
    make_item(database, source, due_at=PARKED)
    for status in ("PENDING", "PROCESSING", "DONE", "ERROR", "CANCELLED"):
        make_item(database, source, status=status)
    user = make_user(database)
    make_briefing(database, user, paused=True)
    make_briefing(database, user, due_at=LATER)

    assert work.claim(Stage.FETCH, 9, ME, NOW) == (source,)
    assert work.claim(Stage.PROCESSING, 9, ME, NOW) == ()
    assert work.claim(Stage.BRIEFING, 9, ME, NOW) == ()


def test_a_paused_briefing_runs_when_its_reader_asks_for_it(
    database: Database, work: SqlJobStore
) -> None:
    asked = make_briefing(database, make_user(database), paused=True, run_requested_at=NOW)

    assert work.claim(Stage.BRIEFING, 9, ME, NOW) == (asked,)


def test_scores_that_are_missed_are_made_after_all_that_is_new_the_newest_first(
    database: Database, work: SqlJobStore, source: int
) -> None:
    enriched = {"status": "DONE", "processed_at": NOW, "rescore": True}
    old = make_item(database, source, first_seen_at=NOW - timedelta(days=2), **enriched)
    young = make_item(database, source, first_seen_at=NOW - timedelta(days=1), **enriched)
    new = make_items(database, source, 2)

    assert work.claim(Stage.PROCESSING, 3, ME, NOW) == (*new, young)
    assert work.claim(Stage.PROCESSING, 3, ME, NOW) == (old,)


def test_scores_asked_for_during_the_processing_are_made_after_it(
    database: Database, work: SqlJobStore, item: int
) -> None:
    job = started(work, item)
    with database.write() as connection:
        connection.execute(update(items).values(rescore=True))

    work.settle(job, ME, processed(), NOW)

    assert work.claim(Stage.PROCESSING, 1, ME, NOW) == (item,)
    again = work.start(Stage.PROCESSING, item, ME, NOW)
    assert again is not None
    work.settle(again, ME, DONE, NOW)
    assert work.claim(Stage.PROCESSING, 1, ME, NOW) == ()


# ---- looking without taking


def test_what_waits_is_counted_up_to_a_cap(
    database: Database, work: SqlJobStore, source: int
) -> None:
    make_items(database, source, 5)
    make_items(database, source, 2, due_at=NOW)
    make_items(database, source, 4, due_at=LATER)

    assert work.waiting(Stage.PROCESSING, NOW, 100) == 7
    assert work.waiting(Stage.PROCESSING, NOW, 4) == 4
    assert work.waiting(Stage.PROCESSING, LATER, 100) == 11
    assert work.waiting(Stage.FETCH, NOW, 100) == 1


def test_the_next_due_time_is_now_when_something_waits(work: SqlJobStore, item: int) -> None:
    for stage in (Stage.FETCH, Stage.PROCESSING):
        assert work.next_due_at(stage, NOW) == NOW


def test_the_next_due_time_is_the_earliest_of_those_to_come(
    database: Database, work: SqlJobStore, source: int
) -> None:
    work.claim(Stage.FETCH, 1, ME, NOW)
    assert work.next_due_at(Stage.FETCH, NOW) is None  # all that there is is held

    make_source(database, due_at=LATER + timedelta(hours=1))
    make_source(database, due_at=LATER)
    make_source(database, due_at=NOW + timedelta(minutes=1), wanted=False)
    make_item(database, source, due_at=LATER)
    make_item(database, source, due_at=PARKED)

    assert work.next_due_at(Stage.FETCH, NOW) == LATER
    assert work.next_due_at(Stage.PROCESSING, NOW) == LATER
    assert work.next_due_at(Stage.BRIEFING, NOW) is None
