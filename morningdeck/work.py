"""The state machine of every piece of work, as pure code.

A row waits, is queued by a claim, runs once a worker starts it, and is settled:

    waiting --claim--> queued --start--> running --settle--> done, dead, or waiting again
       ^                  |                 |
       +---- release -----+------ loss -----+

`attempts` only grows and is the fence: only the holder of the current number may
settle. `failures` and `losses` count in a row and are reset by success alone: a job that
was put off or failed in between is no less likely to kill its worker. Nothing here knows
of news, databases or threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

INDEXING = "indexing"
"""The loop that tells the search index of changed items; it is woken as stages are."""
PINGING = "pinging"
REFINING = "refining"
"""The loop that scores anew what was read lately."""
ALERTING = "alerting"
"""The loop that has saved searches look at what is new."""
THEMING = "theming"
"""The loop that finds what each reader's news turns around."""
ANY = ""
"""Wakes every loop, in place of one's name."""

LARGEST_ID = 2**63 - 1
"""Neither database has more room for one."""
LOSSES_ALLOWED = 3
"""The third lost claim in a row ends like a last retry."""

APART = timedelta(minutes=1)
"""After a second loss a row comes back at a random time within this, so that it does not take
the same neighbours along.
"""


class Stage(StrEnum):
    FETCH = "fetch"
    PROCESSING = "processing"
    BRIEFING = "briefing"
    DELIVERY = "delivery"


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The names that a stage's rows carry.

    `dead` is None where the work recurs for ever, `queued` where it starts without a queue.
    """

    waiting: str
    queued: str | None
    running: str
    done: str
    dead: str | None = None
    retry: str | None = None
    others: tuple[str, ...] = ()

    @property
    def statuses(self) -> tuple[str, ...]:
        """Every status once, in the order a row goes through them."""
        named = (self.waiting, self.retry, self.queued, self.running, self.done, self.dead)
        return tuple(dict.fromkeys(name for name in (*named, *self.others) if name))

    @property
    def startable(self) -> tuple[str, ...]:
        """The statuses from which a worker may start."""
        if self.queued is not None:
            return (self.queued,)
        return tuple(name for name in (self.waiting, self.retry) if name)

    @property
    def held(self) -> tuple[str, ...]:
        """The statuses in which some process holds the row under a lease."""
        return tuple(name for name in (self.queued, self.running) if name)

    @property
    def recurs(self) -> bool:
        return self.dead is None


LIFECYCLES = {
    Stage.FETCH: Lifecycle("IDLE", "QUEUED", "FETCHING", done="IDLE"),
    Stage.PROCESSING: Lifecycle(
        "NEW", "PENDING", "PROCESSING", done="DONE", dead="ERROR", others=("CANCELLED",)
    ),
    Stage.BRIEFING: Lifecycle("ACTIVE", "QUEUED", "PROCESSING", done="ACTIVE"),
    Stage.DELIVERY: Lifecycle(
        "PENDING",
        None,
        "SENDING",
        done="SENT",
        dead="REFUSED",
        retry="RETRY",
        others=("UNKNOWN",),
    ),
}


@dataclass(frozen=True, slots=True)
class Job:
    """One started piece of work; `attempt` is the fence its holder settles with."""

    stage: Stage
    id: int
    attempt: int
    failures: int = 0
    losses: int = 0
    subject: object = field(default=None, compare=False)
    """What it is about, where the statement that starts it says so: it saves a look-up."""


@dataclass(frozen=True, slots=True)
class Done:
    """It worked: `result` is stored with the settlement, then the loops in `wake` are woken.

    Recurring work says when it is due next.
    """

    result: object = None
    due_at: datetime | None = None
    wake: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Postponed:
    """Not now, and nobody's fault: waits until `due_at`, failures unchanged.

    What was found until then, the `result`, is stored all the same.
    """

    due_at: datetime
    reason: str = ""
    result: object = None
    wake: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """It did not work; tried again never before `not_before` and never after `give_up_at`."""

    reason: str
    permanent: bool = False
    not_before: datetime | None = None
    give_up_at: datetime | None = None
    result: object = None


@dataclass(frozen=True, slots=True)
class Ended:
    """It ended in one of the stage's other statuses, for a reason of its own."""

    status: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """Its worker is gone: the lease ran out, or the process died."""


Outcome = Done | Postponed | Failed | Ended | Lost


@dataclass(frozen=True, slots=True)
class Settlement:
    """What one row becomes: `exhausted` after its last retry, `worked` if it has succeeded."""

    status: str
    due_at: datetime | None
    failures: int
    losses: int
    error: str | None = None
    result: object = None
    wake: tuple[str, ...] = ()
    exhausted: bool = False
    worked: bool = False


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When a failed job is tried again."""

    delays: tuple[timedelta, ...]
    jitter: float = 0.1
    repeats_last: bool = False

    def delay(self, failures: int) -> timedelta | None:
        """The wait after the given failure in a row, None when there is no retry left."""
        if failures <= len(self.delays):
            return self.delays[failures - 1]
        return self.delays[-1] if self.repeats_last and self.delays else None


Rest = Callable[[Job], datetime]
"""When recurring work is due again although its last retry has failed too."""


def decide(
    job: Job,
    outcome: Outcome,
    *,
    policy: RetryPolicy,
    now: datetime,
    chance: float,
    rest: Rest | None = None,
) -> Settlement:
    """What the row becomes. `chance` in [0, 1) spreads retries so that they do not come at once."""
    states = LIFECYCLES[job.stage]
    match outcome:
        case Done(result, due_at, wake):
            return Settlement(states.done, due_at, 0, 0, result=result, wake=wake, worked=True)
        case Postponed(due_at, reason, result, wake):
            error = reason or None
            counts = job.failures, job.losses
            return Settlement(states.waiting, due_at, *counts, error, result, wake)
        case Ended(status, reason):
            return Settlement(status, None, job.failures, job.losses, error=reason)
        case Lost():
            return _after_loss(job, now, chance, rest)
        case Failed():
            return _after_failure(job, outcome, policy, now, chance, rest)


def _after_failure(
    job: Job,
    failed: Failed,
    policy: RetryPolicy,
    now: datetime,
    chance: float,
    rest: Rest | None,
) -> Settlement:
    tired = replace(job, failures=job.failures + 1)
    delay = None if failed.permanent else policy.delay(tired.failures)
    if delay is None:
        return _exhausted(tired, failed.reason, failed.result, rest, failed.not_before)
    due_at = now + delay * (1 + policy.jitter * chance)
    if failed.not_before is not None:
        due_at = max(due_at, failed.not_before)
    if failed.give_up_at is not None and due_at > failed.give_up_at:
        return _exhausted(tired, failed.reason, failed.result, rest, failed.not_before)
    states = LIFECYCLES[job.stage]
    return Settlement(
        states.retry or states.waiting,
        due_at,
        tired.failures,
        tired.losses,
        failed.reason,
        failed.result,
    )


def _after_loss(job: Job, now: datetime, chance: float, rest: Rest | None) -> Settlement:
    tired = replace(job, losses=job.losses + 1)
    if tired.losses >= LOSSES_ALLOWED:
        reason = f"its worker was lost {tired.losses} times in a row"
        ending = _exhausted(tired, reason, None, rest, None)
        # else one power cut after its rest would cost a briefing its next slot as well
        return replace(ending, losses=0) if LIFECYCLES[job.stage].recurs else ending
    due_at = now if tired.losses == 1 else now + APART * chance
    return Settlement(LIFECYCLES[job.stage].waiting, due_at, tired.failures, tired.losses)


def _exhausted(
    tired: Job, reason: str, result: object, rest: Rest | None, not_before: datetime | None
) -> Settlement:
    states = LIFECYCLES[tired.stage]
    ending = Settlement(
        states.waiting, None, tired.failures, tired.losses, reason, result, exhausted=True
    )
    if states.dead is not None:
        return replace(ending, status=states.dead)
    if rest is None:
        raise ValueError(
            f"{tired.stage} recurs: it needs to know when it is due after a last retry"
        )
    rested = rest(tired)
    return replace(ending, due_at=rested if not_before is None else max(rested, not_before))
