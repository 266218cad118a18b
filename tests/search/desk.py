"""What one reader can search, on the server and in the database."""

from __future__ import annotations

from typing import Any

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import ItemFilter, SearchAnswer, SearchQuery
from morningdeck.ports.verbs import SearchIndex
from morningdeck.search.service import MeilisearchService
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.indexed import index_items
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import item_texts
from tests.factories import make_item, make_source, make_subscription, make_user


class Desk:
    """What one reader can search on the server."""

    def __init__(self, database: Database, index: SearchIndex) -> None:
        self.database = database
        self.index = index
        self.reader = make_user(database)
        self.source = make_source(database)
        make_subscription(database, self.reader, self.source)

    def item(self, title: str, text: str = "", **values: Any) -> int:
        row = {"title": title, "status": "DONE", "search_mark": 1, **values}
        item = make_item(self.database, row.pop("source_id", self.source), **row)
        with self.database.write() as connection:
            this = item_texts.update().where(item_texts.c.item_id == item)
            connection.execute(this.values(clean_content=text))
            index_items(connection, [item])
        return item

    def push(self) -> None:
        outbox = SearchOutbox(self.database)
        documents = outbox.documents(1000)
        self.index.put(documents, ())
        outbox.clear(documents)

    def ask(self, text: str, **only: Any) -> SearchAnswer:
        """Whoever answers."""
        return self.index.search(SearchQuery(self.reader, parse_query(text), ItemFilter(**only)))

    def search(self, text: str, **only: Any) -> SearchAnswer:
        answer = self.ask(text, **only)
        assert (answer.backend, answer.degraded) == ("meilisearch", False), text
        return answer

    def found(self, text: str, **only: Any) -> list[int]:
        return sorted(hit.id for hit in self.search(text, **only).hits)


def assert_true(database: Database, service: MeilisearchService) -> None:
    """The index has exactly the items of the database, each as it is, and nothing waits."""
    rows = SearchOutbox(database)
    assert not rows.waits()
    wanted = {one.id: service.digest(one) for one in rows.after(0, 100_000)}
    there = service.digests(1, max(rows.highest(), service.highest(), 1))
    assert there == wanted
