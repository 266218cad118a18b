"""What every runner promises; a new one runs this suite by giving it a `build` fixture."""

from __future__ import annotations

import threading
from collections.abc import Callable

from morningdeck.ports.engine import JobQueue, Runner
from tests.engine.gate import Gate
from tests.waiting import LIMIT_SECONDS, until

Build = Callable[[int, int], tuple[JobQueue, Runner]]
"""A queue of this capacity, and so many workers for it, stopped when the test ends."""


class RunnerContract:
    lets_go = True
    """Of what waits, when its queue takes that back."""

    def test_it_knows_its_workers(self, build: Build) -> None:
        _queue, runner = build(7, 3)

        assert (runner.workers, runner.in_work()) == (3, 0)

    def test_it_has_room_again_when_a_worker_has_taken_something(self, build: Build) -> None:
        (queue, runner), gate = build(1, 1), Gate()
        runner.start(gate)
        assert queue.enqueue(1)
        until(lambda: gate.begun == [1])

        assert queue.can_accept()
        assert queue.enqueue(2)
        assert not queue.enqueue(3)
        gate.open()

    def test_one_worker_takes_the_ids_in_their_order(self, build: Build) -> None:
        (queue, runner), done = build(10, 1), list[int]()
        for job_id in (5, 3, 9, 1):
            assert queue.enqueue(job_id)

        runner.start(done.append)

        until(lambda: len(done) == 4)
        assert done == [5, 3, 9, 1]

    def test_every_id_is_run_once_however_many_workers_there_are(self, build: Build) -> None:
        (queue, runner), done = build(100, 4), list[int]()
        runner.start(done.append)

        assert all(queue.enqueue(job_id) for job_id in range(100))

        until(lambda: queue.size() == 0 and runner.in_work() == 0)
        assert sorted(done) == list(range(100))

    def test_what_waits_and_what_is_worked_on_are_counted_apart(self, build: Build) -> None:
        (queue, runner), gate = build(10, 2), Gate()
        for job_id in range(5):
            queue.enqueue(job_id)
        runner.start(gate)

        until(lambda: len(gate.begun) == 2)
        assert (queue.size(), runner.in_work()) == (3, 2)
        gate.open()
        until(lambda: (queue.size(), runner.in_work()) == (0, 0))

    def test_an_id_is_always_either_waiting_or_in_work_until_it_is_done(self, build: Build) -> None:
        (queue, runner), done = build(1, 1), list[int]()
        runner.start(done.append)
        for job_id in range(100):
            assert queue.enqueue(job_id)
            while queue.size() or runner.in_work():
                pass
            assert len(done) == job_id + 1

    def test_what_is_stopped_takes_no_more(self, build: Build) -> None:
        (queue, runner), gate = build(10, 1), Gate()
        runner.start(gate)
        for job_id in (1, 2, 3):
            queue.enqueue(job_id)
        until(lambda: gate.begun == [1])

        runner.stop()

        gate.open()
        assert runner.join(LIMIT_SECONDS)
        assert gate.begun == [1]
        assert queue.withdraw() == ((2, 3) if self.lets_go else ())
        assert gate.begun == [1]

    def test_what_is_taken_back_is_run_by_nobody_and_leaves_room_for_more(
        self, build: Build
    ) -> None:
        (queue, runner), gate = build(2, 1), Gate()
        runner.start(gate)
        queue.enqueue(1)
        until(lambda: gate.begun == [1])
        queue.enqueue(2)
        queue.enqueue(3)
        taken_back = (2, 3) if self.lets_go else ()

        assert queue.withdraw() == taken_back

        assert queue.withdraw() == ()
        assert (queue.size(), runner.in_work()) == (2 - len(taken_back), 1)
        assert queue.enqueue(4) == self.lets_go
        gate.open()
        until(lambda: gate.ended == ([1, 4] if self.lets_go else [1, 2, 3]))

    def test_a_worker_that_is_free_says_so_when_it_counts_no_longer(self, build: Build) -> None:
        (queue, runner), at_work = build(10, 1), list[int]()
        for job_id in (1, 2, 3):
            queue.enqueue(job_id)

        runner.start(lambda job_id: None, lambda: at_work.append(runner.in_work()))

        until(lambda: at_work == [0, 0, 0])

    def test_joining_waits_for_what_is_running(self, build: Build) -> None:
        (queue, runner), gate = build(10, 2), Gate()
        runner.start(gate)
        queue.enqueue(1)
        until(lambda: gate.begun == [1])
        runner.stop()
        threading.Timer(0.05, gate.open).start()

        assert runner.join(LIMIT_SECONDS)

        assert gate.ended == [1]
        assert runner.in_work() == 0

    def test_joining_gives_up_on_a_worker_that_hangs(self, build: Build) -> None:
        (queue, runner), gate = build(10, 1), Gate()
        runner.start(gate)
        queue.enqueue(1)
        until(lambda: gate.begun == [1])
        runner.stop()

        assert not runner.join(0.05)
        assert runner.in_work() == 1
        gate.open()

    def test_a_worker_outlives_a_job_that_raises(self, build: Build) -> None:
        (queue, runner), done = build(10, 1), list[int]()

        def run(job_id: int) -> None:
            if job_id == 1:
                raise RuntimeError("a bug")
            done.append(job_id)

        runner.start(run)
        queue.enqueue(1)
        queue.enqueue(2)

        until(lambda: done == [2])
        until(lambda: runner.in_work() == 0)

    def test_it_is_served_until_its_last_worker_has_ended(self, build: Build) -> None:
        (queue, runner), gate = build(10, 2), Gate()
        assert runner.is_served()  # soon
        runner.start(gate)
        queue.enqueue(1)
        until(lambda: gate.begun == [1])
        runner.stop()

        assert runner.is_served()
        gate.open()
        until(lambda: not runner.is_served())

    def test_what_never_started_can_be_stopped(self, build: Build) -> None:
        _queue, runner = build(10, 1)

        runner.stop()

        assert runner.join(0.0)
