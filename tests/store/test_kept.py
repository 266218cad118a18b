"""What PostgreSQL keeps of the statements that every job goes through."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import func, select, text

from morningdeck.errors import DatabaseAwayError
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.work import Stage
from tests.conftest import NOW
from tests.factories import make_item, make_source
from tests.store.working import DONE, LEASE, ME, started

FEWEST = 2
"""Connections: one for single statements, one for all else."""


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    found = open_database(postgres_url, pool_size=FEWEST)
    yield found
    found.close()


@pytest.fixture
def work(database: Database) -> SqlJobStore:
    return SqlJobStore(database, {}, lease=LEASE)


def kept(database: Database) -> int:
    with database.read() as connection:
        return int(
            connection.execute(text("SELECT count(*) FROM pg_prepared_statements")).scalar_one()
        )


def test_start_and_settlement_are_planned_once_for_each_connection(
    database: Database, work: SqlJobStore
) -> None:
    source = make_source(database)

    for _ in range(8):  # only after a few the server makes one plan for all
        job = started(work, make_item(database, source))
        assert work.settle(job, ME, DONE, NOW)

    assert kept(database) == 2


def test_a_connection_that_is_new_keeps_them_anew(database: Database, work: SqlJobStore) -> None:
    source = make_source(database)
    job = started(work, make_item(database, source))
    with pytest.raises(DatabaseAwayError), database.read() as connection:
        connection.execute(select(func.pg_terminate_backend(func.pg_backend_pid())))

    assert work.settle(job, ME, DONE, NOW)
    assert started(work, make_item(database, source)).stage is Stage.PROCESSING


def test_a_session_that_a_pooler_gives_once_more_keeps_what_it_has(
    database: Database, work: SqlJobStore
) -> None:
    """As a new connection, of which nothing is known, where the pooler forgets nothing."""
    source = make_source(database)
    started(work, make_item(database, source))
    with database.read() as connection:
        connection.connection.info["kept"].clear()

    started(work, make_item(database, source))

    assert kept(database) == 1
