"""A deck's own index on a search server, for whoever measures it."""

from __future__ import annotations

import atexit
import itertools
from datetime import UTC, datetime, timedelta
from functools import cache

from morningdeck.indexing import Indexing
from morningdeck.search import SearchMeans
from morningdeck.search.guard import Guard
from morningdeck.search.meilisearch import MeilisearchIndex
from morningdeck.search.server import MeilisearchServer
from morningdeck.search.service import MeilisearchService
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.breaker import SqlBreaker
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.store.views.search_reach import SearchReach
from tests.servers.meilisearch import Meilisearch, need_meilisearch

_numbers = itertools.count()


@cache
def search_server() -> Meilisearch:
    """One for the whole run."""
    need_meilisearch()
    server = Meilisearch.start()
    atexit.register(server.stop)
    return server


class IndexedDeck:
    """Its index, and what fills that."""

    def __init__(self, database: Database) -> None:
        behind = search_server()
        self.server = MeilisearchServer(behind.url, behind.key, f"deck{next(_numbers)}")
        breaker = SqlBreaker(database, _now, lease=timedelta(seconds=60))
        self.service = MeilisearchService(
            self.server, Guard(breaker, "here", _now, self.server.forget_keys)
        )
        means = SearchMeans(FulltextIndex(database), SearchReach(database), lambda: self.service)
        self.index = MeilisearchIndex(means)
        self._rows = SearchOutbox(database)
        self._indexing = Indexing(self._rows, lambda: self.service, _now)

    def fill(self) -> None:
        while self._indexing.round() or self._rows.waits():
            pass


def _now() -> datetime:
    return datetime.now(UTC)
