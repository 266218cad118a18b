"""A queue over a real broker, and the threads that serve it, keep the promises of both ports."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

import pytest

from morningdeck.engine.brokers import queue_of
from morningdeck.engine.celery_queue import CeleryQueue
from morningdeck.engine.celery_runner import CeleryRunner
from morningdeck.work import Stage
from tests.contracts.job_queue import Build as BuildQueue
from tests.contracts.job_queue import JobQueueContract
from tests.contracts.runner import Build as BuildRunner
from tests.contracts.runner import RunnerContract
from tests.servers.brokers import Broker
from tests.waiting import LIMIT_SECONDS, until

pytestmark = pytest.mark.xdist_group("broker-messages")
STAGE = Stage.PROCESSING
KEEP = timedelta(minutes=10)


class Rows:
    """What the database counts: an id is queued from its claim until its start."""

    def __init__(self) -> None:
        self._queued = 0
        self._lock = threading.Lock()

    def claimed(self, count: int) -> None:
        with self._lock:
            self._queued += count

    def started(self) -> None:
        with self._lock:
            self._queued -= 1

    def queued(self, cap: int) -> int:
        return min(cap, self._queued)


class ClaimedQueue(CeleryQueue):
    """Claims what it is given; what it refuses is given back."""

    rows: Rows

    def enqueue_all(self, ids: Sequence[int]) -> int:
        taken = super().enqueue_all(ids)
        self.rows.claimed(taken)
        return taken


class StartingRunner(CeleryRunner):
    rows: Rows

    def start(self, run: Callable[[int], None], freed: Callable[[], None] = lambda: None) -> None:
        def begin(job_id: int) -> None:
            self.rows.started()
            run(job_id)

        super().start(begin, freed)


@pytest.fixture(scope="module", params=["redis", "rabbitmq", "sqs"])
def any_broker(request: pytest.FixtureRequest) -> Broker:
    found: Broker = request.getfixturevalue(f"{request.param}_broker")
    return found


@pytest.fixture
def empty_broker(any_broker: Broker) -> Broker:
    any_broker.empty(queue_of(STAGE))
    return any_broker


@pytest.fixture
def make_queue(empty_broker: Broker) -> Iterator[Callable[[int, Rows], ClaimedQueue]]:
    made: list[ClaimedQueue] = []

    def make(capacity: int, rows: Rows) -> ClaimedQueue:
        queue = ClaimedQueue(STAGE, capacity, empty_broker.connect, rows.queued, keep=KEEP)
        queue.rows = rows
        made.append(queue)
        return queue

    yield make
    for queue in made:
        queue.close()


class TestCeleryQueue(JobQueueContract):
    lets_go = False

    @pytest.fixture
    def build(self, make_queue: Callable[[int, Rows], ClaimedQueue]) -> BuildQueue:
        return lambda capacity: make_queue(capacity, Rows())


class TestCeleryRunner(RunnerContract):
    lets_go = False

    @pytest.fixture
    def build(
        self, empty_broker: Broker, make_queue: Callable[[int, Rows], ClaimedQueue]
    ) -> Iterator[BuildRunner]:
        built: list[CeleryRunner] = []

        def build(capacity: int, workers: int) -> tuple[ClaimedQueue, CeleryRunner]:
            rows = Rows()
            runner = StartingRunner(empty_broker.connect, STAGE, workers=workers)
            runner.rows = rows
            built.append(runner)
            return make_queue(capacity, rows), runner

        yield build
        for runner in built:
            runner.stop()
        for runner in built:
            assert runner.join(LIMIT_SECONDS)


def test_a_runner_that_drains_takes_nothing_from_the_others(
    empty_broker: Broker, make_queue: Callable[[int, Rows], ClaimedQueue]
) -> None:
    queue = make_queue(10, Rows())
    begun, goes_on = threading.Event(), threading.Event()
    runner = CeleryRunner(empty_broker.connect, STAGE, workers=2, poll_seconds=0.05)

    def long_job(job_id: int) -> None:
        begun.set()
        goes_on.wait(LIMIT_SECONDS)

    earlier = set(threading.enumerate())
    runner.start(long_job)
    serving = set(threading.enumerate()) - earlier
    assert queue.enqueue(1)
    assert begun.wait(LIMIT_SECONDS)
    try:
        runner.stop()
        until(lambda: sum(thread.is_alive() for thread in serving) == 1)
        for job_id in (2, 3, 4):
            assert queue.enqueue(job_id)

        assert empty_broker.holds(queue_of(STAGE)) == 3
    finally:
        goes_on.set()
        assert runner.join(LIMIT_SECONDS)
