"""What the engine needs: a queue, workers behind it, the rows of jobs, signals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from morningdeck.work import Job, Outcome, Settlement, Stage

Clock = Callable[[], datetime]
"""The time now, aware UTC."""


class JobQueue(Protocol):
    """Where a feeder puts what it has claimed: a bounded queue of ids, never the truth."""

    @property
    def capacity(self) -> int: ...

    def enqueue(self, job_id: int) -> bool:
        """Take the id, or return False at once: never blocks."""

    def enqueue_all(self, ids: Sequence[int]) -> int:
        """Take as many as there is room for, in their order; returns how many."""

    def can_accept(self) -> bool: ...

    def size(self) -> int:
        """How many ids wait in the queue."""

    def withdraw(self) -> tuple[int, ...]:
        """Take back the ids that no worker has taken, as far as the queue lets go of them."""


class Runner(Protocol):
    """The workers behind a queue, in this process."""

    @property
    def workers(self) -> int: ...

    def start(self, run: Callable[[int], None], freed: Callable[[], None] = lambda: None) -> None:
        """Every id of the queue goes through `run` on a worker, which then is `freed`."""

    def in_work(self) -> int:
        """How many ids workers hold right now."""

    def is_served(self) -> bool:
        """Is any worker there for what waits? Before the start, yes: they are to come."""

    def stop(self) -> None:
        """Begin nothing more."""

    def join(self, timeout: float) -> bool:
        """Wait for running work after `stop`; False when some is still running."""


class JobStore(Protocol):
    """The rows behind the queues. Every method is one short transaction of its own."""

    def claim(
        self, stage: Stage, limit: int, owner: str, now: datetime, lease: timedelta | None = None
    ) -> tuple[int, ...]:
        """Take up to `limit` due rows, fairest first; no two callers ever get the same one."""

    def due(self, stage: Stage, limit: int, now: datetime) -> tuple[int, ...]:
        """Up to `limit` due rows of a stage without a queue, fairest first; none is taken."""

    def claim_one(self, stage: Stage, job_id: int, owner: str, now: datetime) -> bool:
        """Take this very row if it waits, due or not."""

    def start(self, stage: Stage, job_id: int, owner: str, now: datetime) -> Job | None:
        """Begin a queued row and grow its fence; None when the claim is no longer there."""

    def settle(self, job: Job, owner: str, settlement: Settlement, now: datetime) -> bool:
        """Store the result and the new status together; False when the fence has moved on."""

    def release(self, stage: Stage, ids: Collection[int], owner: str, now: datetime) -> int:
        """Give queued claims back, as if never taken."""

    def let_go(self, stage: Stage, owner: str, now: datetime) -> int:
        """Give everything back, running too, without blame: its process is about to end."""

    def renew(
        self, stage: Stage, fences: Mapping[int, int | None], owner: str, now: datetime
    ) -> frozenset[int]:
        """Prolong the leases of these rows, each under its fence; returns those still held."""

    def recover(
        self,
        stage: Stage,
        now: datetime,
        settle: LossRule,
        *,
        node: str | None = None,
        owner: str = "",
    ) -> int:
        """Give back the rows whose leases have run out, or at once those that incarnations of this
        node before `owner` held; returns how many wait again.
        """

    def waiting(self, stage: Stage, now: datetime, cap: int) -> int:
        """How many rows are due and wait, counted up to `cap`."""

    def queued(self, stage: Stage, cap: int) -> int:
        """How many claims, of all processes, no worker has begun, counted up to `cap`."""

    def in_work(self, stage: Stage, cap: int) -> int:
        """How many rows any process holds, queued or running, counted up to `cap`."""

    def next_due_at(self, stage: Stage, now: datetime) -> datetime | None:
        """When the next row that waits becomes due (`now` if one already is)."""


class Signals(Protocol):
    """How processes on one database tell each other of work; a signal may be lost."""

    def send(self, loop: str) -> None:
        """Neither waits for anybody nor fails."""

    def listen(self, heard: Callable[[str], None]) -> None:
        """Have the names of loops from now on, an empty one where it may be any."""

    def only_send(self) -> None:
        """As one that listens does it, but hear nothing: nobody here has to be woken."""


LossRule = Callable[[Job], Settlement]
"""What a row whose worker is gone becomes."""

Verb = Callable[[Job], Outcome]
"""A stage's work: a plain function that `app` binds to its ports."""
