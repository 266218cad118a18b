"""The state machine of every piece of work: what a row becomes, whatever happens to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from morningdeck.work import (
    APART,
    LIFECYCLES,
    LOSSES_ALLOWED,
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
    settle,
)
from tests.conftest import NOW

MINUTE = timedelta(minutes=1)
POLICY = RetryPolicy((1 * MINUTE, 5 * MINUTE, 15 * MINUTE))
RESTED = NOW + timedelta(hours=4)
RECURRING = [stage for stage in Stage if LIFECYCLES[stage].recurs]
MORTAL = [stage for stage in Stage if not LIFECYCLES[stage].recurs]
ENDLESS = RetryPolicy(POLICY.delays, repeats_last=True)


def item(*, failures: int = 0, losses: int = 0) -> Job:
    return Job(Stage.PROCESSING, id=1, attempt=4, failures=failures, losses=losses)


def settled(
    job: Job, outcome: Outcome, policy: RetryPolicy = POLICY, chance: float = 0.0
) -> Settlement:
    return settle(job, outcome, policy=policy, now=NOW, chance=chance, rest=lambda job: RESTED)


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

    assert ending == Settlement("NEW", RESTED, 2, 0, error="held")


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

    ending = settle(
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
        settle(Job(Stage.FETCH, 1, 1, 3), Failed("x"), policy=POLICY, now=NOW, chance=0.0)


def test_a_lifecycle_names_each_status_once_in_the_order_of_a_row() -> None:
    assert LIFECYCLES[Stage.FETCH].statuses == ("IDLE", "QUEUED", "FETCHING")
    in_order = ("NEW", "PENDING", "PROCESSING", "DONE", "ERROR", "CANCELLED")
    assert LIFECYCLES[Stage.PROCESSING].statuses == in_order
    assert LIFECYCLES[Stage.DELIVERY].startable == ("PENDING", "RETRY")
    assert LIFECYCLES[Stage.DELIVERY].held == ("SENDING",)


# ---- what holds for every job, outcome and policy

moments = st.integers(-20_000, 20_000).map(lambda seconds: NOW + timedelta(seconds=seconds))
failed = st.builds(
    Failed,
    st.text(max_size=5),
    permanent=st.booleans(),
    not_before=st.none() | moments,
    give_up_at=st.none() | moments,
)
outcomes: st.SearchStrategy[Outcome] = st.one_of(
    st.builds(Done, due_at=st.none() | moments),
    st.builds(Postponed, moments, st.text(max_size=5)),
    failed,
    st.just(Lost()),
)
policies = st.builds(
    RetryPolicy,
    st.lists(st.integers(0, 3600).map(lambda s: timedelta(seconds=s)), max_size=5).map(tuple),
    jitter=st.floats(0, 1),
    repeats_last=st.booleans(),
)
chances = st.floats(0, 1, exclude_max=True)


def jobs(stages: list[Stage]) -> st.SearchStrategy[Job]:
    counts = st.integers(0, 9)
    losses = st.integers(0, LOSSES_ALLOWED - 1)
    return st.builds(
        Job,
        st.sampled_from(stages),
        st.integers(1, 9),
        st.integers(1, 99),
        failures=counts,
        losses=losses,
    )


@given(jobs(list(Stage)), outcomes, policies, chances)
def test_every_settlement_is_one_that_its_stage_knows_and_that_cannot_get_stuck(
    job: Job, outcome: Outcome, policy: RetryPolicy, chance: float
) -> None:
    states = LIFECYCLES[job.stage]
    ending = settled(job, outcome, policy, chance)

    assert ending.status in states.statuses
    assert ending.status not in states.held
    assert ending.failures >= 0
    assert ending.losses >= 0
    if ending.status in (states.waiting, states.retry) and not isinstance(outcome, Done):
        assert ending.due_at is not None


@given(jobs(list(Stage)), policies, chances)
def test_only_success_resets_the_failures_and_only_a_failure_adds_one(
    job: Job, policy: RetryPolicy, chance: float
) -> None:
    assert settled(job, Done(), policy, chance).failures == 0
    assert settled(job, Done(), policy, chance).losses == 0
    assert settled(job, Failed("x"), policy, chance).failures == job.failures + 1
    for blameless in (Postponed(NOW), Lost()):
        assert settled(job, blameless, policy, chance).failures == job.failures


@given(jobs(list(Stage)), failed, policies, chances)
def test_nothing_is_tried_again_sooner_than_planned_or_asked(
    job: Job, outcome: Failed, policy: RetryPolicy, chance: float
) -> None:
    ending = settled(job, outcome, policy, chance)

    if ending.due_at is None:
        assert ending.exhausted
        return
    if outcome.not_before is not None:
        assert ending.due_at >= outcome.not_before
    if not ending.exhausted:
        delay = policy.delay(job.failures + 1)
        assert delay is not None
        assert ending.due_at >= NOW + delay
        latest = max(NOW + delay * (1 + policy.jitter), outcome.not_before or NOW)
        assert ending.due_at <= latest
        assert outcome.give_up_at is None or ending.due_at <= outcome.give_up_at


@given(jobs(RECURRING), outcomes, policies, chances)
def test_recurring_work_never_dies(
    job: Job, outcome: Outcome, policy: RetryPolicy, chance: float
) -> None:
    assert settled(job, outcome, policy, chance).status == LIFECYCLES[job.stage].waiting


@given(st.sampled_from(list(Stage)), st.integers(0, 5), chances)
def test_the_last_retry_is_the_one_after_all_delays(
    stage: Stage, retries: int, chance: float
) -> None:
    policy = RetryPolicy((MINUTE,) * retries)
    job, endings = Job(stage, 1, 1), []
    for _ in range(retries + 1):
        endings.append(settled(job, Failed("x"), policy, chance))
        job = replace(job, failures=endings[-1].failures)

    assert [ending.exhausted for ending in endings] == [False] * retries + [True]


@given(jobs(MORTAL), policies, chances)
def test_the_third_loss_ends_exactly_like_the_last_retry(
    job: Job, policy: RetryPolicy, chance: float
) -> None:
    last_loss = settled(replace(job, losses=LOSSES_ALLOWED - 1), Lost(), policy, chance)
    last_retry = settled(job, Failed("x", permanent=True), policy, chance)

    assert last_loss.exhausted
    assert last_retry.exhausted
    assert (last_loss.status, last_loss.due_at) == (last_retry.status, last_retry.due_at)


class LifeOfARow(RuleBasedStateMachine):
    """A row that all of this happens to, in any order, beside a count kept by hand."""

    @initialize(stage=st.sampled_from(list(Stage)))
    def begin(self, stage: Stage) -> None:
        self.states = LIFECYCLES[stage]
        self.job = Job(stage, 1, attempt=1)
        self.failed_in_a_row = self.lost_in_a_row = 0
        self.ended = False

    def goes_on(self, outcome: Outcome) -> None:
        """Settle, and start again unless that was the end."""
        ending = settled(self.job, outcome)
        self.status = ending.status
        self.ended = ending.status not in (self.states.waiting, self.states.retry)
        fresh = self.ended and not isinstance(outcome, Done)  # someone retries a dead letter
        self.job = replace(
            self.job,
            attempt=self.job.attempt + 1,
            failures=0 if fresh else ending.failures,
            losses=0 if fresh else ending.losses,
        )
        if fresh or ending.exhausted:
            self.lost_in_a_row = 0
        if fresh:
            self.failed_in_a_row = 0

    @rule()
    def work(self) -> None:
        self.failed_in_a_row = self.lost_in_a_row = 0
        self.goes_on(Done(due_at=NOW))

    @rule()
    def fail(self) -> None:
        self.failed_in_a_row += 1
        self.lost_in_a_row = 0
        dies = self.failed_in_a_row > len(POLICY.delays) and not self.states.recurs
        self.goes_on(Failed("x"))
        assert self.ended == dies

    @rule()
    def be_postponed(self) -> None:
        self.lost_in_a_row = 0
        self.goes_on(Postponed(NOW))
        assert not self.ended

    @rule()
    def be_lost(self) -> None:
        self.lost_in_a_row += 1
        dies = self.lost_in_a_row == LOSSES_ALLOWED and not self.states.recurs
        self.goes_on(Lost())
        assert self.ended == dies

    @invariant()
    def the_counters_say_what_happened(self) -> None:
        if hasattr(self, "job"):
            assert self.job.failures == self.failed_in_a_row
            assert self.job.losses == self.lost_in_a_row


TestLifeOfARow = LifeOfARow.TestCase
