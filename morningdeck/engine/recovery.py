"""Giving back what a gone worker held: after its lease, or at once when it is known dead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from morningdeck import logs
from morningdeck.errors import TransientError
from morningdeck.ports import Clock, JobStore, LossRule
from morningdeck.work import Stage

LossRules = Mapping[Stage, Callable[[datetime], LossRule]]
"""By stage: makes the rule for jobs whose workers are gone, as of a moment."""
Wake = Callable[[str], None]

log = logs.get(__name__)


def recover(jobs: JobStore, rules: LossRules, clock: Clock, wake: Wake) -> int:
    """Give back the rows whose leases have run out; returns how many."""
    return _each(
        "lost_work_recovered",
        rules,
        clock,
        wake,
        lambda stage, now: jobs.recover(stage, now, rules[stage](now)),
    )


def recover_node(
    jobs: JobStore, rules: LossRules, clock: Clock, wake: Wake, *, node: str, owner: str
) -> int:
    """Give back at once what earlier incarnations of this node held: all but `owner` are dead."""
    return _each(
        "own_work_taken_back",
        rules,
        clock,
        wake,
        lambda stage, now: jobs.recover_node(stage, node, owner, now, rules[stage](now)),
    )


def _each(
    event: str,
    rules: LossRules,
    clock: Clock,
    wake: Wake,
    rescue: Callable[[Stage, datetime], int],
) -> int:
    total = 0
    for stage in rules:
        try:
            rescued = rescue(stage, clock())
        except TransientError as error:
            log.warning("recovery_waits", stage=stage.value, error=str(error))
            break
        except Exception:
            log.exception("recovery_bug", stage=stage.value)
            continue
        if rescued:
            log.warning(event, stage=stage.value, count=rescued)
            wake(stage.value)
        total += rescued
    return total
