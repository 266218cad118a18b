"""What one reader can search, put on the shelf item by item."""

from __future__ import annotations

from typing import Any

from sqlalchemy import update

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import ItemFilter, SearchAnswer, SearchQuery
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.indexed import index_items
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import item_states, item_texts
from morningdeck.store.views.search_index import FulltextIndex
from tests.factories import make_item, make_score, make_source, make_subscription, make_user


class Shelf:
    """What one reader can search."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.index = FulltextIndex(database)
        self.reader = make_user(database)
        self.source = make_source(database)
        make_subscription(database, self.reader, self.source)

    def item(self, title: str, text: str = "", **values: Any) -> int:
        row = {"title": title, "status": "DONE", "search_mark": 1, **values}
        item = make_item(self.database, row.pop("source_id", self.source), **row)
        with self.database.write() as connection:
            this = update(item_texts).where(item_texts.c.item_id == item)
            connection.execute(this.values(clean_content=text))
            index_items(connection, [item])
        outbox = SearchOutbox(self.database)
        outbox.clear(outbox.documents(10))
        return item

    def mark(self, item: int, **values: Any) -> None:
        with self.database.write() as connection:
            row = {"user_id": self.reader, "item_id": item, **values}
            connection.execute(item_states.insert().values(row))

    def score(self, item: int, briefing: int, score: int) -> None:
        make_score(self.database, item, briefing, score)

    def search(
        self, text: str, *, sort: str = "relevance", limit: int = 20, offset: int = 0, **only: Any
    ) -> SearchAnswer:
        query = SearchQuery(self.reader, parse_query(text), ItemFilter(**only), sort, limit, offset)
        return self.index.search(query)

    def found(self, text: str, **filters: Any) -> list[int]:
        return sorted(hit.id for hit in self.search(text, **filters).hits)
