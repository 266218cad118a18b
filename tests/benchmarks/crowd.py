"""A million items of a thousand sources, made inside the database in half a minute."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Text, case, cast, insert, literal, select, text, update

from morningdeck.store.database.connect import Database
from morningdeck.store.tables.columns import UtcTime
from morningdeck.store.tables.news import items, sources

SOURCES = 1_000
CHUNK = 50_000
"""Rows in one statement: PostgreSQL gives each of ours 30 seconds."""


def fill(database: Database, count: int, **values: Any) -> None:
    """Items that wait in line unless the values say otherwise, a tenth of them fresh."""
    with database.write() as connection:
        feeds = [{"url": f"https://crowd.example/{number}"} for number in range(SOURCES)]
        connection.execute(insert(sources), feeds)
        first = connection.scalar(select(sources.c.id).order_by(sources.c.id.desc()).limit(1))
    for start in range(0, count, CHUNK):
        _fill(database, start, min(start + CHUNK, count), (first or 0) - SOURCES + 1, values)
    settle_down(database)


def _fill(database: Database, start: int, end: int, first: int, values: dict[str, Any]) -> None:
    number = numbers(start, end)
    columns: dict[str, Any] = {
        "source_id": number % SOURCES + first,
        "guid": literal("crowd-") + cast(number, Text),
        "title": literal("Item"),
        "content_hash": literal("hash"),
        "first_seen_at": literal(datetime.now(UTC), UtcTime),
        "priority": case((number % 10 == 0, 10), else_=0),
        "turn": number // SOURCES,
        **{name: literal(value, items.c[name].type) for name, value in values.items()},
    }
    with database.write() as connection:
        connection.execute(insert(items).from_select(list(columns), select(*columns.values())))


def numbers(start: int, end: int) -> ColumnElement[int]:
    """A column of these, without the last, that statements can choose from."""
    them = select(literal(start).label("n")).cte("numbers", recursive=True)
    return them.union_all(select(them.c.n + 1).where(them.c.n < end - 1)).c.n


def finish(database: Database, from_id: int, to_id: int) -> None:
    """Let these items be done."""
    for start in range(from_id, to_id + 1, CHUNK):
        chosen = items.c.id.between(start, min(start + CHUNK - 1, to_id))
        with database.write() as connection:
            connection.execute(update(items).where(chosen).values(status="DONE"))
    settle_down(database)


def settle_down(database: Database, *tables: str) -> None:
    """What PostgreSQL does by itself within some minutes."""
    if not database.exclusive:
        with database.read() as connection:
            connection.execute(text("SET statement_timeout = 0"))
            connection.execute(text(f"VACUUM ANALYZE {', '.join(tables or ('items',))}"))
            connection.execute(text("SET statement_timeout = 30000"))
