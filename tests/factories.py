"""Rows that tests start from: written straight into the tables, ready to be worked on."""

from __future__ import annotations

import itertools
from typing import Any

from sqlalchemy import Row, Table, select

from morningdeck.store.database.connect import Database
from morningdeck.store.tables import (
    briefings,
    deliveries,
    item_texts,
    items,
    reports,
    sources,
    subscriptions,
    users,
)
from tests.conftest import NOW

_numbers = itertools.count(1)


def make(database: Database, table: Table, **values: Any) -> int:
    with database.write() as connection:
        insert = table.insert().values(**values).returning(table.c.id)
        return int(connection.execute(insert).scalar_one())


def row_of(database: Database, table: Table, row_id: int) -> Row[Any]:
    with database.read() as connection:
        return connection.execute(select(table).where(table.c.id == row_id)).one()


def make_user(database: Database, **values: Any) -> int:
    return make(database, users, **{"email": f"reader{next(_numbers)}@example.org", **values})


def make_source(database: Database, **values: Any) -> int:
    """A source that somebody wants and that is due."""
    url = f"https://news.example/{next(_numbers)}"
    return make(database, sources, **{"url": url, "wanted": True, "due_at": NOW, **values})


def make_subscription(database: Database, user_id: int, source_id: int, **values: Any) -> int:
    return make(database, subscriptions, user_id=user_id, source_id=source_id, **values)


def make_items(database: Database, source_id: int, count: int, **values: Any) -> tuple[int, ...]:
    """Items that wait in line, in the order they are returned in."""
    rows = [
        {
            "source_id": source_id,
            "guid": f"guid-{next(_numbers)}",
            "title": f"Item {turn}",
            "content_hash": "hash",
            "first_seen_at": NOW,
            "turn": turn,
            **values,
        }
        for turn in range(count)
    ]
    insert = items.insert().returning(items.c.id, sort_by_parameter_order=True)
    with database.write() as connection:
        ids = tuple(connection.scalars(insert, rows))
        texts = [{"item_id": item_id, "clean_content": "Some text."} for item_id in ids]
        connection.execute(item_texts.insert(), texts)
    return ids


def make_item(database: Database, source_id: int, **values: Any) -> int:
    (item_id,) = make_items(database, source_id, 1, **values)
    return item_id


def make_briefing(database: Database, user_id: int, **values: Any) -> int:
    """A daily briefing that is due."""
    planned = {"title": "Morning", "due_at": NOW, "next_run_at": NOW}
    return make(database, briefings, user_id=user_id, **{**planned, **values})


def make_delivery(database: Database, **values: Any) -> int:
    """An envelope that is due, of a report of its own."""
    briefing = make_briefing(database, make_user(database))
    report = make(database, reports, briefing_id=briefing, slot="2026-11-18", status="GENERATED")
    envelope = {
        "channel": "folder",
        "address": "reader@example.org",
        "content": b"Hello",
        "due_at": NOW,
    }
    return make(database, deliveries, report_id=report, **{**envelope, **values})
