"""What the calls of models have cost, as users are told."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from morningdeck.model.asking import CallUsage, FailureKind, ModelCall, Price, Purpose
from morningdeck.model.sending import MAIL_ENDPOINT
from morningdeck.model.spending import HeldEndpoint, ModelState, UsageOfDay
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.breaker import SqlBreaker
from morningdeck.store.rows.ledger import SqlLedger
from morningdeck.store.tables.running import usage
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.store.views.spending import Spending
from tests.conftest import NOW, ManualClock
from tests.factories import rows_of

PRICE = Price(Decimal("0.15"), Decimal("0.6"))
DAY = timedelta(days=1)


@pytest.fixture
def ledger(database: Database, clock: ManualClock) -> SqlLedger:
    return SqlLedger(database, clock, {"small": PRICE, "large": PRICE}.get)


@pytest.fixture
def spending(database: Database) -> Spending:
    return Spending(database)


def asks(ledger: SqlLedger, model: str, purpose: Purpose, error: str | None = None) -> None:
    call = ModelCall("model.example", model, purpose, 1000, 1000)
    ledger.settle(ledger.reserve(call), CallUsage(1000, 1000, DAY, error))


def test_the_calls_of_a_day_are_told_by_purpose_and_model(
    ledger: SqlLedger, spending: Spending, clock: ManualClock
) -> None:
    asks(ledger, "small", Purpose.ENRICH)
    clock.now += DAY
    asks(ledger, "small", Purpose.ENRICH)
    asks(ledger, "small", Purpose.ENRICH, "cut off")
    asks(ledger, "unheard", Purpose.OVERVIEW)
    ledger.reserve(ModelCall("model.example", "large", Purpose.WEB, 1000, 1000))

    assert spending.days(NOW, 50) == (
        UsageOfDay("2026-11-19", "enrich", "small", 2, 1, 2000, 2000, 0.0015),
        UsageOfDay("2026-11-19", "overview", "unheard", 1, 0, 1000, 1000, None),
        UsageOfDay("2026-11-19", "web", "large", 1, 0, 0, 0, 0.00075),
        UsageOfDay("2026-11-18", "enrich", "small", 1, 0, 1000, 1000, 0.00075),
    )
    assert len(spending.days(NOW, 2)) == 2
    assert len(spending.days(NOW + DAY, 50)) == 3


def test_the_state_is_that_of_today(
    ledger: SqlLedger, spending: Spending, database: Database, clock: ManualClock
) -> None:
    assert spending.state(NOW, None) == ModelState()
    breaker = SqlBreaker(database, clock, lease=DAY)
    breaker.failed(breaker.admit("model.example"), "20", FailureKind.LIMITED)
    breaker.failed(breaker.admit(MAIL_ENDPOINT), None, FailureKind.DENIED)
    asks(ledger, "small", Purpose.ENRICH)

    held = (HeldEndpoint("model.example", NOW + timedelta(seconds=20), "limited"),)
    assert spending.state(NOW, 2.0) == ModelState(1, 0.00075, 2.0, held)
    assert spending.state(NOW + DAY, 2.0) == ModelState(budget_usd=2.0)


def test_calls_are_kept_as_long_as_the_settings_say(
    ledger: SqlLedger, database: Database, clock: ManualClock
) -> None:
    asks(ledger, "small", Purpose.ENRICH)
    clock.now += 2 * DAY
    asks(ledger, "small", Purpose.ENRICH)

    assert Retention(database).apply(Keep(usage=DAY), clock())["usage"] == 1
    assert len(rows_of(database, usage)) == 1
