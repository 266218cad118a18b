"""What a reader would have brought, and how it is stored; how statements are counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Row, event

from morningdeck.model.kinds import Health
from morningdeck.model.reading import Entry, Fetched, FetchTrouble, Reading
from morningdeck.store.database.connect import Database
from morningdeck.store.results.fetched import save_fetched, save_trouble
from morningdeck.store.tables.news import items
from morningdeck.work import Job, Stage
from tests.conftest import NOW
from tests.factories import rows_of


def an_entry(number: int, **fields: Any) -> Entry:
    """One that was published `number` hours ago."""
    url = f"https://news.example/{number}"
    entry = Entry(
        guid=f"guid-{number}",
        url=url,
        canonical_url=url,
        title=f"Title {number}",
        text=f"Text {number}.",
        html=f"<p>Text {number}.</p>",
        content_hash=f"hash-{number}",
        published_at=NOW - timedelta(hours=number),
    )
    return replace(entry, **fields)


def keep(database: Database, source_id: int, *entries: Entry, now: datetime = NOW) -> None:
    """As a fetch of a source that was read before leaves them."""
    keep_fetched(database, source_id, Fetched(Reading(entries)), now)


def keep_fetched(database: Database, source_id: int, fetched: Fetched, now: datetime = NOW) -> None:
    with database.write() as connection:
        save_fetched(connection, Job(Stage.FETCH, source_id, 1), fetched, now)


def keep_trouble(database: Database, source_id: int, health: Health, tell: str | None) -> None:
    with database.write() as connection:
        job = Job(Stage.FETCH, source_id, 1)
        save_trouble(connection, job, FetchTrouble(health, tell), NOW)


def items_of(database: Database, source_id: int) -> list[Row[Any]]:
    return rows_of(database, items, items.c.source_id == source_id)


@contextmanager
def counted_statements() -> Iterator[list[str]]:
    """The statements that are sent within, transactions aside."""
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if not statement.startswith(("BEGIN", "COMMIT")):
            sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)
