"""What asking a model needs: money, an endpoint that may be asked, answers given before.

    answer = cache.find(key)                      the same question was answered: nothing to pay
    reservation = ledger.reserve(call)            BudgetSpentError: do without the model
    try:
        admission = breaker.admit(call.endpoint)  EndpointHeldError: come back later
    except EndpointHeldError:
        ledger.release(reservation)
    ...                                           the call: it may have been paid from here on
    breaker.succeeded(admission)                  or failed(admission, its Retry-After, kind)
    ledger.settle(reservation, usage)

An endpoint is asked for admission right before the call and never before the reservation:
nobody waits between them, and a probe that is not made would keep all others out.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from morningdeck.model.asking import (
    Admission,
    CallUsage,
    FailureKind,
    ModelAnswer,
    ModelCall,
    Question,
    Reservation,
    Tally,
)


class Ledger(Protocol):
    """The money of a day, shared by all processes."""

    def reserve(self, call: ModelCall) -> Reservation:
        """Set aside the most that the call can cost, or BudgetSpentError says until when there is
        no money, NoCreditError that its user has none.

        Until it is settled it counts in full, also if its process dies: it may have been made.
        """

    def settle(self, reservation: Reservation, usage: CallUsage) -> None:
        """Count what the call did cost; without effect the second time. A call that failed takes
        no credit.
        """

    def release(self, reservation: Reservation) -> None:
        """The call was not made: as if never reserved."""


class Breaker(Protocol):
    """Keeps all processes from an endpoint that has asked for a pause or does not answer."""

    def admit(self, endpoint: str) -> Admission:
        """The call may be made now, or EndpointHeldError says until when not. After a hold one
        call of all processes finds out whether it is over.
        """

    def look_again(self, endpoint: str) -> None:
        """A person asks: what is held may be tried by one now."""

    def succeeded(self, admission: Admission) -> None: ...

    def failed(
        self, admission: Admission, retry_after: str | None, kind: FailureKind, why: str = ""
    ) -> datetime | None:
        """`retry_after` is the header as it came, `why` what a person may need to know; returns
        until when the endpoint is held now.
        """


class AnswerCache(Protocol):
    """What models have answered, by all that the answer depends on (see `answer_key`)."""

    def find(self, key: str) -> str | None: ...

    def keep(self, key: str, answer: str) -> None:
        """It may be forgotten at any time."""


class Model(Protocol):
    """A language model behind an endpoint, which keeps to ledger, breaker and cache by itself."""

    def name(self, *, heavy: bool = False) -> str: ...

    def ask(self, question: Question) -> ModelAnswer:
        """A value that fits the schema, or why there is none: EndpointHeldError until when,
        EndpointTroubleError where this very call began or prolonged a hold, BudgetSpentError,
        UnusableAnswerError.
        """


class Tallies(Protocol):
    def add(self, what: Tally, number: int = 1) -> None:
        """Counted for today; what a process has counted last is lost if it is killed."""
