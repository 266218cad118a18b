"""Deliveries that have gone wrong for good are told of as long as it is so."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

from morningdeck.model.sending import Receipt
from morningdeck.model.wanting import BriefingChanges
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.rows.deliveries import SqlDeliveryRows
from morningdeck.store.tables.briefs import deliveries, ended_addresses, reports
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.overview import Overview
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.work import Done, Ended, Failed, Lost, Stage
from tests.conftest import NOW
from tests.factories import Stock
from tests.settling import settled
from tests.store.test_troubles import make_delivery, send
from tests.store.working import LATER, ME


@pytest.fixture
def told(database: Database, ada: int, bob: int) -> Any:
    """The notices of each of the two."""
    overview = Overview(database)
    return lambda: (overview.notices(ada), overview.notices(bob))


@pytest.fixture
def report(stock: Stock, ada: int) -> int:
    return stock.report(stock.briefing(ada))


@pytest.fixture
def delivery(database: Database, report: int) -> int:
    return make_delivery(database, report)


def test_a_refused_delivery_is_told_to_the_owner_of_the_briefing(
    database: Database, work: SqlJobStore, delivery: int, report: int, told: Any
) -> None:
    make_delivery(database, report, "b@x")  # who may get it still
    send(work, delivery, Failed("550 no such user", permanent=True))

    (notice,), nothing = told()

    assert notice == (
        f"Morning: report {report} (2026-11-18) was refused by a@x (550 no such user)."
        f" morningdeck report send {report} sends it again"
    )
    assert nothing == ()


def test_a_delivery_is_no_trouble_any_more_when_it_is_sent_again_or_has_arrived(
    database: Database, work: SqlJobStore, delivery: int, report: int, told: Any
) -> None:
    make_delivery(database, report, "b@x")
    send(work, delivery, Failed("550", permanent=True))
    SqlDeliveryRows(database).send_again(report, NOW)
    assert told() == ((), ())

    send(work, delivery, Ended("UNKNOWN", "no reply"))
    assert "may have reached a@x or not (no reply)" in told()[0][0]
    SqlDeliveryRows(database).send_again(report, NOW)
    send(work, delivery, Done(Receipt("250 ok")))
    assert told() == ((), ())


def test_what_who_has_left_does_not_get_is_no_trouble(
    database: Database, work: SqlJobStore, delivery: int, report: int, stock: Stock, told: Any
) -> None:
    make_delivery(database, report, "b@x")
    ended = {"briefing_id": stock.row(reports, report).briefing_id, "address": "a@x"}
    with database.write() as connection:
        connection.execute(insert(ended_addresses).values(reason="asked for no more", **ended))

    send(work, delivery, Ended("REFUSED", "nothing goes there any more"))

    assert told() == ((), ())


def test_a_refused_address_is_no_trouble_once_the_briefing_names_another(
    database: Database, work: SqlJobStore, stock: Stock, ada: int, told: Any
) -> None:
    briefing, other = stock.briefing(ada), stock.briefing(ada)
    for report in (stock.report(briefing), stock.report(other)):
        make_delivery(database, report, "b@x")
        send(work, make_delivery(database, report), Failed("550", permanent=True))

    def name(*to: str) -> None:
        changes = BriefingChanges(recipients=to)
        Briefings(database).edit(ada, briefing, changes, now=NOW, next_run_at=None)

    name("c@x.org", "a@x")
    assert len(told()[0]) == 2
    name("c@x.org")

    (notice,), _ = told()  # the one of the other briefing
    assert "was refused by a@x" in notice


def test_a_delivery_that_somebody_else_sends_again_is_no_trouble_when_it_has_arrived(
    work: SqlJobStore, stock: Stock, delivery: int, told: Any
) -> None:
    send(work, delivery, Ended("UNKNOWN", "no reply"))
    stock.set(deliveries, delivery, status="PENDING", due_at=NOW)

    send(work, delivery, Done(Receipt("250 ok")))

    assert told() == ((), ())


@pytest.mark.parametrize("end", ["lost", "let go"])
def test_a_delivery_whose_sender_went_after_the_last_step_is_told_of(
    database: Database, work: SqlJobStore, delivery: int, told: Any, end: str
) -> None:
    job = work.start(Stage.DELIVERY, delivery, ME, NOW)
    assert job is not None
    assert SqlDeliveryRows(database).final(job, ME, NOW)

    if end == "lost":
        work.recover(Stage.DELIVERY, LATER, lambda lost: settled(lost, Lost()))
    else:
        work.let_go(Stage.DELIVERY, ME, NOW)

    assert "may have reached" in told()[0][0]


@pytest.mark.parametrize("removed", ["briefing", "report"])
def test_what_is_removed_troubles_nobody(
    database: Database, stock: Stock, work: SqlJobStore, told: Any, ada: int, removed: str
) -> None:
    briefing = stock.briefing(ada)
    send(work, make_delivery(database, stock.report(briefing)), Failed("550", permanent=True))
    assert told() != ((), ())

    if removed == "briefing":
        Briefings(database).remove(ada, briefing)
    else:
        Retention(database).apply(Keep(reports=LATER - NOW), LATER.replace(year=2100))

    assert told() == ((), ())
