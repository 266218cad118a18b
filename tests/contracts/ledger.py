"""The port `Ledger`: what is set aside for a call, and what becomes of it."""

from __future__ import annotations

from typing import ClassVar

import pytest

from morningdeck.errors import BudgetSpentError
from morningdeck.model.asking import CallUsage, ModelCall, Purpose
from morningdeck.ports.asking import Ledger
from tests.conftest import NOW

CALL = ModelCall("model.example", "small", Purpose.ENRICH, tokens_in=1000, tokens_out=1000)


class LedgerContract:
    """Give it the fixture `ledger`, with money for ten calls like `CALL` a day, on a clock that
    stands still at `NOW`.
    """

    calls: ClassVar[int] = 10

    def test_no_call_is_made_without_money_for_it(self, ledger: Ledger) -> None:
        for _ in range(self.calls):
            ledger.settle(ledger.reserve(CALL), CallUsage(1000, 1000))

        with pytest.raises(BudgetSpentError) as caught:
            ledger.reserve(CALL)
        assert caught.value.until > NOW

    def test_what_is_reserved_cannot_be_spent_by_another(self, ledger: Ledger) -> None:
        for _ in range(self.calls):
            ledger.reserve(CALL)

        with pytest.raises(BudgetSpentError):
            ledger.reserve(CALL)

    def test_a_call_that_was_not_made_costs_nothing(self, ledger: Ledger) -> None:
        for _ in range(2 * self.calls):
            ledger.release(ledger.reserve(CALL))

        ledger.reserve(CALL)

    def test_a_call_costs_what_it_did_cost(self, ledger: Ledger) -> None:
        for _ in range(2 * self.calls - 1):
            ledger.settle(ledger.reserve(CALL), CallUsage(500, 500))

        with pytest.raises(BudgetSpentError):
            ledger.reserve(CALL)

    @pytest.mark.parametrize("usage", [CallUsage(), CallUsage(10), CallUsage(error="cut off")])
    def test_a_call_of_which_nobody_knows_the_cost_counts_in_full(
        self, ledger: Ledger, usage: CallUsage
    ) -> None:
        for _ in range(self.calls):
            ledger.settle(ledger.reserve(CALL), usage)

        with pytest.raises(BudgetSpentError):
            ledger.reserve(CALL)

    def test_a_call_is_settled_once(self, ledger: Ledger) -> None:
        reservations = [ledger.reserve(CALL) for _ in range(self.calls)]
        for _ in range(3):
            ledger.settle(reservations[0], CallUsage(500, 500))

        with pytest.raises(BudgetSpentError):
            ledger.reserve(CALL)

    def test_what_was_settled_is_not_released(self, ledger: Ledger) -> None:
        reservations = [ledger.reserve(CALL) for _ in range(self.calls)]
        ledger.settle(reservations[0], CallUsage(1000, 1000))
        ledger.release(reservations[0])

        with pytest.raises(BudgetSpentError):
            ledger.reserve(CALL)

    def test_what_was_released_is_not_settled(self, ledger: Ledger) -> None:
        reservation = ledger.reserve(CALL)
        ledger.release(reservation)
        ledger.settle(reservation, CallUsage(1000, 1000))

        for _ in range(self.calls):
            ledger.reserve(CALL)
