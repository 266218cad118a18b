"""What every job queue promises; a new one runs this suite by giving it a `build` fixture."""

from __future__ import annotations

from collections.abc import Callable

from morningdeck.ports.engine import JobQueue

Build = Callable[[int], JobQueue]
"""A queue of this capacity, which nobody serves."""


class JobQueueContract:
    lets_go = True
    """Of what is in it, when that is taken back."""

    def test_it_knows_its_own_size(self, build: Build) -> None:
        queue = build(7)

        assert (queue.capacity, queue.size()) == (7, 0)
        assert queue.can_accept()

    def test_a_full_queue_refuses_at_once_and_keeps_what_it_has(self, build: Build) -> None:
        queue = build(2)

        assert [queue.enqueue(job_id) for job_id in (1, 2, 3)] == [True, True, False]
        assert not queue.can_accept()
        assert queue.size() == 2
        assert queue.withdraw() == ((1, 2) if self.lets_go else ())

    def test_of_many_it_takes_the_first_for_which_there_is_room(self, build: Build) -> None:
        queue = build(3)

        assert queue.enqueue_all(()) == 0
        assert queue.enqueue_all((1, 2)) == 2
        assert queue.enqueue_all((3, 4)) == 1
        assert queue.enqueue_all((5,)) == 0

        assert queue.withdraw() == ((1, 2, 3) if self.lets_go else ())

    def test_what_is_taken_back_leaves_room_for_more(self, build: Build) -> None:
        queue = build(1)
        queue.enqueue(1)
        taken_back = (1,) if self.lets_go else ()

        assert queue.withdraw() == taken_back

        assert queue.withdraw() == ()
        assert queue.size() == 1 - len(taken_back)
        assert queue.enqueue(2) == self.lets_go
