"""Another process on the same database hears that there is work."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from shutil import rmtree

import pytest
from sqlalchemy import text, update

from morningdeck.errors import DatabaseAwayError
from morningdeck.ports.engine import Signals
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.news import sources
from morningdeck.work import ANY, Stage
from tests.conftest import NOW
from tests.contracts.signals import Bring, SignalsContract
from tests.factories import make_source
from tests.servers.postgresql import PostgresServer
from tests.store.test_outage import cut_all
from tests.waiting import until


@pytest.fixture
def other(database: Database, database_url: str) -> Iterator[Database]:
    """As another process has it."""
    opened = open_database(database_url)
    yield opened
    opened.close()


class TestSignals(SignalsContract):
    @pytest.fixture
    def mine(self, database: Database) -> Signals:
        return database.signals

    @pytest.fixture
    def theirs(self, other: Database) -> Signals:
        return other.signals

    @pytest.fixture
    def bring(self, other: Database, source: int) -> Bring:
        def change() -> None:
            with other.write() as connection:
                connection.execute(update(sources).values(due_at=NOW))
            other.close()

        return change


def test_looking_for_work_is_no_work(database: Database, other: Database) -> None:
    make_source(database)
    heard: list[str] = []
    other.signals.listen(heard.append)
    until(lambda: heard == [ANY] or other.exclusive)
    before = len(heard)

    jobs = SqlJobStore(database, {}, lease=timedelta(seconds=90))
    assert jobs.claim(Stage.PROCESSING, 10, "me", NOW) == ()

    with pytest.raises(AssertionError):
        until(lambda: len(heard) > before, 1.5)


def test_what_a_process_writes_itself_is_no_signal_to_it(database: Database) -> None:
    heard: list[str] = []
    database.signals.listen(heard.append)
    until(lambda: heard == [ANY] or database.exclusive)
    before = len(heard)

    make_source(database)

    with pytest.raises(AssertionError):
        until(lambda: len(heard) > before, 1.5)


def test_a_file_that_is_gone_is_told_of_in_our_words(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/deck/deck.db")
    rmtree(tmp_path / "deck")

    with pytest.raises(DatabaseAwayError, match="unable to open"):
        database.signals.listen(lambda loop: None)
    database.close()


# ---- PostgreSQL


@pytest.fixture
def pair(postgres_url: str) -> Iterator[tuple[Database, Database]]:
    one, other = open_database(postgres_url), open_database(postgres_url)
    yield one, other
    one.close()
    other.close()


def test_whoever_listens_tells_the_others_and_not_itself(pair: tuple[Database, Database]) -> None:
    one, other = pair
    at_one: list[str] = []
    at_other: list[str] = []
    one.signals.listen(at_one.append)
    other.signals.listen(at_other.append)
    until(lambda: at_one == at_other == [ANY])

    for loop in ("fetch", "processing"):
        one.signals.send(loop)
    other.signals.send("delivery")

    until(lambda: sorted(at_other) == [ANY, "fetch", "processing"] and at_one == [ANY, "delivery"])


def test_what_gathered_meanwhile_is_told_at_once(
    pair: tuple[Database, Database], postgres_server: PostgresServer
) -> None:
    one, other = pair
    heard: list[str] = []
    other.signals.listen(heard.append)
    until(lambda: heard == [ANY])
    name = one.url.database
    postgres_server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    one.signals.listen(lambda loop: None)
    for loop in ("fetch", "processing", "fetch"):
        one.signals.send(loop)
    postgres_server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

    until(lambda: sorted(heard) == [ANY, "fetch", "processing"])
    with other.read() as connection:
        mine = (
            "datname = current_database() AND query LIKE '%SELECT pg_notify(%' AND state = 'idle'"
        )
        (told,) = connection.scalars(text(f"SELECT query FROM pg_stat_activity WHERE {mine}"))
    assert "'fetch'" in told
    assert "'processing'" in told


def test_who_only_sends_is_heard_and_hears_nobody(pair: tuple[Database, Database]) -> None:
    one, other = pair
    heard: list[str] = []
    one.signals.listen(heard.append)
    until(lambda: heard == [ANY])
    other.signals.only_send()

    other.signals.send("fetch")

    until(lambda: heard == [ANY, "fetch"])
    assert listening(one) == 1


def listening(database: Database) -> int:
    """How many sessions, none of which has said anything since."""
    with database.read() as connection:
        here = "datname = current_database() AND query LIKE 'LISTEN%'"
        return int(
            connection.scalar(text(f"SELECT count(*) FROM pg_stat_activity WHERE {here}")) or 0
        )


def test_a_listener_whose_connection_was_cut_listens_again(
    pair: tuple[Database, Database],
) -> None:
    one, other = pair
    heard: list[str] = []
    one.signals.listen(heard.append)
    until(lambda: heard == [ANY])
    cut_all(one)

    until(lambda: heard == [ANY, ANY])  # it may have missed something
    other.signals.send("fetch")

    until(lambda: heard == [ANY, ANY, "fetch"])


def test_who_only_came_to_write_tells_it_at_the_end(pair: tuple[Database, Database]) -> None:
    one, other = pair
    heard: list[str] = []
    one.signals.listen(heard.append)
    until(lambda: heard == [ANY])

    make_source(other)
    other.close()

    until(lambda: heard == [ANY, ANY])
