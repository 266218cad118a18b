"""A policy, a rest and a moment, with which the tests of the state machine settle jobs."""

from __future__ import annotations

from datetime import timedelta

from morningdeck.work import LIFECYCLES, Job, Outcome, RetryPolicy, Settlement, Stage, decide
from tests.conftest import NOW

MINUTE = timedelta(minutes=1)
POLICY = RetryPolicy((1 * MINUTE, 5 * MINUTE, 15 * MINUTE))
RESTED = NOW + timedelta(hours=4)
RECURRING = [stage for stage in Stage if LIFECYCLES[stage].recurs]
MORTAL = [stage for stage in Stage if not LIFECYCLES[stage].recurs]


def settled(
    job: Job, outcome: Outcome, policy: RetryPolicy = POLICY, chance: float = 0.0
) -> Settlement:
    return decide(job, outcome, policy=policy, now=NOW, chance=chance, rest=lambda job: RESTED)
