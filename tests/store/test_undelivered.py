"""Deliveries that ended without a receipt: sent again, or their report is closed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from sqlalchemy import func, select, update

from morningdeck.errors import ConflictError
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.results import SAVERS
from morningdeck.store.rows.deliveries import SqlDeliveryRows
from morningdeck.store.tables.briefs import deliveries, reports
from morningdeck.store.tables.news import stories
from morningdeck.store.tables.running import notices
from morningdeck.store.views.overview import Overview
from morningdeck.store.views.reports import Reports
from morningdeck.work import Ended, Job, Stage
from tests.conftest import NOW
from tests.factories import make, make_delivery, row_of
from tests.settling import settled
from tests.store.desk import Reader
from tests.store.working import LATER, LEASE, ME, due_at_once

REFUSED = Ended("REFUSED", "550 no such user")
ROUNDS = 25


@pytest.fixture
def reader(database: Database) -> Reader:
    return Reader(database, run_requested_at=NOW)


def last_report(reader: Reader) -> int:
    with reader.database.write() as connection:
        report = connection.scalars(select(func.max(reports.c.id))).one()
        connection.execute(deliveries.delete().where(deliveries.c.report_id == report))
    return int(report or 0)


def sending(work: SqlJobStore, reader: Reader, report: int, address: str = "a@x") -> Job:
    row = {"report_id": report, "channel": "smtp", "address": address, "content": b"x"}
    job = work.start(Stage.DELIVERY, make(reader.database, deliveries, **row, due_at=NOW), ME, NOW)
    assert job is not None
    return job


def refuse(work: SqlJobStore, job: Job) -> None:
    assert work.settle(job, ME, settled(job, REFUSED), NOW)


def is_closed(reader: Reader, report: int) -> bool:
    return row_of(reader.database, reports, report).closed_at is not None


def at_once(*calls: Callable[[], object]) -> None:
    barrier = Barrier(len(calls))

    def call(one: Callable[[], object]) -> None:
        barrier.wait()
        one()

    with ThreadPoolExecutor(len(calls)) as pool:
        list(pool.map(call, calls))


# ---- closed


def test_what_a_report_weighed_that_nobody_can_get_is_in_the_next_one(
    work: SqlJobStore, reader: Reader
) -> None:
    story = make(reader.database, stories, label="Harbour")
    items = [reader.item(80, story_id=story), reader.item(70)]
    assert reader.run() == items

    refuse(work, sending(work, reader, last_report(reader)))

    assert reader.weighed() == set()
    assert reader.run_by_hand() == items


@pytest.mark.parametrize("status", ["PENDING", "RETRY", "SENDING", "UNKNOWN", "SENT"])
def test_a_report_stays_open_while_somebody_has_it_or_may_get_it(
    work: SqlJobStore, reader: Reader, status: str
) -> None:
    items = {reader.item()}
    reader.run()
    report = last_report(reader)
    other = {"report_id": report, "channel": "smtp", "address": "b@x", "status": status}
    make(reader.database, deliveries, **other)

    refuse(work, sending(work, reader, report))

    assert not is_closed(reader, report)
    assert reader.weighed() == items


def test_a_closed_report_is_never_sent_again(work: SqlJobStore, reader: Reader) -> None:
    reader.item()
    reader.run()
    report = last_report(reader)
    job = sending(work, reader, report)
    refuse(work, job)

    with pytest.raises(ConflictError, match=f"closed.*briefing run {reader.briefing}"):
        SqlDeliveryRows(reader.database).send_again(report, NOW)

    assert row_of(reader.database, deliveries, job.id).status == "REFUSED"
    assert Reports(reader.database).show(reader.user, report).closed_at == NOW


def test_a_report_that_reached_nobody_is_told_until_another_arrives(
    work: SqlJobStore, reader: Reader
) -> None:
    for _ in range(2):
        reader.item()
        reader.run_by_hand()
        refuse(work, sending(work, reader, last_report(reader)))
    (notice,) = Overview(reader.database).notices(reader.user)
    assert "reached nobody (550 no such user)" in notice

    reader.run_by_hand()
    job = sending(work, reader, last_report(reader))
    assert work.settle(job, ME, settled(job, Ended("SENT")), NOW)

    assert Overview(reader.database).notices(reader.user) == ()


def test_the_last_lost_claim_closes_a_report_too(work: SqlJobStore, reader: Reader) -> None:
    reader.item()
    reader.run()
    report = last_report(reader)
    job = sending(work, reader, report)
    with reader.database.write() as connection:
        connection.execute(update(deliveries).where(deliveries.c.id == job.id).values(losses=2))

    work.recover(Stage.DELIVERY, LATER, due_at_once)

    assert is_closed(reader, report)


def test_of_two_that_are_refused_at_once_one_closes_their_report(
    work: SqlJobStore, reader: Reader
) -> None:
    for number in range(ROUNDS):
        reader.item()
        reader.run_by_hand()
        report = last_report(reader)
        jobs = [sending(work, reader, report, f"{name}@x") for name in "ab"]

        at_once(*(partial(refuse, work, job) for job in jobs))

        assert is_closed(reader, report), number


def test_a_report_sent_again_while_it_is_refused_is_either_open_or_closed(
    work: SqlJobStore, reader: Reader
) -> None:
    table = SqlDeliveryRows(reader.database)
    for number in range(ROUNDS):
        item = reader.item()
        reader.run_by_hand()
        report = last_report(reader)
        refused, last = (sending(work, reader, report, f"{name}@x") for name in "ab")
        refuse(work, refused)

        def send_again(report: int = report) -> None:
            try:
                table.send_again(report, NOW)
            except ConflictError:
                assert is_closed(reader, report)

        at_once(partial(refuse, work, last), send_again)

        states = {row_of(reader.database, deliveries, one.id).status for one in (refused, last)}
        free = item not in reader.weighed()
        assert is_closed(reader, report) == free == (states == {"REFUSED"}), number


# ---- sent again


@pytest.fixture
def resending(database: Database) -> SqlJobStore:
    return SqlJobStore(database, SAVERS, lease=LEASE, resend=(timedelta(minutes=1),))


def lose_after_the_last_step(work: SqlJobStore, database: Database, delivery: int) -> None:
    job = work.start(Stage.DELIVERY, delivery, ME, NOW)
    assert job is not None
    assert SqlDeliveryRows(database).final(job, ME, NOW)
    work.recover(Stage.DELIVERY, LATER, due_at_once)


def test_what_may_have_arrived_is_sent_again_where_the_settings_want_it(
    database: Database, resending: SqlJobStore
) -> None:
    delivery = make_delivery(database, message_id="<1@x>")

    lose_after_the_last_step(resending, database, delivery)

    row = row_of(database, deliveries, delivery)
    assert (row.status, row.final_at, row.message_id) == ("RETRY", None, "<1@x>")
    assert row.due_at == LATER + timedelta(minutes=1)


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_is_set_between_claim_and_last_step_makes_no_second_mail(
    database: Database, work: SqlJobStore, hours: int
) -> None:
    told, lost = make_delivery(database), make_delivery(database, address="b@x")
    jobs = [work.start(Stage.DELIVERY, one, ME, NOW) for one in (told, lost)]
    now = NOW + timedelta(hours=hours)
    for job in jobs:
        assert job is not None
        assert SqlDeliveryRows(database).final(job, ME, now)

    assert work.settle(jobs[0], ME, settled(jobs[0], Ended("SENT")), now)  # type: ignore[arg-type]
    work.recover(Stage.DELIVERY, now, due_at_once)
    work.recover(Stage.DELIVERY, LATER + timedelta(hours=1), due_at_once)

    states = [row_of(database, deliveries, one).status for one in (told, lost)]
    assert states == ["SENT", "UNKNOWN"]


@pytest.mark.parametrize("values", [{"attempts": 1}, {"give_up_at": LATER}])
def test_it_is_sent_again_no_oftener_and_no_longer_than_a_retry(
    database: Database, resending: SqlJobStore, values: dict[str, object]
) -> None:
    delivery = make_delivery(database, **values)

    lose_after_the_last_step(resending, database, delivery)

    assert row_of(database, deliveries, delivery).status == "UNKNOWN"


def test_notices_of_a_mail_that_nobody_got_go_with_the_next(
    work: SqlJobStore, reader: Reader
) -> None:
    row = {"user_id": reader.user, "kind": "budget-spent", "subject": "1", "text": "spent"}
    make(reader.database, notices, **row)
    reader.item(80)
    with_notice = [one.text for one in reader.table.untold(reader.user)]
    reader.run()
    after = reader.table.untold(reader.user)

    refuse(work, sending(work, reader, last_report(reader)))

    assert (with_notice, after) == (["spent"], ())
    assert "spent" in [one.text for one in reader.table.untold(reader.user)]
