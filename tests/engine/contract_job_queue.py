"""What every job queue promises; a new one runs this suite by giving it a `build` fixture."""

from __future__ import annotations

import threading
from collections.abc import Callable

from morningdeck.ports import JobQueue
from tests.engine.gate import Gate
from tests.waiting import LIMIT_SECONDS, until

Build = Callable[[int, int], JobQueue]
"""A queue of this capacity with that many workers, stopped when the test ends."""


class JobQueueContract:
    def test_it_knows_its_own_size(self, build: Build) -> None:
        queue = build(7, 3)

        assert (queue.capacity, queue.workers) == (7, 3)
        assert (queue.size(), queue.in_work()) == (0, 0)
        assert queue.can_accept()

    def test_a_full_queue_refuses_at_once_and_keeps_what_it_has(self, build: Build) -> None:
        queue = build(2, 1)

        assert [queue.enqueue(job_id) for job_id in (1, 2, 3)] == [True, True, False]
        assert not queue.can_accept()
        assert queue.size() == 2
        assert queue.stop() == (1, 2)

    def test_it_has_room_again_when_a_worker_has_taken_something(self, build: Build) -> None:
        queue, gate = build(1, 1), Gate()
        queue.start(gate)
        assert queue.enqueue(1)
        until(lambda: gate.begun == [1])

        assert queue.can_accept()
        assert queue.enqueue(2)
        assert not queue.enqueue(3)
        gate.open()

    def test_one_worker_takes_the_ids_in_their_order(self, build: Build) -> None:
        queue, done = build(10, 1), list[int]()
        for job_id in (5, 3, 9, 1):
            assert queue.enqueue(job_id)

        queue.start(done.append)

        until(lambda: len(done) == 4)
        assert done == [5, 3, 9, 1]

    def test_every_id_is_run_once_however_many_workers_there_are(self, build: Build) -> None:
        queue, done = build(100, 4), list[int]()
        queue.start(done.append)

        assert all(queue.enqueue(job_id) for job_id in range(100))

        until(lambda: queue.size() == 0 and queue.in_work() == 0)
        assert sorted(done) == list(range(100))

    def test_what_waits_and_what_is_worked_on_are_counted_apart(self, build: Build) -> None:
        queue, gate = build(10, 2), Gate()
        for job_id in range(5):
            queue.enqueue(job_id)
        queue.start(gate)

        until(lambda: len(gate.begun) == 2)
        assert (queue.size(), queue.in_work()) == (3, 2)
        gate.open()
        until(lambda: (queue.size(), queue.in_work()) == (0, 0))

    def test_an_id_is_always_either_waiting_or_in_work_until_it_is_done(self, build: Build) -> None:
        queue, done = build(1, 1), list[int]()
        queue.start(done.append)
        for job_id in range(100):
            assert queue.enqueue(job_id)
            while queue.size() or queue.in_work():
                pass
            assert len(done) == job_id + 1

    def test_stopping_returns_what_nobody_took_and_takes_no_more(self, build: Build) -> None:
        queue, gate = build(10, 1), Gate()
        queue.start(gate)
        for job_id in (1, 2, 3):
            queue.enqueue(job_id)
        until(lambda: gate.begun == [1])

        assert queue.stop() == (2, 3)

        assert not queue.can_accept()
        assert not queue.enqueue(4)
        assert queue.size() == 0
        gate.open()
        assert queue.join(LIMIT_SECONDS)
        assert gate.begun == [1]

    def test_what_is_taken_back_is_run_by_nobody_and_leaves_room_for_more(
        self, build: Build
    ) -> None:
        queue, gate = build(2, 1), Gate()
        queue.start(gate)
        queue.enqueue(1)
        until(lambda: gate.begun == [1])
        queue.enqueue(2)
        queue.enqueue(3)

        assert queue.withdraw() == (2, 3)

        assert queue.withdraw() == ()
        assert (queue.size(), queue.in_work()) == (0, 1)
        assert queue.enqueue(4)
        gate.open()
        until(lambda: gate.ended == [1, 4])

    def test_a_worker_that_is_free_says_so_when_it_counts_no_longer(self, build: Build) -> None:
        queue, at_work = build(10, 1), list[int]()
        for job_id in (1, 2, 3):
            queue.enqueue(job_id)

        queue.start(lambda job_id: None, lambda: at_work.append(queue.in_work()))

        until(lambda: at_work == [0, 0, 0])

    def test_joining_waits_for_what_is_running(self, build: Build) -> None:
        queue, gate = build(10, 2), Gate()
        queue.start(gate)
        queue.enqueue(1)
        until(lambda: gate.begun == [1])
        queue.stop()
        threading.Timer(0.05, gate.open).start()

        assert queue.join(LIMIT_SECONDS)

        assert gate.ended == [1]
        assert queue.in_work() == 0

    def test_joining_gives_up_on_a_worker_that_hangs(self, build: Build) -> None:
        queue, gate = build(10, 1), Gate()
        queue.start(gate)
        queue.enqueue(1)
        until(lambda: gate.begun == [1])
        queue.stop()

        assert not queue.join(0.05)
        assert queue.in_work() == 1
        gate.open()

    def test_a_worker_outlives_a_job_that_raises(self, build: Build) -> None:
        queue, done = build(10, 1), list[int]()

        def run(job_id: int) -> None:
            if job_id == 1:
                raise RuntimeError("a bug")
            done.append(job_id)

        queue.start(run)
        queue.enqueue(1)
        queue.enqueue(2)

        until(lambda: done == [2])
        until(lambda: queue.in_work() == 0)

    def test_it_is_served_until_its_last_worker_has_ended(self, build: Build) -> None:
        queue, gate = build(10, 2), Gate()
        assert queue.is_served()  # soon
        queue.start(gate)
        queue.enqueue(1)
        until(lambda: gate.begun == [1])
        queue.stop()

        assert queue.is_served()
        gate.open()
        until(lambda: not queue.is_served())

    def test_a_queue_that_never_started_can_be_stopped(self, build: Build) -> None:
        queue = build(10, 1)
        queue.enqueue(1)

        assert queue.stop() == (1,)
        assert queue.join(0.0)
