"""Two processes of sixteen threads: they spend a day's money and not a call more, and none asks
an endpoint that has told one of them to wait.
"""

from __future__ import annotations

from itertools import chain

from sqlalchemy import func, select

from morningdeck.store.database.connect import Database
from morningdeck.store.tables.people import users
from morningdeck.store.tables.running import credit_ledger, usage, usage_days
from tests.factories import make_user, row_of
from tests.store.asker import COST, MONEY_FOR, one_at_work, two_at_once
from tests.waiting import until


def test_a_budget_for_1000_calls_pays_1000_of_5000_items(
    database: Database, database_url: str
) -> None:
    assert sum(two_at_once("spend", database_url)) == MONEY_FOR

    with database.read() as connection:
        (day,) = connection.execute(select(usage_days)).all()
        total = connection.scalar(select(func.sum(usage.c.nanodollars)))
    assert (day.calls, day.nanodollars, total) == (MONEY_FOR, MONEY_FOR * COST, MONEY_FOR * COST)


def test_a_process_that_is_killed_has_spent_what_its_calls_may_cost_and_no_more(
    database: Database, database_url: str
) -> None:
    counted = select(func.count()).select_from(usage)
    with one_at_work("spend", database_url, "0"), database.read() as connection:
        until(lambda: (connection.scalar(counted) or 0) > 50, limit_seconds=60)

    two_at_once("spend", database_url)

    with database.read() as connection:
        (day,) = connection.execute(select(usage_days)).all()
        total = connection.scalar(select(func.sum(usage.c.nanodollars)))
        assert connection.scalar(counted) == day.calls == MONEY_FOR
    assert day.nanodollars == total == MONEY_FOR * COST


def test_three_hundred_credits_pay_for_300_items(database: Database, database_url: str) -> None:
    ada = make_user(database, credits=300)

    assert sum(two_at_once("spend", database_url, str(ada))) == 300

    assert row_of(database, users, ada).credits == 0
    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(credit_ledger)) == 300


def test_no_process_asks_an_endpoint_that_has_told_another_to_wait(
    database: Database, database_url: str
) -> None:
    said = two_at_once("meet", database_url)

    calls = list(chain.from_iterable(one["calls"] for one in said))
    holds = list(chain.from_iterable(one["holds"] for one in said))
    assert len(calls) > 20
    assert len(holds) > 1
    for told_at, held_until in holds:
        assert not any(asked > told_at and admitted < held_until for asked, admitted in calls)
