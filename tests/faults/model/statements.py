"""What one SQL statement makes of one row: the database's side of the protocol.

Each function answers for one method of `SqlJobStore`. None is "0 rows": the WHERE did
not match. What an outcome means is not modelled but decided by the real `work.decide`.
"""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache

from morningdeck.work import Done, Failed, Job, Lost, Outcome, Postponed, RetryPolicy, Stage, decide
from tests.conftest import NOW
from tests.faults.model.designs import Design
from tests.faults.model.state import (
    CLAIMED,
    DONE,
    LEASE,
    NOBODY,
    NOTHING,
    OLD,
    QUEUED,
    RUNNING,
    WAITING,
    Row,
    Worker,
)

POLICY = RetryPolicy((timedelta(0),), jitter=0.0)
OUTCOMES: dict[str, Outcome] = {
    "settle": Done(),
    "fail": Failed("it did not work"),
    "postpone": Postponed(NOW, "its lease was lost"),
}


def claim(row: Row, owner: int) -> Row | None:
    if row.status != WAITING:
        return None
    return row._replace(status=QUEUED, owner=owner, lease=LEASE, age=0)


def start(row: Row, owner: int, fresh: int) -> Row | None:
    """`fresh` is what is left of the lease: its end was computed when the worker asked."""
    if row.status != QUEUED:
        return None
    return row._replace(
        status=RUNNING, owner=owner, lease=fresh, fence=row.fence + 1, run=row.run + 1, age=0
    )


def finish(row: Row, owner: int, worker: Worker, what: str, design: Design) -> Row | None:
    """`SqlJobStore.settle`, by whoever the design lets settle."""
    demands = design.settles_under
    if (
        ("status" in demands and row.status != RUNNING)
        or ("fence" in demands and row.fence != worker.fence)
        or ("owner" in demands and row.owner != owner)
    ):
        return None
    ended = _settled(row, OUTCOMES[what])._replace(ended=worker.run)
    if what == "settle" and not design.fence_grows_for_ever:
        return ended._replace(fence=0)
    return ended


def release(row: Row, owner: int) -> Row | None:
    return _freed(row) if row.status == QUEUED and row.owner == owner else None


def renew(row: Row, owner: int, seen: int, fresh: int, design: Design) -> tuple[Row, bool] | None:
    """The row, and whether it is proved to be held under the fence that the holder knows."""
    if seen == NOTHING or row.owner != owner or row.status not in (QUEUED, RUNNING):
        return None
    lease = max(row.lease, fresh) if design.renewal_never_shortens else fresh
    proved = row.status == RUNNING or design.renewal_proves == "latest"
    return row._replace(lease=lease), seen == CLAIMED or (seen == row.fence and proved)


def is_lost(row: Row, design: Design) -> bool:
    """Would a recovery take it?"""
    if row.status not in (QUEUED, RUNNING):
        return False
    return row.age >= OLD if design.recovers_by == "age" else row.lease == 0


def give_back(row: Row, design: Design, *, unseen: bool = False) -> Row:
    """What recovery makes of a lost row; `unseen`: without looking at its status again."""
    if (row.status == RUNNING or unseen) and design.counts_losses:
        return _settled(row, Lost())
    return _freed(row)


def _freed(row: Row) -> Row:
    return row._replace(status=WAITING, owner=NOBODY, lease=0, age=0)


def _settled(row: Row, outcome: Outcome) -> Row:
    status, failures, losses = _decide(outcome, row.failures, row.losses)
    rounds = row.rounds - (status == DONE)
    if status == DONE and rounds > 0:
        status = WAITING  # recurring work is due again
    return _freed(row)._replace(status=status, failures=failures, losses=losses, rounds=rounds)


@lru_cache
def _decide(outcome: Outcome, failures: int, losses: int) -> tuple[str, int, int]:
    job = Job(Stage.PROCESSING, 1, 1, failures, losses)
    ending = decide(job, outcome, policy=POLICY, now=NOW, chance=0.0)
    return ending.status, ending.failures, ending.losses
