"""Which commits of PostgreSQL wait for no disk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import func, select, text

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.queue.stages import STAGES
from morningdeck.store.queue.statements import claiming, settling, starting
from morningdeck.work import Stage

WAITS = select(func.current_setting("synchronous_commit"))


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    """Its commits wait, as they do unless somebody wants it otherwise."""
    before = open_database(postgres_url)
    with before.write() as connection:
        connection.execute(
            text(f"ALTER DATABASE {before.url.database} SET synchronous_commit = on")
        )
    before.close()
    found = open_database(postgres_url)
    yield found
    found.close()


def test_only_what_is_repeatable_waits_for_no_disk(database: Database) -> None:
    ways = (Prepared(WAITS), Prepared(WAITS, lasting=False), Prepared(WAITS, repeatable=True))

    assert [database.run(way, {})[0][0] for way in (*ways, *ways)] == ["on", "on", "off"] * 2


def test_claims_and_starts_are_repeatable_and_what_was_done_is_not() -> None:
    carried = [STAGES[stage] for stage in (Stage.FETCH, Stage.PROCESSING, Stage.BRIEFING)]
    assert all(starting(of).repeatable for of in carried)
    assert all(claiming(of, order).repeatable for of in carried for order in of.orders)
    assert not any(settling(of, of.states.done).repeatable for of in STAGES.values())


def test_a_delivery_has_begun_for_good() -> None:
    """Two senders with one fence could both take the last step."""
    assert not starting(STAGES[Stage.DELIVERY]).repeatable
