"""What is written down of how a job came out."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.engine.worker import ending_of
from morningdeck.model.hours import Ending
from morningdeck.work import (
    Done,
    Ended,
    Failed,
    Job,
    Outcome,
    Postponed,
    RetryPolicy,
    Stage,
    decide,
)
from tests.conftest import NOW

JOB = Job(Stage.PROCESSING, 7, 1)
POLICY = RetryPolicy((timedelta(minutes=1),))


@pytest.mark.parametrize(
    ("outcome", "ending"),
    [
        (Done(), Ending.WORKED),
        (Postponed(NOW, "the host is busy"), Ending.PUT_OFF),
        (Failed("timeout"), Ending.FAILED),
        (Failed("404", permanent=True), Ending.GIVEN_UP),
        (Ended("CANCELLED"), Ending.ENDED),
    ],
)
def test_an_outcome_has_one_ending(outcome: Outcome, ending: Ending) -> None:
    stored = decide(JOB, outcome, policy=POLICY, now=NOW, chance=0)

    assert ending_of(outcome, stored) is ending


def test_what_came_too_late_is_refused() -> None:
    assert ending_of(Done(), None) is Ending.REFUSED
