"""When a database that is away is told of, and when it is back."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from morningdeck.errors import DatabaseAwayError
from morningdeck.store.connect import Database
from morningdeck.store.outage import Outage, our_errors
from morningdeck.store.tables import items

AWAY = DatabaseAwayError("database: connection refused")


def _events(*turns: tuple[str, float]) -> list[str]:
    """What is told when operations, begun so many seconds from now, end like that."""
    outage, now = Outage(), time.monotonic()
    with capture_logs() as events:
        for ending, begun in turns:
            if ending == "failed":
                outage.failed(now + begun, AWAY)
            else:
                outage.worked(now + begun)
    return [str(event["event"]) for event in events]


def test_an_outage_is_told_once_and_its_end_once() -> None:
    turns = (("failed", 1), ("failed", 2), ("worked", 3), ("worked", 4))
    assert _events(*turns) == ["database_away", "database_back"]


def test_what_was_begun_before_an_outage_does_not_end_it() -> None:
    assert _events(("failed", 1), ("worked", -1)) == ["database_away"]


def test_what_was_begun_in_an_outage_does_not_begin_the_next() -> None:
    turns = (("failed", 1), ("worked", 3), ("failed", -1))
    assert _events(*turns) == ["database_away", "database_back"]


def test_a_read_may_work_in_an_outage_that_only_writing_shows() -> None:
    outage = Outage()
    with capture_logs() as events:
        outage.failed(time.monotonic(), AWAY)
        with our_errors(outage, proves=False):
            pass
    assert [event["event"] for event in events] == ["database_away"]


def test_a_prepared_statement_finds_a_refused_connection_to_be_an_outage_too() -> None:
    database = Database("postgresql://nobody@127.0.0.1:1/nothing")
    statement = database.prepare(update(items).values(title="x").returning(items.c.id))
    with pytest.raises(DatabaseAwayError, match="Connection refused"):
        database.run(statement, {})
    database.close()
