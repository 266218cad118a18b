"""Deliveries: loaded with their bytes, final only for who holds them, sent again on demand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from morningdeck.model.asking import FailureKind
from morningdeck.model.sending import MAIL_ENDPOINT, Receipt
from morningdeck.store.database.connect import Database
from morningdeck.store.results.written import save_receipt
from morningdeck.store.rows.breaker import SqlBreaker
from morningdeck.store.rows.deliveries import SqlDeliveryRows
from morningdeck.store.tables.briefs import deliveries, report_texts, reports
from morningdeck.work import Job, Stage
from tests.conftest import NOW, ManualClock
from tests.factories import make, make_briefing, make_user, row_of

ME, OTHER = "host-1/0:aaaa", "host-1/1:bbbb"


@pytest.fixture
def report(database: Database) -> int:
    briefing = make_briefing(database, make_user(database))
    return make(database, reports, briefing_id=briefing, slot="2026-11-18")


def make_delivery(database: Database, report: int, address: str = "folder", **values: Any) -> int:
    row = {"channel": "folder", "message_id": "<1@x>", "file_stem": "a", "content": b"bytes"}
    return make(database, deliveries, report_id=report, address=address, **{**row, **values})


def test_a_delivery_is_loaded_with_its_exact_bytes(database: Database, report: int) -> None:
    made = make_delivery(database, report, content=b"\0\xff\r\n")
    with database.write() as connection:
        connection.execute(report_texts.insert().values(report_id=report, html="page"))
    found = SqlDeliveryRows(database).load(made)

    assert found is not None
    assert (found.id, found.report_id, found.content) == (made, report, b"\0\xff\r\n")
    assert (found.channel, found.address, found.message_id) == ("folder", "folder", "<1@x>")
    assert (found.file_stem, found.html) == ("a", "page")


def test_a_delivery_whose_bytes_are_no_longer_kept_is_none(database: Database, report: int) -> None:
    table = SqlDeliveryRows(database)

    assert table.load(make_delivery(database, report, content=None)) is None
    assert table.load(0) is None


@pytest.mark.parametrize(
    ("values", "allowed"),
    [
        ({}, True),
        ({"claimed_by": OTHER}, False),
        ({"attempts": 4}, False),
        ({"status": "SENT"}, False),
    ],
    ids=["mine", "of another", "started again", "settled"],
)
def test_the_last_step_is_taken_only_by_who_holds_it(
    database: Database, report: int, values: dict[str, Any], allowed: bool
) -> None:
    held = {"status": "SENDING", "claimed_by": ME, "attempts": 3, **values}
    made = make_delivery(database, report, **held)

    taken = SqlDeliveryRows(database).final(Job(Stage.DELIVERY, made, 3), ME, NOW)

    assert taken is allowed
    assert row_of(database, deliveries, made).final_at == (NOW if allowed else None)


def test_what_did_not_arrive_is_sent_again_and_nothing_else(
    database: Database, report: int
) -> None:
    states = ("PENDING", "RETRY", "REFUSED", "UNKNOWN", "SENT", "SENDING")
    made = [
        make_delivery(database, report, f"{state}@x", status=state, final_at=NOW, failures=3)
        for state in states
    ]
    dropped = make_delivery(database, report, "dropped@x", status="REFUSED", content=None)
    later = NOW + timedelta(hours=1)
    table = SqlDeliveryRows(database)

    assert table.of_report(report) == (*made, dropped)
    assert table.send_again(report, later) == 4

    rows = [row_of(database, deliveries, one) for one in made]
    assert [row.status for row in rows] == ["PENDING"] * 4 + ["SENT", "SENDING"]
    assert {(row.due_at, row.final_at, row.failures) for row in rows[:4]} == {(later, None, 0)}
    assert row_of(database, deliveries, dropped).status == "REFUSED"


def test_who_sends_again_by_hand_does_not_wait_for_a_held_server(
    database: Database, report: int, clock: ManualClock
) -> None:
    make_delivery(database, report, "ada@x", status="RETRY")
    breaker = SqlBreaker(database, clock, lease=timedelta(minutes=2))
    breaker.failed(breaker.admit(MAIL_ENDPOINT), None, FailureKind.DENIED)

    SqlDeliveryRows(database).send_again(report, clock())

    assert breaker.admit(MAIL_ENDPOINT).probe is not None


def test_the_other_sides_words_are_kept(database: Database, report: int) -> None:
    made = make_delivery(database, report)
    with database.write() as connection:
        save_receipt(connection, Job(Stage.DELIVERY, made, 1), Receipt("250 ok\0"), NOW)

    assert row_of(database, deliveries, made).reply == "250 ok"
