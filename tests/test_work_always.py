"""What holds for every job, outcome and policy, and along the life of a row."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from morningdeck.work import (
    LIFECYCLES,
    LOSSES_ALLOWED,
    Done,
    Failed,
    Job,
    Lost,
    Outcome,
    Postponed,
    RetryPolicy,
    Stage,
)
from tests.conftest import NOW
from tests.settling import MINUTE, MORTAL, POLICY, RECURRING, settled

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
    for harmless in (Postponed(NOW), Failed("x")):
        assert settled(job, harmless, policy, chance).losses == job.losses


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
        if fresh or (ending.exhausted and isinstance(outcome, Lost)):
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
        dies = self.failed_in_a_row > len(POLICY.delays) and not self.states.recurs
        self.goes_on(Failed("x"))
        assert self.ended == dies

    @rule()
    def be_postponed(self) -> None:
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
