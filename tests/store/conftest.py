"""What the tests of the store share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from morningdeck.store.connect import Database
from morningdeck.store.store import BRINGS, SAVERS
from morningdeck.store.subscriptions import Subscriptions
from morningdeck.store.tables import metadata
from morningdeck.store.work import SqlWorkStore
from tests.factories import make_item, make_source
from tests.servers.postgresql import PostgresServer
from tests.store.stock import Stock
from tests.store.working import LEASE

TABLES = ("item_search", *(table.name for table in reversed(metadata.sorted_tables)))


@pytest.fixture(scope="session")
def kept_url(postgres_server: PostgresServer) -> Iterator[str]:
    with postgres_server.database(f"store{os.getpid()}") as url:
        yield url


@pytest.fixture
def postgres_url(kept_url: str) -> Iterator[str]:
    """One for all tests here, emptied after each: a new one takes longer than most tests."""
    yield kept_url
    database = Database(kept_url, pool_size=1)
    with database.write() as connection:
        connection.exec_driver_sql("; ".join(f"DELETE FROM {name}" for name in TABLES))
    database.close()


@pytest.fixture
def stock(database: Database) -> Stock:
    return Stock(database)


@pytest.fixture
def ada(stock: Stock) -> int:
    return stock.user("ada@example.org")


@pytest.fixture
def bob(stock: Stock) -> int:
    return stock.user("bob@example.org")


@pytest.fixture
def work(database: Database) -> SqlWorkStore:
    return SqlWorkStore(database, SAVERS, lease=LEASE, brings=BRINGS)


@pytest.fixture
def source(database: Database) -> int:
    return make_source(database)


@pytest.fixture
def item(database: Database, source: int) -> int:
    return make_item(database, source)


@pytest.fixture
def subscriptions(database: Database) -> Subscriptions:
    return Subscriptions(database)
