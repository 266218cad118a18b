"""Slots in the database: each is written once, made up, or recorded as missed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import delete, update

from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import briefings, deliveries, reports
from morningdeck.store.tables.running import notices
from tests.conftest import NOW
from tests.factories import row_of, rows_of
from tests.store.desk import DAY, Reader


@pytest.fixture
def ada(database: Database) -> Reader:
    return Reader(database)


# ---- slots


def test_a_slot_is_opened_once_and_written_once(ada: Reader) -> None:
    opened = ada.table.open_report(ada.briefing, "2026-11-18")
    assert ada.table.open_report(ada.briefing, "2026-11-18") == opened

    ada.item()
    ada.run()

    assert ada.table.open_report(ada.briefing, "2026-11-18") is None
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
    assert len(rows_of(database, deliveries)) == 1
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
    begun = ada.table.open_report(ada.briefing, None)
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
    (notice,) = rows_of(database, notices)
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
    ada.table.open_report(ada.briefing, "2026-11-18")
    ada.run(NOW + timedelta(hours=13))

    assert ada.slots() == {"2026-11-18": "SKIPPED"}
