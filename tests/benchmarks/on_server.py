"""A search on the search server beside the server asked directly, and filling its index.

Directly means for the same: the very requests that ours makes, with their filters, counts and
marks, over one connection that is kept and with an answer that is not compressed. Nobody asks what
the words mean or what the reader may see, and nothing is read from the database. What the words
alone take, without their other forms and without a reader, is told beside it. A bare client sends
the same documents and waits for the last of them.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import Event, Thread
from typing import Any

from sqlalchemy import select, update

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import ItemFilter, SearchQuery
from morningdeck.search.documents import pack
from morningdeck.search.index_settings import COUNTED_BY_SERVER, SETTINGS
from morningdeck.search.service import MeilisearchService, request
from morningdeck.search.translation import translated
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import items, next_search_mark
from morningdeck.store.views.search_reach import SearchReach
from tests.benchmarks.grounds import fresh_database
from tests.benchmarks.report import Report
from tests.benchmarks.searching import ASKED, Deck
from tests.benchmarks.timing import percentile, seconds
from tests.servers.indexed import IndexedDeck, search_server
from tests.servers.meilisearch import PROGRAM

LIMIT, TIMES = 0.010, 1.5
SPOKEN = ("en",)
PUT_BARE = 20_000
WRITERS = 4
DECK = 100_000
Asked = Mapping[str, list[tuple[str, dict[str, Any]]]]


def run(report: Report) -> None:
    if not PROGRAM.exists():
        report.say("the search server is not installed: left out")
        return
    count = 2_000 if report.quick else DECK
    with fresh_database("sqlite") as database:
        deck = Deck(database, count)
        _run(report, database, deck.user_id, deck.queries(5 if report.quick else ASKED), count)


def _run(report: Report, database: Database, user_id: int, asked: Asked, count: int) -> None:
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
    ours: list[float] = []
    theirs: list[float] = []
    alone: list[float] = []
    for number, (words, only) in enumerate(queries):
        query = SearchQuery(user_id, parse_query(f"{words} "), ItemFilter(**only))
        search = partial(_search, deck, query)
        ask = partial(straight.ask, *straight.same(query))
        for did, work in _in_turns(number, (ours, search), (theirs, ask)):
            did.append(seconds(work))
        alone.append(seconds(partial(straight.ask, *straight.words(words))))
    half, direct, bare = (percentile(each, 50) * 1000 for each in (ours, theirs, alone))
    most, direct_most = percentile(ours, 95), percentile(theirs, 95)
    named = f"search {count:,} items, {what}, meilisearch"
    report.say(
        f"{named}: p50 {half:.1f} ms, asked for the same {direct:.1f} ms, for the words alone"
        f" {bare:.1f} ms (p95 {percentile(alone, 95) * 1000:.1f} ms)"
    )
    report.time(f"{named}, p95", most, below=LIMIT, beside=direct_most, name="asked directly")
    report.no_slower(
        f"{named}, p50", half / 1000, times=TIMES, beside=direct / 1000, name="asked directly"
    )


def _in_turns(
    number: int, *works: tuple[list[float], Callable[[], object]]
) -> Sequence[tuple[list[float], Callable[[], object]]]:
    """Whoever asks second finds the index in memory."""
    return works if number % 2 else works[::-1]


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
        self._index = service.index_name
        self._headers = {
            "Authorization": f"Bearer {server.key}",
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
        }
        self._reach = SearchReach(database)

    def same(self, query: SearchQuery) -> tuple[str, dict[str, Any]]:
        reach = self._reach.reach(query, own_changes=False)
        return request(self._index, translated(query, reach, SPOKEN), query)

    def words(self, words: str) -> tuple[str, dict[str, Any]]:
        asked = {
            "q": words,
            "matchingStrategy": "all",
            "facets": COUNTED_BY_SERVER,
            "attributesToRetrieve": ["id", "title", "summary", "published_at"],
            "attributesToHighlight": ["title", "summary", "content"],
            "attributesToCrop": ["summary", "content"],
        }
        return f"indexes/{self._index}/search", asked

    def ask(self, path: str, asked: dict[str, Any]) -> None:
        self._connection.request("POST", f"/{path}", json.dumps(asked), self._headers)
        answer = self._connection.getresponse()
        assert "hits" in json.loads(answer.read()), answer.status

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
