"""A search server behind a proxy that a test can speak for, and what fills an index there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from morningdeck.search.server import MeilisearchServer
from morningdeck.search.service import MeilisearchService
from morningdeck.store.database.connect import Database
from tests.conftest import ManualClock
from tests.search.conftest import guarded, searching_by
from tests.search.desk import Desk
from tests.search.indexing.filler import Filler
from tests.servers.meilisearch import Meilisearch
from tests.servers.search_proxy import SearchProxy


@pytest.fixture
def proxy(search_server: Meilisearch) -> Iterator[SearchProxy]:
    with SearchProxy(search_server) as proxy:
        yield proxy


@pytest.fixture
def service(
    shelves: MeilisearchServer,
    proxy: SearchProxy,
    search_server: Meilisearch,
    database: Database,
    clock: ManualClock,
) -> Iterator[MeilisearchService]:
    server = MeilisearchServer(proxy.address, search_server.key, shelves.live)
    yield guarded(server, database, clock)
    server.close()


@pytest.fixture
def desk(database: Database, service: MeilisearchService) -> Desk:
    return Desk(database, searching_by(service, database))


@pytest.fixture
def filler(database: Database, service: MeilisearchService, clock: ManualClock) -> Filler:
    return Filler(database, service, clock)
