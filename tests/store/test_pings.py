"""Pings that are owed: by the last delivery of a report, once, and told by one process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest

from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.rows.pings import SqlPings
from morningdeck.store.tables.briefs import deliveries, reports
from morningdeck.work import Ended, Job, Outcome, Stage
from tests.conftest import NOW
from tests.factories import make, make_briefing, make_user
from tests.settling import settled
from tests.store.working import ME

ROUNDS = 15
SENT, REFUSED = Ended("SENT"), Ended("REFUSED", "550 no such user")
SOON = NOW + timedelta(minutes=2)


@pytest.fixture
def pings(database: Database) -> SqlPings:
    return SqlPings(database)


def sending(work: SqlJobStore, database: Database, count: int) -> list[Job]:
    """A report of a briefing with a ping address, and that many deliveries under way."""
    briefing = make_briefing(database, make_user(database), ping_url="https://ping.example/x")
    report = make(database, reports, briefing_id=briefing, slot="manual:1", status="GENERATED")
    jobs = []
    for number in range(count):
        row = {"channel": "smtp", "address": f"{number}@x.example", "content": b"x"}
        made = make(database, deliveries, report_id=report, **row, due_at=NOW)
        job = work.start(Stage.DELIVERY, made, ME, NOW)
        assert job is not None
        jobs.append(job)
    return jobs


def end(work: SqlJobStore, job: Job, outcome: Outcome = SENT) -> None:
    assert work.settle(job, ME, settled(job, outcome), NOW)


def test_only_the_last_delivery_owes_a_ping(
    work: SqlJobStore, database: Database, pings: SqlPings
) -> None:
    first, second = sending(work, database, 2)

    end(work, first, REFUSED)
    before = pings.take(NOW)
    end(work, second)

    (ping,) = pings.take(NOW)
    assert before == ()
    assert (ping.ok, ping.url, ping.attempts) == (False, "https://ping.example/x", 1)
    assert ping.told.endswith("1 of 2 delivered")


def test_two_deliveries_that_end_together_owe_one_ping(
    work: SqlJobStore, database: Database, pings: SqlPings
) -> None:
    for _ in range(ROUNDS):
        jobs, barrier = sending(work, database, 2), Barrier(2)

        def at_once(job: Job, barrier: Barrier = barrier) -> None:
            barrier.wait()
            end(work, job)

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(at_once, jobs))

        (ping,) = pings.take(NOW)
        assert ping.ok
        pings.done(ping)


def test_a_ping_is_taken_by_one_process_and_due_again_if_that_is_gone(
    work: SqlJobStore, database: Database, pings: SqlPings
) -> None:
    for job in sending(work, database, 1):
        end(work, job)

    with ThreadPoolExecutor(4) as pool:
        taken = [ping for those in pool.map(pings.take, [NOW] * 4) for ping in those]

    assert len(taken) == 1
    assert not pings.waits(NOW)
    assert [ping.attempts for ping in pings.take(SOON)] == [2]


def test_a_ping_of_a_later_run_is_not_lost_with_the_earlier(
    work: SqlJobStore, database: Database, pings: SqlPings
) -> None:
    first, second = sending(work, database, 2)
    end(work, first)
    end(work, second, REFUSED)
    (earlier,) = pings.take(NOW)
    with database.write() as connection:
        this = deliveries.update().where(deliveries.c.id == second.id)
        connection.execute(this.values(status="PENDING", due_at=NOW))
    job = work.start(Stage.DELIVERY, second.id, ME, NOW)
    assert job is not None
    end(work, job)

    pings.done(earlier)

    assert [ping.ok for ping in pings.take(NOW)] == [True]
