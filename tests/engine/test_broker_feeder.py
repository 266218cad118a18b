"""What is claimed for a broker is done once, whatever becomes of the message."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from structlog.typing import EventDict

from morningdeck.engine.broker_feeder import FEW_AHEAD, LEASES, BrokerFeeder
from morningdeck.engine.worker import recover
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items
from morningdeck.work import Done, Job, Outcome, Stage
from tests.conftest import ManualClock
from tests.engine.conftest import Start, named
from tests.engine.process import LEASE, Process
from tests.factories import make_item, make_items, row_of

STAGE = Stage.PROCESSING
Feed = Callable[..., tuple[BrokerFeeder, "Post"]]


class Post:
    """The port `JobQueue` of a broker that keeps what it was given; `away` it takes nothing."""

    def __init__(self, process: Process, capacity: int = 100) -> None:
        self.capacity = capacity
        self.sent: list[int] = []
        self.away = False
        self.counted = 0
        self._store = process.store

    def enqueue(self, job_id: int) -> bool:
        if not self.away:
            self.sent.append(job_id)
        return not self.away

    def enqueue_all(self, ids: Sequence[int]) -> int:
        return sum(self.enqueue(job_id) for job_id in ids)

    def can_accept(self) -> bool:
        return self.size() < self.capacity

    def size(self) -> int:
        self.counted += 1
        return self._store.queued(STAGE, self.capacity)

    def withdraw(self) -> tuple[int, ...]:
        return ()


@pytest.fixture
def feeding() -> Feed:
    def make(process: Process, **options: int) -> tuple[BrokerFeeder, Post]:
        post = Post(process, options.pop("capacity", 100))
        feeder = BrokerFeeder(STAGE, post, process.holder, batch=50, lease=LEASE, **options)
        return feeder, post

    return make


def working(process: Process) -> tuple[Callable[[int], None], list[Job]]:
    """A worker, and the jobs that it has begun."""
    jobs: list[Job] = []

    def verb(job: Job) -> Outcome:
        jobs.append(job)
        return Done()

    return process.worker(verb).run, jobs


def test_few_messages_are_ahead_of_workers_whose_number_nobody_knows(
    process: Process, database: Database, source: int, feeding: Feed
) -> None:
    waiting = make_items(database, source, 50)
    feeder, post = feeding(process)

    assert (feeder.feed(), feeder.feed()) == (FEW_AHEAD, 0)

    assert post.sent == list(waiting[:FEW_AHEAD])
    assert feeder.more


def test_twice_as_many_are_ahead_where_all_of_them_have_begun_since(
    process: Process, database: Database, source: int, feeding: Feed
) -> None:
    make_items(database, source, 200)
    (feeder, post), (run, _jobs) = feeding(process), working(process)
    fed = []

    for _ in range(4):
        fed.append(feeder.feed())
        for job_id in post.sent[-fed[-1] :]:
            run(job_id)

    assert fed == [4, 8, 16, 32]


def test_what_is_queued_is_counted_once_a_feed(
    process: Process, database: Database, source: int, feeding: Feed
) -> None:
    make_items(database, source, 50)
    feeder, post = feeding(process)

    assert feeder.feed() == feeder.queued() == FEW_AHEAD

    assert post.counted == 1
    assert post.size() == FEW_AHEAD


def test_all_feeders_together_fill_no_more_than_the_room_that_there_is(
    begin: Start, database: Database, source: int, feeding: Feed
) -> None:
    make_items(database, source, 20)
    one, other = (begin(owner=f"host/{number}:x") for number in range(2))

    assert feeding(one, capacity=6, few=5)[0].feed() == 5
    assert feeding(other, capacity=6, few=50)[0].feed() == 1


def test_a_claim_for_a_broker_has_a_lease_of_its_own_which_nobody_renews(
    process: Process, database: Database, clock: ManualClock, source: int, feeding: Feed
) -> None:
    item = make_item(database, source)
    feeding(process)[0].feed()
    assert row_of(database, items, item).lease_until == clock() + LEASES * LEASE

    assert process.leases.renew() == 0  # nor does anybody miss it
    clock.pass_(seconds=LEASES * LEASE.total_seconds() - 1)
    workers = {STAGE: process.worker(lambda job: Done())}
    assert recover(process.holder, workers, lambda loop: None) == 0

    clock.pass_(seconds=2)
    process.leases.renew()
    assert recover(process.holder, workers, lambda loop: None) == 1
    row = row_of(database, items, item)
    assert (row.status, row.losses, row.attempts) == ("NEW", 0, 0)


def test_a_feeder_that_is_started_again_publishes_nothing_a_second_time(
    begin: Start, database: Database, source: int, feeding: Feed
) -> None:
    make_item(database, source)
    before = begin(owner="host/0:before")
    feeding(before)[0].feed()

    after = begin(owner="host/0:after")
    workers = {STAGE: after.worker(lambda job: Done())}
    assert recover(after.holder, workers, lambda loop: None, after.holder.node) == 0
    assert feeding(after)[0].feed() == 0


def test_a_start_moves_the_claim_to_the_process_that_runs_it(
    begin: Start, database: Database, clock: ManualClock, source: int, feeding: Feed
) -> None:
    item = make_item(database, source)
    feeding(begin(owner="host/0:daemon"))[0].feed()
    seen = []
    other = begin(owner="elsewhere/worker-0:w")

    def verb(job: Job) -> Outcome:
        row = row_of(database, items, item)
        seen.append((row.claimed_by, row.lease_until))
        return Done()

    other.worker(verb).run(item)

    assert seen == [("elsewhere/worker-0:w", clock() + LEASE)]
    assert row_of(database, items, item).status == "DONE"


def test_a_message_twice_or_a_day_late_or_without_a_claim_does_nothing(
    process: Process, database: Database, clock: ManualClock, source: int, feeding: Feed
) -> None:
    done, unclaimed = make_items(database, source, 2)
    (feeder, post), (run, jobs) = feeding(process, few=1), working(process)
    feeder.feed()
    assert post.sent == [done]

    for _ in range(2):
        run(done)
    run(unclaimed)
    run(10**9)
    clock.pass_(days=1)
    run(done)

    assert [(job.id, job.attempt) for job in jobs] == [(done, 1)]
    assert row_of(database, items, unclaimed).attempts == 0


def test_a_broker_that_is_away_takes_nothing_and_is_left_alone_for_a_while(
    process: Process, database: Database, source: int, feeding: Feed
) -> None:
    waiting = make_items(database, source, 3)
    feeder, post = feeding(process)
    post.away = True

    assert feeder.feed() == 0

    rows = [row_of(database, items, item) for item in waiting]
    assert {(row.status, row.claimed_by, row.attempts) for row in rows} == {("NEW", None, 0)}
    pause = feeder.pause()
    assert pause is not None
    assert pause > 0.5
    post.away = False
    assert feeder.feed() == 0  # however often it is woken


def test_a_message_that_came_through_although_it_was_given_back_starts_nothing(
    process: Process, database: Database, source: int, feeding: Feed
) -> None:
    item = make_item(database, source)
    (feeder, post), (run, jobs) = feeding(process), working(process)
    post.away = True
    feeder.feed()

    run(item)

    assert jobs == []
    assert row_of(database, items, item).status == "NEW"


def test_whoever_stops_feeding_leaves_what_is_in_the_broker_to_the_workers(
    process: Process, database: Database, source: int, feeding: Feed
) -> None:
    item = make_item(database, source)
    (feeder, _post), (run, jobs) = feeding(process), working(process)
    feeder.feed()

    feeder.stop()
    run(item)

    assert [job.id for job in jobs] == [item]
    assert feeder.feed() == 0


def test_it_is_busy_as_long_as_anybody_works(
    process: Process, database: Database, source: int, feeding: Feed
) -> None:
    item = make_item(database, source)
    feeder, _post = feeding(process)
    feeder.feed()
    assert feeder.busy()

    seen: list[bool] = []

    def verb(job: Job) -> Outcome:
        seen.append(feeder.busy())
        return Done()

    process.worker(verb).run(item)

    assert seen == [True]
    assert not feeder.busy()


def test_a_full_broker_is_warned_of_once(
    process: Process, database: Database, source: int, feeding: Feed, logged: list[EventDict]
) -> None:
    make_items(database, source, 9)
    feeder, _post = feeding(process, capacity=2)

    for _ in range(3):
        feeder.feed()

    assert len(named(logged, "queue_full")) == 1
