"""A process that fills the index, and what changes in the database meanwhile."""

from __future__ import annotations

from typing import Any

from morningdeck.indexing import Indexing
from morningdeck.search.service import MeilisearchService
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import items, next_search_mark, search_gone
from tests.conftest import ManualClock


class Filler:
    """A process that fills the index, in small batches."""

    def __init__(self, database: Database, service: MeilisearchService, clock: ManualClock) -> None:
        self.rows = SearchOutbox(database)
        self.service = service
        self.indexing = Indexing(self.rows, lambda: service, clock, most=7)

    def work_off(self) -> None:
        while self.indexing.round() or self.rows.waits():
            pass


def touch(database: Database, *ids: int, **values: Any) -> None:
    with database.write() as connection:
        these = items.update().where(items.c.id.in_(ids))
        connection.execute(these.values(search_mark=next_search_mark, **values))


def remove(database: Database, *ids: int) -> None:
    with database.write() as connection:
        connection.execute(search_gone.insert(), [{"item_id": one} for one in ids])
        connection.execute(items.delete().where(items.c.id.in_(ids)))
