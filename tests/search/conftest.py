"""A real search server, and an index of its own for each test."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from datetime import timedelta

import pytest

from morningdeck.ports.engine import Clock
from morningdeck.search import SearchMeans
from morningdeck.search.guard import Guard
from morningdeck.search.meilisearch import MeilisearchIndex
from morningdeck.search.server import MeilisearchServer
from morningdeck.search.service import MeilisearchService
from morningdeck.searching import AWAY_AT_MOST
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.breaker import OF_SEARCH, SqlBreaker
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.store.views.search_reach import SearchReach
from tests.conftest import ManualClock
from tests.servers.meilisearch import Meilisearch

LEASE = timedelta(seconds=60)
_numbers = itertools.count()


@pytest.fixture
def index_name() -> str:
    return f"t{os.getpid()}_{next(_numbers)}"


@pytest.fixture
def shelves(search_server: Meilisearch, index_name: str) -> Iterator[MeilisearchServer]:
    """As a process of ours fills it."""
    server = MeilisearchServer(search_server.url, search_server.key, index_name)
    yield server
    server.close()
    for name in (server.live, server.new):
        search_server.settled(search_server.ask("DELETE", f"/indexes/{name}"))


@pytest.fixture
def service(
    shelves: MeilisearchServer, database: Database, clock: ManualClock
) -> MeilisearchService:
    return guarded(shelves, database, clock)


def guarded(server: MeilisearchServer, database: Database, clock: Clock) -> MeilisearchService:
    breaker = SqlBreaker(database, clock, lease=LEASE, notice=OF_SEARCH, longest=AWAY_AT_MOST)
    return MeilisearchService(server, Guard(breaker, "here", clock, server.forget_keys))


@pytest.fixture
def index(service: MeilisearchService, database: Database) -> MeilisearchIndex:
    found = searching_by(service, database)
    found.clear()
    return found


def searching_by(service: MeilisearchService, database: Database) -> MeilisearchIndex:
    reach = SearchReach(database)
    return MeilisearchIndex(SearchMeans(FulltextIndex(database), reach, lambda: service))
