"""The same searches on a search server, beside the server asked directly, and filling its index.

Directly means: the same words, the reader's sources, the same counts, over one connection that is
kept and with an answer that is not compressed; nobody asks what the words mean, and nothing is read
from the database. A bare client sends the same documents and waits for the last of them.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Mapping
from functools import partial
from threading import Event, Thread
from typing import Any

from sqlalchemy import select, update

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import ItemFilter, SearchQuery
from morningdeck.search.documents import pack
from morningdeck.search.index_settings import COUNTED_BY_SERVER, SETTINGS
from morningdeck.search.service import MeilisearchService
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import items, next_search_mark, sources
from tests.benchmarks.report import Report
from tests.benchmarks.timing import percentile, seconds
from tests.servers.indexed import IndexedDeck, search_server

LIMIT = 0.010
PUT_BARE = 20_000
WRITERS = 4
Asked = Mapping[str, list[tuple[str, dict[str, Any]]]]


def run(report: Report, database: Database, user_id: int, asked: Asked, count: int) -> None:
    deck = IndexedDeck(database)
    took = seconds(deck.fill)
    bare = _put_bare(database, min(count, PUT_BARE))
    report.say(
        f"fill an index of {count:,} items: {count / took:.0f} a second, a bare client {bare:.0f}"
    )
    straight = Straight(deck.service, database)
    for what, queries in asked.items():
        _measure(report, deck, straight, user_id, what, queries, count)
    straight.close()
    _while_writing(report, deck, database, user_id, asked, count)
    deck.service.close()


def _measure(
    report: Report,
    deck: IndexedDeck,
    straight: Straight,
    user_id: int,
    what: str,
    queries: list[tuple[str, dict[str, Any]]],
    count: int,
) -> None:
    ours, theirs = [], []
    for words, only in queries:
        query = SearchQuery(user_id, parse_query(f"{words} "), ItemFilter(**only))
        ours.append(seconds(partial(_search, deck, query)))
        theirs.append(seconds(partial(straight.ask, words)))
    half, direct = percentile(ours, 50), percentile(theirs, 50)
    most, direct_most = percentile(ours, 95), percentile(theirs, 95)
    named = f"search {count:,} items, {what}, meilisearch"
    report.say(
        f"{named}: p50 {half * 1000:.1f} ms, asked directly {direct * 1000:.1f} ms,"
        f" p95 {most / direct_most:.2f} times as long"
    )
    report.time(f"{named}, p95", most, below=LIMIT, beside=direct_most, name="asked directly")


def _search(deck: IndexedDeck, query: SearchQuery) -> None:
    answer = deck.index.search(query)
    assert (answer.backend, answer.degraded) == ("meilisearch", False)


def _while_writing(
    report: Report, deck: IndexedDeck, database: Database, user_id: int, asked: Asked, count: int
) -> None:
    """Four threads change items as fast as they can, and what they change is indexed."""
    over = Event()
    with database.read() as connection:
        ids = list(connection.scalars(select(items.c.id).limit(2_000)))

    def write(first: int) -> None:
        for item_id in ids[first::WRITERS]:
            if over.is_set():
                return
            with database.write() as connection:
                this = update(items).where(items.c.id == item_id)
                connection.execute(this.values(title="Changed", search_mark=next_search_mark))

    def fill() -> None:
        while not over.is_set():
            deck.fill()

    threads = [Thread(target=write, args=(n,)) for n in range(WRITERS)] + [Thread(target=fill)]
    for thread in threads:
        thread.start()
    took = []
    for words, _ in asked["one word"]:
        query = SearchQuery(user_id, parse_query(f"{words} "))
        took.append(seconds(partial(_search, deck, query)))
    over.set()
    for thread in threads:
        thread.join()
    half, most = percentile(took, 50) * 1000, percentile(took, 95) * 1000
    named = f"search {count:,} items, one word, while {WRITERS} write and it is indexed"
    report.say(f"{named}: p50 {half:.1f} ms, p95 {most:.1f} ms")


class Straight:
    """Asks the server, and nobody else."""

    def __init__(self, service: MeilisearchService, database: Database) -> None:
        server = search_server()
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self._path = f"/indexes/{service.index_name}/search"
        self._headers = {
            "Authorization": f"Bearer {server.key}",
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
        }
        with database.read() as connection:
            ids = list(connection.scalars(select(sources.c.id)))
        self._filter = f"source_id IN {ids}"

    def ask(self, words: str) -> Any:
        asked = {
            "q": words,
            "filter": self._filter,
            "matchingStrategy": "all",
            "facets": COUNTED_BY_SERVER,
            "attributesToRetrieve": ["id", "title", "summary", "published_at"],
            "attributesToHighlight": ["title", "summary", "content"],
            "attributesToCrop": ["summary", "content"],
        }
        body = json.dumps(asked)
        self._connection.request("POST", self._path, body, self._headers)
        return json.loads(self._connection.getresponse().read())

    def close(self) -> None:
        self._connection.close()


def _put_bare(database: Database, count: int) -> float:
    """Documents a second, as one task after the other is sent, and all are awaited together."""
    server = search_server()
    server.settled(server.ask("POST", "/indexes", {"uid": "bare", "primaryKey": "id"}))
    server.settled(server.ask("PATCH", "/indexes/bare/settings", SETTINGS))
    documents = [json.loads(pack(one).line) for one in SearchOutbox(database).after(0, count)]
    began = time.monotonic()
    tasks = [
        server.ask("POST", "/indexes/bare/documents", documents[start : start + 1_000])
        for start in range(0, count, 1_000)
    ]
    for task in tasks:
        assert server.settled(task)["status"] == "succeeded"
    return count / (time.monotonic() - began)
