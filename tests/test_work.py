"""The state machine of every piece of work: what a row becomes, whatever happens to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from morningdeck.work import (
    APART,
    LIFECYCLES,
    Done,
    Ended,
    Failed,
    Job,
    Lost,
    Outcome,
    Postponed,
    RetryPolicy,
    Settlement,
    Stage,
    decide,
)
from tests.conftest import NOW
from tests.settling import MINUTE, POLICY, RESTED, settled

ENDLESS = RetryPolicy(POLICY.delays, repeats_last=True)


def item(*, failures: int = 0, losses: int = 0) -> Job:
    return Job(Stage.PROCESSING, id=1, attempt=4, failures=failures, losses=losses)


# ---- the rules, one by one


def test_success_ends_the_work_and_forgets_failures_and_losses() -> None:
    ending = settled(item(failures=2, losses=2), Done("result", wake=("indexing",)))

    assert ending == Settlement(
        "DONE", None, 0, 0, result="result", wake=("indexing",), worked=True
    )


def test_recurring_work_says_itself_when_it_is_due_again() -> None:
    source = Job(Stage.FETCH, id=1, attempt=1)

    assert settled(source, Done(due_at=RESTED)) == Settlement("IDLE", RESTED, 0, 0, worked=True)


@pytest.mark.parametrize(("failures", "minutes"), [(0, 1), (1, 5), (2, 15)])
def test_a_failure_is_tried_again_after_1_5_and_15_minutes(failures: int, minutes: int) -> None:
    ending = settled(item(failures=failures), Failed("timeout"))

    assert (ending.status, ending.failures) == ("NEW", failures + 1)
    assert ending.due_at == NOW + minutes * MINUTE
    assert ending.error == "timeout"


def test_the_fourth_failure_in_a_row_is_a_dead_letter() -> None:
    assert settled(item(failures=3), Failed("timeout")) == Settlement(
        "ERROR", None, 4, 0, "timeout", exhausted=True
    )


def test_a_permanent_failure_is_not_tried_again() -> None:
    ending = settled(item(), Failed("no such page", permanent=True))

    assert (ending.status, ending.failures, ending.exhausted) == ("ERROR", 1, True)


def test_a_retry_waits_as_long_as_the_other_side_asked_for() -> None:
    asked = NOW + timedelta(hours=2)

    assert settled(item(), Failed("429", not_before=asked)).due_at == asked


def test_retries_are_spread_by_up_to_a_tenth() -> None:
    ending = settled(item(), Failed("timeout"), chance=0.5)

    assert ending.due_at == NOW + 1.05 * MINUTE


def test_a_delivery_that_failed_waits_as_retry_and_its_last_step_repeats() -> None:
    ending = settled(Job(Stage.DELIVERY, 1, 9, failures=8), Failed("421"), ENDLESS)

    assert (ending.status, ending.due_at) == ("RETRY", NOW + 15 * MINUTE)


def test_a_retry_that_would_come_too_late_to_matter_is_not_made() -> None:
    failed = Failed("421", give_up_at=NOW + 10 * MINUTE)

    assert settled(Job(Stage.DELIVERY, 1, 1, failures=1), failed, ENDLESS).status == "RETRY"
    assert settled(Job(Stage.DELIVERY, 1, 2, failures=2), failed, ENDLESS).status == "REFUSED"


def test_recurring_work_that_gave_up_still_rests_as_long_as_it_was_asked_to() -> None:
    asked = NOW + timedelta(hours=9)
    source = Job(Stage.FETCH, 1, 1)

    assert settled(source, Failed("429", not_before=asked, give_up_at=NOW)).due_at == asked
    assert settled(source, Failed("410", permanent=True, not_before=asked)).due_at == asked


def test_postponed_work_waits_without_blame() -> None:
    ending = settled(item(failures=2, losses=1), Postponed(RESTED, "held"))

    assert ending == Settlement("NEW", RESTED, 2, 1, error="held")


@pytest.mark.parametrize(
    "outcome",
    [Postponed(RESTED), Failed("x"), Failed("x", permanent=True), Ended("CANCELLED")],
)
def test_only_success_forgets_that_a_worker_was_lost(outcome: Outcome) -> None:
    for stage in Stage:
        assert settled(Job(stage, 1, 9, losses=2), outcome).losses == 2


def test_a_job_that_kills_its_worker_rests_however_often_it_was_put_off_between() -> None:
    source, exhausted = Job(Stage.FETCH, 1, 1), []
    for outcome in (Lost(), Postponed(NOW)) * 3:
        ending = settled(source, outcome)
        source = replace(source, losses=ending.losses)
        exhausted.append(ending.exhausted)

    assert exhausted == [False, False, False, False, True, False]


def test_after_a_rest_for_its_losses_recurring_work_has_all_its_chances_again() -> None:
    ending = settled(Job(Stage.BRIEFING, 1, 9, losses=2), Lost())

    assert (ending.due_at, ending.losses) == (RESTED, 0)
    assert settled(Job(Stage.BRIEFING, 1, 10, losses=ending.losses), Lost()).due_at == NOW


def test_work_may_end_in_a_status_of_its_own() -> None:
    ending = settled(item(), Ended("CANCELLED", "nobody reads it"))

    assert (ending.status, ending.due_at, ending.error) == ("CANCELLED", None, "nobody reads it")


def test_a_lost_job_is_due_at_once_and_counts_the_loss() -> None:
    assert settled(item(failures=2), Lost(), chance=0.9) == Settlement("NEW", NOW, 2, 1)


def test_a_job_lost_twice_comes_back_at_a_moment_of_its_own() -> None:
    ending = settled(item(failures=2, losses=1), Lost(), chance=0.5)

    assert ending == Settlement("NEW", NOW + APART / 2, 2, 2)


def test_the_third_loss_in_a_row_ends_like_a_last_retry() -> None:
    ending = settled(item(losses=2), Lost())

    assert (ending.status, ending.exhausted) == ("ERROR", True)
    assert ending.error == "its worker was lost 3 times in a row"


def test_recurring_work_rests_after_its_last_retry_and_is_never_given_up() -> None:
    for tired in (Failed("timeout"), Failed("404", permanent=True)):
        ending = settled(Job(Stage.FETCH, 1, 9, failures=3), tired)
        assert (ending.status, ending.due_at, ending.exhausted) == ("IDLE", RESTED, True)
    ending = settled(Job(Stage.FETCH, 1, 9, losses=2), Lost())
    assert (ending.status, ending.due_at, ending.losses) == ("IDLE", RESTED, 0)


def test_how_long_recurring_work_rests_depends_on_all_its_failures() -> None:
    def doubling(job: Job) -> datetime:
        return NOW + job.failures * MINUTE

    ending = decide(
        Job(Stage.FETCH, 1, 9, failures=6),
        Failed("timeout"),
        policy=POLICY,
        now=NOW,
        chance=0.0,
        rest=doubling,
    )

    assert ending.due_at == NOW + 7 * MINUTE


def test_recurring_work_without_a_rest_is_a_mistake_that_says_so() -> None:
    with pytest.raises(ValueError, match="fetch recurs: it needs to know when it is due"):
        decide(Job(Stage.FETCH, 1, 1, 3), Failed("x"), policy=POLICY, now=NOW, chance=0.0)


def test_a_lifecycle_names_each_status_once_in_the_order_of_a_row() -> None:
    assert LIFECYCLES[Stage.FETCH].statuses == ("IDLE", "QUEUED", "FETCHING")
    in_order = ("NEW", "PENDING", "PROCESSING", "DONE", "ERROR", "CANCELLED")
    assert LIFECYCLES[Stage.PROCESSING].statuses == in_order
    assert LIFECYCLES[Stage.DELIVERY].startable == ("PENDING", "RETRY")
    assert LIFECYCLES[Stage.DELIVERY].held == ("SENDING",)
