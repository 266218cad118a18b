"""A feeder claims for those who will soon begin, and what is most urgent begins next."""

from __future__ import annotations

import itertools
import threading
from datetime import timedelta

import pytest
from structlog.typing import EventDict

from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items
from morningdeck.work import Done, Job, Outcome, Stage
from tests.conftest import NOW, ManualClock
from tests.engine.conftest import Start, named
from tests.engine.gate import Gate
from tests.engine.process import Process
from tests.factories import make_item, make_items, make_source, row_of
from tests.waiting import LIMIT_SECONDS, until

WORKERS = 4


class Turnstile:
    """Jobs tell when they have begun, and end one at a time; those before `slow` at once."""

    def __init__(self, slow: int = 0) -> None:
        self.begun: list[int] = []
        self._slow = slow
        self._turns = threading.Semaphore(0)

    def verb(self, job: Job) -> Outcome:
        if job.id >= self._slow:
            self.begun.append(job.id)
            assert self._turns.acquire(timeout=LIMIT_SECONDS)
        return Done()

    def let_go(self, count: int = 1) -> None:
        self._turns.release(count)


def served(capacity: int, workers: int) -> tuple[MemoryQueue, ThreadRunner]:
    """A queue, and who will serve it."""
    queue = MemoryQueue(capacity)
    return queue, ThreadRunner("test", queue, workers=workers)


def test_a_feeder_claims_no_more_than_the_queue_has_room_for(
    process: Process, database: Database, source: int
) -> None:
    waiting = make_items(database, source, 10)
    queue, runner = served(3, 5)
    feeder = process.feeder(queue, runner)

    assert (feeder.feed(), feeder.feed()) == (3, 0)

    assert queue.withdraw() == waiting[:3]
    assert process.store.waiting(Stage.PROCESSING, NOW, 100) == 7


@pytest.mark.parametrize("workers", [1, WORKERS])
def test_what_is_saved_by_hand_begins_as_soon_as_any_worker_is_free(
    process: Process, database: Database, source: int, workers: int
) -> None:
    make_items(database, source, 60)
    jobs, seconds = Turnstile(), itertools.count()  # a second passes from look to look
    lane = process.lane(jobs.verb, workers=workers, batch=50, timer=lambda: next(seconds))
    lane.start()
    until(lambda: len(jobs.begun) == workers)

    for number in range(3):
        by_hand = make_item(database, source, guid=f"by hand {number}", priority=20)
        jobs.let_go()
        until(lambda: len(jobs.begun) == workers + number + 1)  # noqa: B023
        assert jobs.begun[-1] == by_hand
    jobs.let_go(1000)


def test_slow_work_behind_quick_work_goes_back_and_lets_the_urgent_by(
    process: Process, database: Database, source: int
) -> None:
    waiting = make_items(database, source, 200)
    jobs, seconds = Turnstile(slow=waiting[120]), [0.0]
    lane = process.lane(jobs.verb, workers=WORKERS, batch=50, timer=lambda: seconds[0])
    lane.start()
    until(lambda: len(jobs.begun) == WORKERS)

    by_hand = make_item(database, source, guid="by hand", priority=20)
    until(lambda: not lane.in_round and lane.queue.size() > 0)  # claimed as if all were quick
    seconds[0] += 10
    lane.wake()
    until(lambda: not lane.in_round and lane.queue.size() == 0)
    jobs.let_go()

    until(lambda: len(jobs.begun) == WORKERS + 1)
    assert jobs.begun[-1] == by_hand
    jobs.let_go(1000)


def test_tiny_jobs_are_claimed_many_at_a_time(
    process: Process, database: Database, source: int
) -> None:
    make_items(database, source, 500)
    queued: list[int] = []

    def verb(job: Job) -> Outcome:
        queued.append(lane.queue.size())
        return Done()

    lane = process.lane(verb, workers=WORKERS, batch=50)
    lane.start()

    until(lambda: len(queued) == 500)
    assert max(queued) > WORKERS


def test_a_feeder_knows_when_there_is_no_more(
    process: Process, database: Database, source: int
) -> None:
    make_items(database, source, 4)
    feeder = process.feeder(*served(100, 5))

    assert feeder.feed() == 4
    assert not feeder.more


def test_a_full_queue_is_warned_of_once_until_it_had_room_again(
    process: Process, database: Database, source: int, logged: list[EventDict]
) -> None:
    make_items(database, source, 10)
    (queue, runner), gate = served(2, 2), Gate()
    feeder = process.feeder(queue, runner)

    for _ in range(3):
        feeder.feed()
    assert len(named(logged, "queue_full")) == 1

    runner.start(gate)
    gate.wait_for(2)
    feeder.feed()
    assert queue.enqueue(-1)
    assert queue.enqueue(-2)
    feeder.feed()
    assert len(named(logged, "queue_full")) == 2
    assert named(logged, "queue_full")[0]["log_level"] == "warning"
    runner.stop()
    gate.open()


def test_a_claim_that_the_queue_refuses_is_given_back_and_not_taken_again_at_once(
    process: Process, database: Database, source: int
) -> None:
    first, second = make_items(database, source, 2)

    class Picky(MemoryQueue):
        def enqueue(self, job_id: int) -> bool:
            return job_id != second and super().enqueue(job_id)

    queue = Picky(9)
    feeder = process.feeder(queue, ThreadRunner("test", queue, workers=2))

    assert feeder.feed() == 1

    assert row_of(database, items, first).status == "PENDING"
    assert row_of(database, items, second).status == "NEW"
    assert feeder.more  # the next wake-up tries again


def test_a_stopped_feeder_gives_back_what_no_worker_has_taken_and_claims_no_more(
    process: Process, database: Database, source: int, logged: list[EventDict]
) -> None:
    waiting = make_items(database, source, 5)
    feeder = process.feeder(*served(9, 9))
    assert feeder.feed() == 5

    feeder.stop()

    assert feeder.feed() == 0
    rows = [row_of(database, items, item) for item in waiting]
    assert {(row.status, row.attempts, row.claimed_by) for row in rows} == {("NEW", 0, None)}
    assert logged == []


def test_what_is_claimed_is_held_before_a_worker_can_start_it(
    process: Process, database: Database, clock: ManualClock, source: int
) -> None:
    (item,) = make_items(database, source, 1)
    process.feeder(*served(9, 1)).feed()
    clock.pass_(seconds=60)

    assert process.leases.renew() == 0

    assert row_of(database, items, item).lease_until == clock() + timedelta(seconds=90)


def test_two_feeders_of_one_stage_never_share_a_row(
    begin: Start, database: Database, source: int
) -> None:
    make_items(database, make_source(database), 10)
    pairs = [served(5, 5) for _ in range(2)]
    for number, (queue, runner) in enumerate(pairs):
        begin(owner=f"host/{number}:x").feeder(queue, runner).feed()

    one, other = (queue.withdraw() for queue, _runner in pairs)
    assert len({*one, *other}) == 10
