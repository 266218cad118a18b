"""When a database that is away is told of, and when it is back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack

import psycopg2
import pytest
from sqlalchemy import Connection, select, text, update
from sqlalchemy.dialects import sqlite
from structlog.testing import capture_logs

from morningdeck.errors import ConfigError, DatabaseAwayError, DatabaseBusyError
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.database.outage import OurErrors, Outage
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.tables.news import items
from morningdeck.work import ANY
from tests.waiting import until

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
        with OurErrors(outage, sqlite.dialect(), proves=False):
            pass
    assert [event["event"] for event in events] == ["database_away"]


def test_a_prepared_statement_finds_a_refused_connection_to_be_an_outage_too() -> None:
    database = open_database("postgresql://nobody@127.0.0.1:1/nothing")
    statement = Prepared(update(items).values(title="x").returning(items.c.id))
    with pytest.raises(DatabaseAwayError, match="Connection refused"):
        database.run(statement, {})
    database.close()


def test_an_option_that_postgresql_does_not_know_is_named_without_the_secret() -> None:
    with pytest.raises(ConfigError, match=r'database\.url: .* option "foo"') as refused:
        _ask(open_database("postgresql://ada:s3cret@127.0.0.1:1/deck?sslmode=allow&foo=1").read)

    assert "s3cret" not in str(refused.value)


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[Database]:
    database = open_database(postgres_url, pool_size=5)
    yield database
    database.close()


WAYS: dict[str, Callable[[Database], object]] = {
    "write": lambda of: _ask(of.write),
    "read": lambda of: _ask(of.read),
    "run": lambda of: of.run(Prepared(select(items.c.id)), {}),
}


def _ask(way: Callable[[], AbstractContextManager[Connection]], question: str = "SELECT 1") -> None:
    with way() as connection:
        connection.execute(text(question))


def cut_all(database: Database) -> None:
    """As a restart of the server would, from outside."""
    url = database.url
    with psycopg2.connect(host=url.host, port=url.port, user="postgres") as connection:
        connection.cursor().execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
            (url.database,),
        )
    connection.close()


@pytest.mark.parametrize("way", WAYS)
def test_whoever_meets_a_cut_connection_is_told_in_our_words_and_nobody_after_him(
    postgres: Database, way: str
) -> None:
    for each in WAYS.values():
        each(postgres)
    cut_all(postgres)

    with pytest.raises(DatabaseAwayError, match="database: "):
        WAYS[way](postgres)

    for each in WAYS.values():
        each(postgres)


def test_a_heartbeat_does_not_even_notice_that_its_connection_was_cut(postgres: Database) -> None:
    _ask(postgres.heartbeat)
    cut_all(postgres)
    _ask(postgres.heartbeat)


def test_all_ways_into_postgresql_together_take_no_more_connections_than_are_set(
    postgres: Database,
) -> None:
    heard: list[str] = []
    postgres.signals.listen(heard.append)
    until(lambda: heard == [ANY])
    ways = (postgres.read, postgres.read, postgres.write, postgres.heartbeat)
    mine = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    with ExitStack() as held:
        *_, last = [held.enter_context(way()) for way in ways]
        with ThreadPoolExecutor(2) as threads:
            more = [threads.submit(_ask, way) for way in (postgres.read, postgres.write)]
        for one in more:
            with pytest.raises(DatabaseBusyError, match="no free connection for 10 s"):
                one.result()
        assert last.scalar(text(mine)) == 5


def test_a_statement_that_takes_too_long_is_no_outage(postgres: Database) -> None:
    with capture_logs() as events, pytest.raises(DatabaseBusyError, match="statement timeout"):
        _ask(postgres.write, "SET LOCAL statement_timeout = 1; SELECT pg_sleep(10)")
    assert events == []
