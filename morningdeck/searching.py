"""What a process searches with, and what fills the index that it searches."""

from __future__ import annotations

from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from morningdeck.search import ALWAYS_THERE, SearchMeans, open_index

if TYPE_CHECKING:
    from morningdeck.indexing import Indexing
    from morningdeck.ports.asking import Breaker
    from morningdeck.ports.engine import Clock
    from morningdeck.ports.verbs import SearchIndex
    from morningdeck.search.service import MeilisearchService
    from morningdeck.settings.sections import Settings
    from morningdeck.store.store import Store

ON_SERVER = "meilisearch"
AWAY_AT_MOST = timedelta(seconds=30)
"""A person who searches gets less meanwhile, and what comes in waits."""
REFUSED_KEY = timedelta(minutes=10)
PROBE = timedelta(seconds=60)
"""Of a process whose call takes longer nobody knows whether it is alive."""


class Searching:
    def __init__(self, settings: Settings, store: Store, clock: Clock) -> None:
        self._settings = settings.search
        self._store = store
        self._clock = clock

    @property
    def backend(self) -> str:
        """The one in the settings; for `auto` the server, where there is one."""
        if self._settings.backend != "auto":
            return self._settings.backend
        return ALWAYS_THERE if self._settings.url is None else ON_SERVER

    @cached_property
    def index(self) -> SearchIndex:
        store = self._store
        means = SearchMeans(store.search_index, store.search_reach, lambda: self.service)
        return open_index(self.backend, means)

    @cached_property
    def indexing(self) -> Indexing | None:
        """None where no search server is set."""
        if self.backend != ON_SERVER:
            return None
        from morningdeck.indexing import Indexing

        return Indexing(self._store.search_outbox, lambda: self.service, self._clock)

    @cached_property
    def service(self) -> MeilisearchService:
        from morningdeck.search.guard import Guard
        from morningdeck.search.server import MeilisearchServer
        from morningdeck.search.service import MeilisearchService

        server = MeilisearchServer(self._url, self._key, self._settings.index)
        guard = Guard(self._breaker, self._host, self._clock, server.forget_keys)
        return MeilisearchService(server, guard)

    @property
    def _url(self) -> str:
        return (self._settings.url or "").rstrip("/")

    @property
    def _host(self) -> str:
        return urlsplit(self._url).netloc.rpartition("@")[2]

    @property
    def _key(self) -> str | None:
        key = self._settings.api_key
        return None if key is None else key.get_secret_value()

    @cached_property
    def _breaker(self) -> Breaker:
        from morningdeck.model.asking import answer_key
        from morningdeck.store.rows.breaker import OF_SEARCH, SqlBreaker

        return SqlBreaker(
            self._store.database,
            self._clock,
            settings=answer_key(self._url, self._key or ""),
            lease=PROBE,
            notice=OF_SEARCH,
            denied_for=REFUSED_KEY,
            longest=AWAY_AT_MOST,
        )

    def close(self) -> None:
        if "service" in self.__dict__:  # a cached property that was used
            self.service.close()
