"""What the tests of the store share."""

from __future__ import annotations

import pytest

from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.results import SAVERS
from morningdeck.store.views.subscriptions import Subscriptions
from tests.factories import Stock, make_item, make_source
from tests.store.working import LEASE


@pytest.fixture
def postgres_url(emptied_url: str) -> str:
    return emptied_url


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
def work(database: Database) -> SqlJobStore:
    return SqlJobStore(database, SAVERS, lease=LEASE)


@pytest.fixture
def source(database: Database) -> int:
    return make_source(database)


@pytest.fixture
def item(database: Database, source: int) -> int:
    return make_item(database, source)


@pytest.fixture
def subscriptions(database: Database) -> Subscriptions:
    return Subscriptions(database)
