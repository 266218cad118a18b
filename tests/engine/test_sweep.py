"""What is due without a queue gets done, whoever hangs beside it."""

from __future__ import annotations

import threading
from datetime import timedelta

from structlog.typing import EventDict

from morningdeck.errors import TransientError
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import deliveries
from morningdeck.work import Done, Job, Outcome
from tests.conftest import NOW
from tests.engine.conftest import Start, named, real_clock
from tests.engine.gate import Gate
from tests.engine.process import Process
from tests.factories import make_delivery, row_of
from tests.waiting import LIMIT_SECONDS, until

TOO_MUCH = 1 << 46
"""Bytes: no thread with such a stack can begin."""


class Diary:
    """A verb that only notes what it was called for."""

    def __init__(self) -> None:
        self.ids: list[int] = []

    def __call__(self, job: Job) -> Outcome:
        self.ids.append(job.id)
        return Done()


class Hanging:
    """Never comes back from the first try of these, until it is let go."""

    def __init__(self, *ids: int) -> None:
        self.gate = Gate()
        self.sent: list[int] = []
        self._ids = ids

    def __call__(self, job: Job) -> Outcome:
        if job.id in self._ids and job.attempt == 1:
            self.gate(job.id)
        self.sent.append(job.id)
        return Done()


def test_a_sweep_does_what_is_due_without_a_queue(process: Process, database: Database) -> None:
    due = {make_delivery(database) for _ in range(3)}
    later = make_delivery(database, due_at=NOW + timedelta(minutes=1))
    diary = Diary()
    process.sweep(diary).start()

    until(lambda: len(diary.ids) == 3)

    assert set(diary.ids) == due
    until(lambda: {row_of(database, deliveries, one).status for one in due} == {"SENT"})
    assert row_of(database, deliveries, later).status == "PENDING"


def test_a_sweep_does_what_comes_later_when_it_is_woken(
    process: Process, database: Database
) -> None:
    diary = Diary()
    sweep = process.sweep(diary)
    sweep.start()
    until(lambda: not sweep.busy(NOW))

    delivery = make_delivery(database)
    assert sweep.busy(NOW)
    sweep.wake()

    until(lambda: diary.ids == [delivery])
    until(lambda: not sweep.busy(NOW))


def test_a_delivery_that_failed_is_tried_again_and_not_at_once(
    process: Process, database: Database
) -> None:
    def refused(job: Job) -> Outcome:
        raise TransientError("421 try later")

    delivery = make_delivery(database)
    sweep = process.sweep(refused)
    sweep.start()
    until(lambda: not sweep.busy(NOW))

    row = row_of(database, deliveries, delivery)
    assert (row.status, row.attempts, row.due_at) == ("RETRY", 1, NOW + timedelta(minutes=1))


def test_a_stopped_sweep_begins_nothing_more(
    process: Process, database: Database, logged: list[EventDict]
) -> None:
    for _ in range(5):
        make_delivery(database)
    gate = Gate()
    sweep = process.sweep(gate.verb)
    sweep.start()
    gate.wait_for(2)

    sweep.stop()
    gate.open()

    assert sweep.join(LIMIT_SECONDS)
    assert len(gate.begun) == 2
    assert named(logged, "dispatcher_bug") == []


def test_two_processes_never_send_the_same_delivery(begin: Start, database: Database) -> None:
    due = [make_delivery(database) for _ in range(10)]
    diary = Diary()
    sweeps = [begin(owner=f"host/{number}:x").sweep(diary) for number in range(2)]
    for sweep in sweeps:
        sweep.start()

    until(lambda: not any(sweep.busy(NOW) for sweep in sweeps))

    assert sorted(diary.ids) == due


def test_one_that_hangs_holds_up_no_other(process: Process, database: Database) -> None:
    hangs, *others = [make_delivery(database) for _ in range(60)]
    verb = Hanging(hangs)
    sweep = process.sweep(verb)
    sweep.start()
    until(lambda: len(verb.sent) == len(others))

    later = make_delivery(database)
    sweep.wake()
    until(lambda: later in verb.sent)

    assert sweep.busy(NOW)
    verb.gate.open()
    until(lambda: hangs in verb.sent)


def test_what_hangs_too_long_is_named_and_another_sends_its_delivery(
    begin: Start, database: Database, logged: list[EventDict]
) -> None:
    process = begin(clock=real_clock, lease=timedelta(seconds=0.5), deadline=timedelta(seconds=0.2))
    hanging = [make_delivery(database, due_at=real_clock()) for _ in range(2)]
    other = make_delivery(database, due_at=real_clock())
    verb = Hanging(*hanging)
    sweep = process.sweep(verb)
    process.engine(sweep, recovery_seconds=0.1, beat_seconds=0.1).start()

    ids = [*hanging, other]
    until(lambda: {row_of(database, deliveries, one).status for one in ids} == {"SENT"})

    assert {event["id"] for event in named(logged, "sender_hangs")} == set(hanging)
    assert sorted(verb.sent) == ids
    verb.gate.open()


def test_a_sender_that_finds_no_thread_is_waited_for_by_nobody(
    process: Process, database: Database, logged: list[EventDict]
) -> None:
    diary = Diary()
    sweep = process.sweep(diary)
    sweep.start()
    usual = threading.stack_size(TOO_MUCH)
    try:
        one = make_delivery(database)
        sweep.wake()
        until(lambda: named(logged, "dispatcher_bug"))
    finally:
        threading.stack_size(usual)

    sweep.wake()
    until(lambda: diary.ids == [one])

    sweep.stop()
    assert sweep.join(LIMIT_SECONDS)


def test_a_sweep_ends_although_a_sender_hangs(begin: Start, database: Database) -> None:
    process = begin(deadline=timedelta(seconds=0))
    verb = Hanging(make_delivery(database))
    sweep = process.sweep(verb)
    sweep.start()
    verb.gate.wait_for(1)

    sweep.stop()

    assert sweep.join(LIMIT_SECONDS)
    assert not sweep.busy(NOW)
    verb.gate.open()
