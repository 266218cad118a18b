"""Money and credits: what is counted, on which day, and who is told that it is spent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from morningdeck.errors import BudgetSpentError, NoCreditError
from morningdeck.model.asking import NANODOLLARS, CallUsage, ModelCall, Price, Purpose
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.ledger import SqlLedger
from morningdeck.store.tables.people import users
from morningdeck.store.tables.running import credit_ledger, notices, usage, usage_days
from tests.conftest import NOW, ManualClock
from tests.contracts.ledger import CALL, LedgerContract
from tests.factories import change, make_user, row_of, rows_of

PRICE = Price(Decimal("0.15"), Decimal("0.6"))
COST = 750_000
"""Of `CALL`, in nanodollars."""
LOOK = NOW + timedelta(hours=17)
"""The midnight after `NOW`."""


@pytest.fixture
def ledger(database: Database, clock: ManualClock) -> SqlLedger:
    return open_ledger(database, clock, calls=10)


class TestSqlLedger(LedgerContract):
    """Its fixture is everybody's here."""


def open_ledger(database: Database, clock: ManualClock, *, calls: int | None = None) -> SqlLedger:
    budget = None if calls is None else Decimal(calls * COST) / NANODOLLARS
    return SqlLedger(database, clock, {"small": PRICE}.get, budget)


def reserved(ledger: SqlLedger, call: ModelCall = CALL) -> int:
    """How many such calls there is money for."""
    for number in range(100):
        try:
            ledger.reserve(call)
        except BudgetSpentError:
            return number
    return 100


def for_item(user_id: int, item_id: int) -> ModelCall:
    return ModelCall("model.example", "small", Purpose.ENRICH, 1000, 1000, user_id, None, item_id)


def spent(database: Database) -> list[tuple[int, int]]:
    """The calls and the nanodollars of each day."""
    return [(row.calls, row.nanodollars) for row in rows_of(database, usage_days)]


def test_each_call_is_written_down_with_what_it_did_cost(
    ledger: SqlLedger, database: Database
) -> None:
    ledger.settle(ledger.reserve(CALL), CallUsage(800, 100, timedelta(seconds=1.5)))

    (row,) = rows_of(database, usage)
    assert (row.purpose, row.endpoint, row.model) == ("enrich", "model.example", "small")
    assert (row.tokens_in, row.tokens_out, row.nanodollars) == (800, 100, 180_000)
    assert (row.duration_ms, row.ok, row.settled_at) == (1500, True, NOW)
    assert spent(database) == [(1, 180_000)]


def test_a_call_that_was_never_settled_has_no_known_tokens_and_its_full_price(
    ledger: SqlLedger, database: Database
) -> None:
    ledger.reserve(CALL)

    (row,) = rows_of(database, usage)
    assert (row.tokens_in, row.ok, row.settled_at, row.nanodollars) == (None, False, None, COST)
    assert spent(database) == [(1, COST)]


def test_what_cost_more_than_was_reserved_counts_too(ledger: SqlLedger, database: Database) -> None:
    ledger.settle(ledger.reserve(CALL), CallUsage(1000, 15_000))

    assert spent(database) == [(1, 9_150_000)]
    assert reserved(ledger) == 0


def test_a_new_day_has_its_own_money(ledger: SqlLedger, clock: ManualClock) -> None:
    assert reserved(ledger) == 10

    clock.now = LOOK - timedelta(seconds=1)
    assert reserved(ledger) == 0
    clock.now = LOOK
    assert reserved(ledger) == 10


def test_a_call_over_midnight_costs_the_day_on_which_it_began(
    ledger: SqlLedger, database: Database, clock: ManualClock
) -> None:
    reservation = ledger.reserve(CALL)
    clock.now = LOOK
    ledger.reserve(CALL)
    ledger.settle(reservation, CallUsage(0, 0))

    assert spent(database) == [(1, 0), (1, COST)]


@pytest.mark.parametrize(
    ("zone", "until"),
    [
        ("America/New_York", datetime(2026, 11, 19, 5, tzinfo=UTC)),
        ("Asia/Tokyo", datetime(2026, 11, 18, 15, tzinfo=UTC)),
        ("Mars/Olympus", LOOK),
    ],
)
def test_days_are_those_of_the_first_user(
    ledger: SqlLedger, database: Database, zone: str, until: datetime
) -> None:
    make_user(database, timezone=zone)
    make_user(database, timezone="Europe/Paris")
    reserved(ledger)

    with pytest.raises(BudgetSpentError) as caught:
        ledger.reserve(CALL)
    assert caught.value.until == until


def test_a_user_who_moves_has_the_day_of_the_new_place_within_a_minute(
    ledger: SqlLedger, database: Database, clock: ManualClock
) -> None:
    ada = make_user(database, timezone="Asia/Tokyo")
    assert ledger.reserve(CALL).day.day == 18

    change(database, users, ada, timezone="Pacific/Honolulu")
    clock.pass_(minutes=1)

    assert ledger.reserve(CALL).day.day == 17


def test_without_a_budget_all_is_counted_and_nothing_refused(
    database: Database, clock: ManualClock
) -> None:
    assert reserved(open_ledger(database, clock)) == 100

    assert spent(database) == [(100, 100 * COST)]


def test_a_budget_of_nothing_pays_for_what_costs_nothing_and_for_nothing_else(
    database: Database, clock: ManualClock
) -> None:
    free = Price(Decimal(0), Decimal(0))
    prices = {"small": PRICE, "own": free}
    ledger = SqlLedger(database, clock, prices.get, Decimal(0))

    assert reserved(ledger) == 0
    assert reserved(ledger, ModelCall("localhost", "own", Purpose.ENRICH, 9, 9)) == 100


def test_with_a_budget_a_model_without_a_price_is_not_asked(
    ledger: SqlLedger, database: Database
) -> None:
    with pytest.raises(BudgetSpentError, match=r"set enricher\.price_in and enricher\.price_out"):
        ledger.reserve(ModelCall("model.example", "unheard", Purpose.ENRICH, 1, 1))

    assert spent(database) == []


def test_a_price_that_is_not_known_is_never_nothing(database: Database, clock: ManualClock) -> None:
    free = open_ledger(database, clock)
    free.settle(
        free.reserve(ModelCall("model.example", "unheard", Purpose.ENRICH, 1000, 1000)),
        CallUsage(1000, 1000),
    )

    (row,) = rows_of(database, usage)
    assert not row.price_known
    assert reserved(open_ledger(database, clock, calls=10)) == 0


def test_the_admins_are_told_once_a_day_and_no_longer_than_it_lasts(
    database: Database, clock: ManualClock
) -> None:
    ada, _ = make_user(database, role="admin"), make_user(database)
    for _ in range(2):  # each a process of its own
        ledger = open_ledger(database, clock, calls=10)
        assert reserved(ledger) in (10, 0)
        assert reserved(ledger) == 0

    (told,) = rows_of(database, notices)
    assert told.user_id == ada
    assert told.text.startswith("2026-11-18: the budget of $0.0075 a day is spent")
    clock.now = LOOK
    ledger.reserve(CALL)
    assert rows_of(database, notices, notices.c.ended_at.is_(None)) == []


# ---- credits


@pytest.fixture
def paying(database: Database) -> Callable[[int | None], int]:
    return lambda credits: make_user(database, credits=credits)


def credits_of(database: Database, user_id: int) -> int | None:
    left: int | None = row_of(database, users, user_id).credits
    return left


def test_an_item_costs_its_reader_one_credit_however_often_it_is_asked_about(
    ledger: SqlLedger, database: Database, paying: Callable[[int | None], int]
) -> None:
    ada = paying(3)
    for item in (1, 2, 2, 2):
        ledger.settle(ledger.reserve(for_item(ada, item)), CallUsage(10, 10))

    assert credits_of(database, ada) == 1
    assert [row.item_id for row in rows_of(database, credit_ledger)] == [1, 2]


def test_without_a_credit_no_call_is_made_and_no_money_reserved(
    ledger: SqlLedger, database: Database, paying: Callable[[int | None], int]
) -> None:
    ada, bob = paying(0), paying(None)

    with pytest.raises(NoCreditError):
        ledger.reserve(for_item(ada, 1))
    assert (spent(database), rows_of(database, credit_ledger)) == ([], [])
    ledger.reserve(for_item(bob, 1))
    assert credits_of(database, bob) is None


def test_a_call_that_failed_or_was_not_made_costs_no_credit(
    ledger: SqlLedger, database: Database, paying: Callable[[int | None], int]
) -> None:
    ada = paying(1)
    ledger.settle(ledger.reserve(for_item(ada, 1)), CallUsage(error="cut off"))
    ledger.release(ledger.reserve(for_item(ada, 1)))
    assert credits_of(database, ada) == 1

    ledger.settle(ledger.reserve(for_item(ada, 1)), CallUsage(10, 10))
    ledger.settle(ledger.reserve(for_item(ada, 1)), CallUsage(error="asked for the other half"))
    assert credits_of(database, ada) == 0


def test_where_the_money_is_spent_no_credit_is_taken(
    ledger: SqlLedger, database: Database, paying: Callable[[int | None], int]
) -> None:
    ada = paying(5)
    reserved(ledger)

    with pytest.raises(BudgetSpentError):
        ledger.reserve(for_item(ada, 1))
    assert credits_of(database, ada) == 5


def test_credits_that_are_made_unlimited_meanwhile_stay_so(
    ledger: SqlLedger, database: Database, paying: Callable[[int | None], int]
) -> None:
    ada = paying(1)
    reservation = ledger.reserve(for_item(ada, 1))
    change(database, users, ada, credits=None)
    ledger.release(reservation)

    assert credits_of(database, ada) is None
