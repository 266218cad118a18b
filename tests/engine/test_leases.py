"""A process keeps what it really holds, and knows when it no longer does."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from structlog.typing import EventDict

from morningdeck.engine.leases import Heartbeat
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items
from morningdeck.work import Job, Stage
from tests.conftest import NOW, ManualClock
from tests.engine.conftest import Start, named
from tests.engine.gate import Gate
from tests.engine.process import LEASE, NEVER, Process
from tests.factories import make_item, row_of
from tests.waiting import LIMIT_SECONDS, until

PROCESSING = Stage.PROCESSING


@pytest.fixture
def item(database: Database, source: int) -> int:
    return make_item(database, source)


def running(process: Process, item: int) -> Job:
    """As a feeder and a worker leave it while the verb runs."""
    assert process.store.claim_one(PROCESSING, item, process.owner, NOW)
    process.leases.hold(PROCESSING, item)
    job = process.store.start(PROCESSING, item, process.owner, NOW)
    assert job is not None
    process.leases.started(job, time.monotonic())
    return job


def lease_of(database: Database, item: int) -> object:
    return row_of(database, items, item).lease_until


def test_a_started_job_is_trusted_under_its_own_fence_only(process: Process, item: int) -> None:
    job = running(process, item)

    assert process.leases.trusted(job)
    assert not process.leases.trusted(Job(PROCESSING, item, job.attempt + 1))
    assert not process.leases.trusted(Job(Stage.FETCH, item, job.attempt))


def test_trust_ends_before_the_lease_does(process: Process, item: int) -> None:
    job = running(process, item)

    process.leases.started(job, time.monotonic() - 40)
    assert process.leases.trusted(job)

    process.leases.started(job, time.monotonic() - 60)  # its lease has half a minute left
    assert not process.leases.trusted(job)


def test_what_is_done_is_neither_trusted_nor_renewed(
    process: Process, database: Database, clock: ManualClock, item: int
) -> None:
    job = running(process, item)
    process.leases.drop(PROCESSING, item, job.attempt)
    clock.pass_(seconds=60)

    assert process.leases.renew() == 0

    assert not process.leases.trusted(job)
    assert lease_of(database, item) == NOW + LEASE


def test_a_heartbeat_prolongs_the_lease_and_the_trust(
    process: Process, database: Database, clock: ManualClock, item: int
) -> None:
    job = running(process, item)
    clock.pass_(seconds=60)

    assert process.leases.renew() == 0

    assert process.leases.trusted(job)
    assert lease_of(database, item) == clock() + LEASE


def test_a_lease_that_turns_out_to_be_lost_ends_the_trust_at_once(
    begin: Start, clock: ManualClock, item: int, logged: list[EventDict]
) -> None:
    frozen, other = begin(), begin(owner="host/1:other")
    job = running(frozen, item)
    clock.pass_(seconds=91)
    worker = other.worker(Gate().verb)
    assert other.store.recover(PROCESSING, clock(), worker.lost(clock())) == 1

    assert [frozen.leases.renew(), frozen.leases.renew()] == [1, 0]

    assert not frozen.leases.trusted(job)
    assert named(logged, "leases_lost") == [
        {"event": "leases_lost", "log_level": "warning", "stage": "processing", "count": 1}
    ]


def test_a_job_past_its_deadline_is_not_renewed_any_more(
    begin: Start, database: Database, clock: ManualClock, item: int
) -> None:
    process = begin(deadline=timedelta(0))
    running(process, item)
    clock.pass_(seconds=60)

    process.leases.renew()

    assert lease_of(database, item) == NOW + LEASE


def test_a_deadline_counts_from_the_start_not_from_the_claim(
    begin: Start, database: Database, clock: ManualClock, item: int
) -> None:
    process = begin(deadline=timedelta(0))
    assert process.store.claim_one(PROCESSING, item, process.owner, NOW)
    process.leases.hold(PROCESSING, item)
    clock.pass_(seconds=60)

    process.leases.renew()

    assert lease_of(database, item) == clock() + LEASE


def test_what_waits_behind_workers_that_all_hang_is_left_to_others(
    begin: Start,
    database: Database,
    clock: ManualClock,
    source: int,
    item: int,
    logged: list[EventDict],
) -> None:
    process = begin(deadline=timedelta(0))
    running(process, item)
    waiting = make_item(database, source, guid="behind")
    assert process.store.claim_one(PROCESSING, waiting, process.owner, NOW)
    process.leases.hold(PROCESSING, waiting)
    clock.pass_(seconds=60)

    for _ in range(2):
        process.leases.renew()

    assert lease_of(database, waiting) == NOW + LEASE
    assert len(named(logged, "workers_hang")) == 1


def test_a_hung_job_is_taken_over_and_refused_when_it_comes_back(
    begin: Start, database: Database, clock: ManualClock, item: int, logged: list[EventDict]
) -> None:
    hanging, other, gate = begin(deadline=timedelta(0)), begin(owner="host/1:other"), Gate()
    assert hanging.store.claim_one(PROCESSING, item, hanging.owner, NOW)
    thread = threading.Thread(target=hanging.worker(gate.verb).run, args=(item,))
    thread.start()
    gate.wait_for(1)
    clock.pass_(seconds=91)
    hanging.leases.renew()

    healthy = Gate()
    worker = other.worker(healthy.verb)
    assert other.store.recover(PROCESSING, clock(), worker.lost(clock())) == 1
    assert other.store.claim(PROCESSING, 1, other.owner, clock()) == (item,)
    healthy.open()
    worker.run(item)
    gate.open()
    thread.join()

    finished = [(line["attempt"], line["status"]) for line in named(logged, "job_finished")]
    assert finished == [(2, "DONE"), (1, "refused")]
    assert row_of(database, items, item).status == "DONE"


def test_a_hung_job_that_ends_late_does_not_drop_its_successor_in_the_same_process(
    process: Process, database: Database, clock: ManualClock, item: int
) -> None:
    late, successor = Gate(), Gate()
    assert process.store.claim_one(PROCESSING, item, process.owner, NOW)
    hung = threading.Thread(target=process.worker(late.verb).run, args=(item,))
    hung.start()
    late.wait_for(1)
    clock.pass_(seconds=91)
    worker = process.worker(successor.verb)
    assert process.store.recover(PROCESSING, clock(), worker.lost(clock())) == 1
    assert process.store.claim(PROCESSING, 1, process.owner, clock()) == (item,)
    process.leases.hold(PROCESSING, item)
    again = threading.Thread(target=worker.run, args=(item,))
    again.start()
    successor.wait_for(1)

    late.open()
    hung.join()
    worker.run(item)  # its id was in the queue twice

    assert process.leases.trusted(Job(PROCESSING, item, attempt=2))
    clock.pass_(seconds=60)
    process.leases.renew()
    assert lease_of(database, item) == clock() + LEASE
    successor.open()
    again.join()
    assert row_of(database, items, item).status == "DONE"


# ---- the heart


def test_an_outage_is_logged_once_however_long_it_lasts(
    process: Process, item: int, logged: list[EventDict]
) -> None:
    running(process, item)
    heart = Heartbeat(process.leases, every_seconds=NEVER)

    process.store.away = 3
    for _ in range(4):
        heart.beat()
    assert len(named(logged, "heartbeat_failing")) == 1

    process.store.away = 1
    heart.beat()
    assert len(named(logged, "heartbeat_failing")) == 2


def test_the_heart_beats_by_itself_until_it_is_stopped(process: Process) -> None:
    beats: list[int] = []
    heart = Heartbeat(process.leases, every_seconds=0.005, also=lambda: beats.append(1))

    with heart.beating():
        until(lambda: len(beats) >= 3)

    count = len(beats)
    assert not any(thread.name == "heartbeat" for thread in threading.enumerate())
    assert len(beats) == count


def test_a_beat_that_hangs_is_none(process: Process) -> None:
    go_on = threading.Event()

    def hang() -> None:
        go_on.wait(LIMIT_SECONDS)

    heart = Heartbeat(process.leases, every_seconds=0.005, hung_seconds=LIMIT_SECONDS)
    stuck = Heartbeat(process.leases, every_seconds=0.005, also=hang, hung_seconds=0.05)
    with heart.beating(), stuck.beating():
        until(lambda: not stuck.is_beating)
        assert heart.is_beating
        go_on.set()

        until(lambda: stuck.is_beating)


def test_the_heart_outlives_a_bug(process: Process, logged: list[EventDict]) -> None:
    beats: list[int] = []

    def also() -> None:
        beats.append(1)
        if len(beats) == 1:
            raise RuntimeError("a bug")

    heart = Heartbeat(process.leases, every_seconds=0.005, also=also)
    with heart.beating():
        until(lambda: len(beats) >= 2)

    assert len(named(logged, "heartbeat_bug")) == 1
