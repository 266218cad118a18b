"""What the tests of the store share."""

from __future__ import annotations

import pytest

from morningdeck.store.connect import Database
from morningdeck.store.store import SAVERS
from morningdeck.store.work import SqlWorkStore
from tests.factories import make_item, make_source
from tests.store.stock import Stock
from tests.store.working import LEASE


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
    return SqlWorkStore(database, SAVERS, lease=LEASE)


@pytest.fixture
def source(database: Database) -> int:
    return make_source(database)


@pytest.fixture
def item(database: Database, source: int) -> int:
    return make_item(database, source)
