"""A search index beside the database follows it: what was removed there is forgotten here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from morningdeck.actions.search import push, reindex
from morningdeck.app import open_app
from morningdeck.model.finding import SearchAnswer, SearchDocument, SearchQuery
from morningdeck.settings.sections import Settings
from morningdeck.store.database.connect import Database
from morningdeck.store.store import Store
from tests.conftest import NOW
from tests.factories import make_item

WEEK = timedelta(days=7)


class Notebook:
    """Holds the ids of what it was given."""

    name = "notebook"

    def __init__(self) -> None:
        self.ids: set[int] = set()

    def put(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None:
        self.ids |= {document.id for document in documents}
        self.ids -= set(gone)

    def clear(self) -> None:
        self.ids.clear()

    def search(self, query: SearchQuery) -> SearchAnswer:
        return SearchAnswer(self.name, False, 0, (), {})


@pytest.fixture
def store(database: Database, database_url: str, tmp_path: Path) -> Iterator[Store]:
    given = {"data_dir": tmp_path, "database": {"url": database_url}}
    with open_app(Settings.model_validate(given)) as app:
        yield app.store


def test_what_is_removed_is_forgotten_as_soon_as_the_index_is_there(
    database: Database, store: Store, source: int
) -> None:
    index, outbox = Notebook(), store.search_outbox
    dead = {"status": "ERROR", "started_at": NOW - 2 * WEEK}
    make_item(database, source, search_mark=1, **dead)
    stays = make_item(database, source, search_mark=1)
    push(outbox, index)
    store.retention.purge_dead_letters(WEEK, NOW)

    assert outbox.waits()
    push(outbox, index)

    assert index.ids == {stays}
    assert not outbox.waits()


def test_an_index_made_anew_holds_nothing_else(
    database: Database, store: Store, source: int
) -> None:
    index, item = Notebook(), make_item(database, source)
    index.ids = {item + 1}

    assert reindex(store.search_outbox, index) == 1

    assert index.ids == {item}
