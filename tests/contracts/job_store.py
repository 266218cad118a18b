"""The port `JobStore`: who may take, hold, settle and lose a row, told by its own answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from morningdeck.ports.engine import JobStore
from morningdeck.work import Job, Settlement, Stage
from tests.conftest import NOW
from tests.store.working import DONE, LATER, LEASE, ME, OTHER, due_at_once, started

ITEMS = Stage.PROCESSING
Waiting = Callable[[int], tuple[int, ...]]
"""Makes so many items that wait and are due, in the order of their turn."""


class JobStoreContract:
    """Give it the fixtures `store`, whose leases are `LEASE` long, and `waiting`."""

    def test_a_claim_takes_the_first_and_nothing_twice(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        items = waiting(5)

        assert store.claim(ITEMS, 3, ME, NOW) == items[:3]
        assert store.claim(ITEMS, 3, OTHER, NOW) == items[3:]
        assert store.claim(ITEMS, 3, ME, NOW) == ()

    def test_a_claim_may_have_a_lease_of_its_own_which_no_renewal_shortens(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        (item,) = waiting(1)
        assert store.claim(ITEMS, 1, ME, NOW, 3 * LEASE) == (item,)
        assert store.renew(ITEMS, {item: None}, ME, NOW) == {item}

        assert store.recover(ITEMS, NOW + 2 * LEASE, due_at_once) == 0
        assert store.recover(ITEMS, NOW + 4 * LEASE, due_at_once) == 1

    def test_what_all_processes_hold_is_counted_up_to_a_cap(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        waiting(5)
        store.claim(ITEMS, 2, ME, NOW)
        (started_one, _other) = store.claim(ITEMS, 2, OTHER, NOW)
        assert store.start(ITEMS, started_one, OTHER, NOW)

        assert (store.queued(ITEMS, 9), store.in_work(ITEMS, 9)) == (3, 4)
        assert (store.queued(ITEMS, 2), store.in_work(ITEMS, 2)) == (2, 2)

    def test_no_two_of_eight_threads_ever_claim_the_same_row(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        items, together = waiting(200), threading.Barrier(8)

        def claim_all(number: int) -> list[int]:
            mine: list[int] = []
            together.wait()
            while taken := store.claim(ITEMS, 7, f"node/{number}:x", NOW):
                assert len(taken) <= 7
                mine += taken
            return mine

        with ThreadPoolExecutor(8) as threads:
            taken = [item for mine in threads.map(claim_all, range(8)) for item in mine]
        taken += store.claim(ITEMS, 200, ME, NOW)  # what SKIP LOCKED may have left

        assert sorted(taken) == list(items)

    def test_only_a_claim_can_be_started_and_only_once(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        (item,) = waiting(1)
        assert store.start(ITEMS, item, ME, NOW) is None
        assert store.claim_one(ITEMS, item, ME, NOW)
        assert not store.claim_one(ITEMS, item, OTHER, NOW)

        assert store.start(ITEMS, item, ME, NOW) == Job(ITEMS, item, attempt=1)
        assert store.start(ITEMS, item, ME, NOW) is None

    def test_a_job_is_settled_once_and_by_who_began_it(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        job = started(store, waiting(1)[0])

        assert not store.settle(job, OTHER, DONE, NOW)
        assert store.settle(job, ME, DONE, NOW)
        assert not store.settle(job, ME, DONE, NOW)
        assert store.claim(ITEMS, 1, ME, LATER) == ()

    def test_a_late_worker_is_refused_under_the_next_fence(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        (item,) = waiting(1)
        late = started(store, item)
        assert store.recover(ITEMS, LATER, due_at_once) == 1
        assert not store.settle(late, ME, DONE, LATER)

        current = started(store, item)

        assert current.attempt > late.attempt
        assert not store.settle(late, ME, DONE, LATER)
        assert store.settle(current, ME, DONE, LATER)

    def test_what_is_due_later_is_claimed_later(self, store: JobStore, waiting: Waiting) -> None:
        job = started(store, waiting(1)[0])
        assert store.settle(job, ME, Settlement("NEW", LATER, 1, 0, "busy"), NOW)

        assert store.next_due_at(ITEMS, NOW) == LATER
        assert (store.waiting(ITEMS, NOW, 9), store.waiting(ITEMS, LATER, 9)) == (0, 1)
        assert store.claim(ITEMS, 1, ME, NOW) == ()
        assert store.claim(ITEMS, 1, ME, LATER) == (job.id,)

    def test_only_ones_own_claims_that_wait_are_given_back(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        mine, running, others = waiting(3)
        assert store.claim_one(ITEMS, mine, ME, NOW)
        started(store, running)
        assert store.claim_one(ITEMS, others, OTHER, NOW)

        assert store.release(ITEMS, (mine, running, others), ME, NOW) == 1

        assert store.claim(ITEMS, 9, ME, NOW) == (mine,)

    def test_what_a_process_lets_go_waits_again(self, store: JobStore, waiting: Waiting) -> None:
        running, queued, others = waiting(3)
        job = started(store, running)
        assert store.claim_one(ITEMS, queued, ME, NOW)
        started(store, others, OTHER)

        assert store.let_go(ITEMS, ME, NOW) == 2

        assert not store.settle(job, ME, DONE, NOW)
        assert store.claim(ITEMS, 9, ME, NOW) == (running, queued)

    def test_a_lease_is_renewed_only_for_ones_own_and_under_its_fence(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        mine, queued, others = waiting(3)
        job = started(store, mine)
        assert store.claim_one(ITEMS, queued, ME, NOW)
        started(store, others, OTHER)

        held = {mine: job.attempt, queued: None, others: 1}
        assert store.renew(ITEMS, held, ME, LATER) == {mine, queued}
        assert store.renew(ITEMS, {mine: job.attempt + 1}, ME, LATER) == frozenset()

    def test_only_what_ran_out_of_its_lease_is_recovered(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        lapsed, renewed = waiting(2)
        job = started(store, renewed)
        started(store, lapsed)

        assert store.recover(ITEMS, NOW + LEASE, due_at_once) == 0
        assert store.renew(ITEMS, {renewed: job.attempt}, ME, LATER) == {renewed}
        assert store.recover(ITEMS, LATER, due_at_once) == 1
        assert store.settle(job, ME, DONE, LATER)

    def test_a_node_takes_back_what_its_earlier_incarnations_held(
        self, store: JobStore, waiting: Waiting
    ) -> None:
        owners = ("host/1:old", "host/1:new", "host/10:old", "host/2:old")
        for item, owner in zip(waiting(4), owners, strict=True):
            started(store, item, owner)

        assert store.recover(ITEMS, NOW, due_at_once, node="host/1", owner="host/1:new") == 1
