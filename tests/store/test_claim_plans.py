"""A claim costs what it takes, not what waits, whatever PostgreSQL believes of the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.queue.stages import STAGES
from morningdeck.store.queue.statements import claiming
from morningdeck.work import Stage
from tests.conftest import NOW
from tests.factories import make_items, make_source
from tests.store.working import LATER, ME

OF = STAGES[Stage.PROCESSING]
LIMIT = 20


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    """It has looked at its items when none waited."""
    found = open_database(postgres_url)
    make_items(found, make_source(found), 20, status="DONE")
    with found.read() as connection:
        connection.execute(text("VACUUM ANALYZE items"))
    yield found
    found.close()


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for step in plan.get("Plans", ()):
        yield from _steps(step)


def test_a_claim_looks_at_no_more_rows_than_it_takes(database: Database) -> None:
    make_items(database, make_source(database), 600)
    claim = claiming(OF, OF.orders[0]).on(database.dialect)
    values = claim.parameters({"limit": LIMIT, "owner": ME, "now": NOW, "until": LATER})

    with database.read() as connection:
        explained = f"EXPLAIN (ANALYZE, FORMAT JSON) {claim.sql}"
        (plan,) = connection.exec_driver_sql(explained, values).scalars().one()

    looked_at = [step["Actual Rows"] * step["Actual Loops"] for step in _steps(plan["Plan"])]
    assert max(looked_at) == LIMIT
