"""Takes one id from start to settlement, whatever happens in between, the same for every stage.

It knows rows only through `JobStore` and work only as a function. What a gone worker held is
given back after its lease, or at once when it is known dead.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from morningdeck.engine.leases import Holder
from morningdeck.engine.threads import is_for_the_process
from morningdeck.errors import DatabaseAwayError, MorningDeckError, TransientError
from morningdeck.logs import log
from morningdeck.model.hours import Ending
from morningdeck.ports.engine import LossRule, Verb
from morningdeck.work import (
    Ended,
    Failed,
    Job,
    Lost,
    Outcome,
    Postponed,
    Rest,
    RetryPolicy,
    Settlement,
    Stage,
    decide,
)

SETTLE_PATIENCE_SECONDS = 60.0
"""How long a finished job waits for a database that is away before its lease must save it."""

AWAY_WAIT = timedelta(seconds=5)
"""How long work waits that met a database which was away: it is not to blame."""

UNKNOWN_REST = timedelta(days=1)
"""How long recurring work rests when nobody can tell, as without its timezone."""

T = TypeVar("T")
OnEnd = Callable[[Stage, Ending, float, datetime], None]
"""Hears how a job ended, how many seconds it took, and when that was."""


def _unheard(stage: Stage, ending: Ending, seconds: float, now: datetime) -> None: ...


@dataclass(frozen=True, slots=True)
class StageRules:
    """What makes one stage differ from another."""

    stage: Stage
    verb: Verb
    policy: RetryPolicy
    rest: Rest | None = None
    wakes: tuple[str, ...] = ()
    """Loops that may have something to do after any of its jobs."""
    on_end: OnEnd = _unheard


class Worker:
    """Runs one id at a time on whatever thread calls it; safe from many at once."""

    def __init__(self, rules: StageRules, holder: Holder) -> None:
        self.stage = rules.stage
        self.outcomes: Counter[str] = Counter()
        self._counting = threading.Lock()
        self._rules = rules
        self._holder = holder
        self._clock = holder.clock
        self._leases = holder.leases
        self._log = log.bind(stage=rules.stage.value)

    def run(
        self, job_id: int, on_settled: Callable[[datetime | None], None] = lambda due_at: None
    ) -> None:
        """From start to settlement; then `on_settled` hears when the row is due again, if it is."""
        job = self._begin(job_id)
        if job is None:
            return
        try:
            began = time.monotonic()
            outcome = self._perform(job)
            stored = self._settle(job, outcome)
            self._tell(job, outcome, stored, began)
        finally:
            self._leases.drop(self.stage, job.id, job.attempt)
        on_settled(stored.due_at if stored else None)

    def _begin(self, job_id: int) -> Job | None:
        job, asked = None, 0.0
        try:
            job, asked = self._persist(lambda: self._start(job_id))
        except TransientError as error:
            self._log.warning("start_failed", id=job_id, error=str(error))
        finally:
            if job is None:  # whatever came in between: a claim that is kept never comes back
                self._leases.drop(self.stage, job_id)
            else:
                self._leases.started(job, asked)
        return job

    def _start(self, job_id: int) -> tuple[Job | None, float]:
        asked = time.monotonic()
        mine = self._holder
        return mine.jobs.start(self.stage, job_id, mine.owner, self._clock()), asked

    def _tell(self, job: Job, outcome: Outcome, stored: Settlement | None, began: float) -> None:
        put_off = stored and isinstance(outcome, Postponed) and outcome.result is None
        status = "refused" if stored is None else stored.status
        seconds = time.monotonic() - began
        with self._counting:
            self.outcomes[status] += 1
        self._rules.on_end(self.stage, ending_of(outcome, stored), seconds, self._clock())
        log_it = self._log.debug if put_off else self._log.info
        log_it(
            "job_put_off" if put_off else "job_finished",
            id=job.id,
            attempt=job.attempt,
            duration_ms=round(seconds * 1000),
            status=status,
            **({"error": stored.error} if stored and stored.error else {}),
        )
        for loop in (*stored.wake, *self._rules.wakes) if stored else ():
            self._holder.wake(loop)

    def lost(self, now: datetime) -> LossRule:
        """What becomes, as of `now`, of a job whose worker is gone."""
        return lambda job: self._decide(job, Lost(), now)

    def _decide(self, job: Job, outcome: Outcome, now: datetime) -> Settlement:
        return decide(
            job,
            outcome,
            policy=self._rules.policy,
            now=now,
            chance=random.random(),
            rest=self._rules.rest and self._rest,
        )

    def _rest(self, job: Job) -> datetime:
        """A row that cannot be planned ends its job all the same; its own run says why."""
        assert self._rules.rest is not None
        try:
            return self._rules.rest(job)
        except TransientError:
            raise
        except Exception as error:
            self._log.warning("rest_unknown", id=job.id, error=str(error))
            return self._clock() + UNKNOWN_REST

    def _perform(self, job: Job) -> Outcome:
        try:
            return self._rules.verb(job)
        except DatabaseAwayError as error:
            return Postponed(self._clock() + AWAY_WAIT, str(error))
        except TransientError as error:
            after = None if error.after is None else self._clock() + timedelta(seconds=error.after)
            return Failed(str(error), not_before=after)
        except MorningDeckError as error:
            return Failed(str(error), permanent=True)
        except BaseException as error:
            if is_for_the_process(error):
                raise
            self._log.exception("verb_bug", id=job.id)
            return Failed(f"unexpected {type(error).__name__}, see the log")

    def _settle(self, job: Job, outcome: Outcome) -> Settlement | None:
        """What was stored; None when the row is no longer ours or the database stays away."""
        mine = self._holder

        def attempt() -> Settlement | None:
            now = self._clock()
            settlement = self._decide(job, outcome, now)
            return settlement if mine.jobs.settle(job, mine.owner, settlement, now) else None

        try:
            return self._persist(attempt)
        except TransientError as error:
            self._log.warning("settle_failed", id=job.id, error=str(error))
            return None
        except BaseException as error:
            given_up = isinstance(outcome, Failed) and outcome.result is None
            if given_up or is_for_the_process(error):
                raise
            self._log.exception("result_not_stored", id=job.id)
            reason = f"its result could not be stored: {type(error).__name__}, see the log"
            return self._settle(job, Failed(reason))

    def _persist(self, attempt: Callable[[], T]) -> T:
        """Repeat a short transaction while the database is away; the fence makes that safe,
        also when a lease has run out meanwhile.
        """
        patience = time.monotonic() + SETTLE_PATIENCE_SECONDS
        pause = 0.05
        while True:
            try:
                return attempt()
            except TransientError:
                if time.monotonic() > patience:
                    raise
            time.sleep(pause * (1 + random.random()))
            pause = min(pause * 2, 2.0)


def ending_of(outcome: Outcome, stored: Settlement | None) -> Ending:
    if stored is None:
        return Ending.REFUSED
    match outcome:
        case Postponed():
            return Ending.PUT_OFF
        case Ended():
            return Ending.ENDED
    if stored.exhausted:
        return Ending.GIVEN_UP
    return Ending.WORKED if stored.worked else Ending.FAILED


# ---- when a worker is gone

Workers = Mapping[Stage, Worker]
"""They know what becomes of a job whose worker is gone."""
Wake = Callable[[str], None]


def recover(holder: Holder, workers: Workers, wake: Wake, node: str | None = None) -> int:
    """Give back the rows whose leases have run out, or at once what dead incarnations of this
    node held; returns how many.
    """
    total = 0
    for stage, worker in workers.items():
        try:
            now = holder.clock()
            rule = worker.lost(now)
            rescued = holder.jobs.recover(stage, now, rule, node=node, owner=holder.owner)
        except TransientError as error:
            log.warning("recovery_waits", stage=stage.value, error=str(error))
            break
        except Exception:
            log.exception("recovery_bug", stage=stage.value)
            continue
        if rescued:
            event = "own_work_taken_back" if node else "lost_work_recovered"
            log.warning(event, stage=stage.value, count=rescued)
            wake(stage.value)
        total += rescued
    return total
