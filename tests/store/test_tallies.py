"""What is counted of a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest

from morningdeck.model.asking import Tally
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.tallies import SqlTallies
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.store.views.spending import Spending
from tests.conftest import ManualClock
from tests.contracts.tallies import Counted, TalliesContract


def today(database: Database, clock: ManualClock) -> Mapping[str, int]:
    return Spending(database).state(clock(), None).tallies


@pytest.fixture
def tallies(database: Database, clock: ManualClock) -> SqlTallies:
    return SqlTallies(database, clock)


@pytest.fixture
def counted(tallies: SqlTallies, database: Database, clock: ManualClock) -> Counted:
    def count() -> Mapping[str, int]:
        tallies.write()
        return today(database, clock)

    return count


class TestSqlTallies(TalliesContract):
    """The fixtures are those above."""


def test_all_processes_count_together_and_each_day_by_itself(
    database: Database, clock: ManualClock
) -> None:
    for number in (1, 2):
        process = SqlTallies(database, clock)
        process.add(Tally.SPARED, number)
        process.close()
    assert today(database, clock) == {"spared": 3}

    clock.pass_(days=1)
    assert today(database, clock) == {}


def test_today_s_are_told_with_what_models_cost_and_those_of_last_month_are_forgotten(
    tallies: SqlTallies, database: Database, clock: ManualClock
) -> None:
    tallies.add(Tally.SPARED)
    tallies.close()
    assert today(database, clock) == {"spared": 1}

    Retention(database).apply(Keep(), clock() + timedelta(days=40))
    assert today(database, clock) == {}
