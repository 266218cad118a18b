"""Rows that tests start from.

The functions write straight into the tables what is due and ready to be worked on. `Stock` is
for what users see: added as the commands add it, with items that have been enriched.
"""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, select, update

from morningdeck.model.sending import Plan
from morningdeck.model.wanting import NewBriefing, NewSource
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import briefings, deliveries, item_scores, reports
from morningdeck.store.tables.news import item_texts, items, sources, subscriptions
from morningdeck.store.tables.people import users
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.store.views.users import Users
from tests.conftest import NOW

DAILY = Plan(8, 0, "Europe/Paris")
_numbers = itertools.count(1)


def make(database: Database, table: Table, **values: Any) -> int:
    with database.write() as connection:
        insert = table.insert().values(**values).returning(table.c.id)
        return int(connection.execute(insert).scalar_one())


def change(database: Database, table: Table, row_id: int, **values: Any) -> None:
    with database.write() as connection:
        connection.execute(update(table).where(table.c.id == row_id).values(**values))


def row_of(database: Database, table: Table, row_id: int) -> Row[Any]:
    (row,) = rows_of(database, table, table.c.id == row_id)
    return row


def rows_of(database: Database, table: Table, *where: ColumnElement[bool]) -> list[Row[Any]]:
    query = select(table).where(*where).order_by(*table.primary_key)
    with database.read() as connection:
        return list(connection.execute(query))


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


def make_score(database: Database, item_id: int, briefing_id: int, score: int) -> None:
    row = {"item_id": item_id, "briefing_id": briefing_id, "score": score, "reason": "ships"}
    with database.write() as connection:
        connection.execute(item_scores.insert().values(row))


def make_report(database: Database, briefing_id: int, **values: Any) -> int:
    written = {"slot": "2026-11-18", "status": "GENERATED", **values}
    return make(database, reports, briefing_id=briefing_id, **written)


def make_delivery(database: Database, **values: Any) -> int:
    """An envelope that is due, of a report of its own."""
    envelope = {
        "channel": "folder",
        "address": "reader@example.org",
        "content": b"Hello",
        "due_at": NOW,
        **values,
    }
    recipients = [envelope["address"]]
    briefing = make_briefing(database, make_user(database), recipients=recipients)
    return make(database, deliveries, report_id=make_report(database, briefing), **envelope)


class Stock:
    """What a few users have, in one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def user(self, email: str = "ada@example.org") -> int:
        return Users(self.database).add(email, now=NOW).id

    def source(self, user_id: int, url: str = "https://example.org/feed", **values: Any) -> int:
        subscriptions = Subscriptions(self.database)
        return subscriptions.subscribe(user_id, NewSource(url, **values), now=NOW).id

    def item(self, source_id: int, **values: Any) -> int:
        """First seen an hour ago, and without a text, unless the values say otherwise."""
        row = {
            "source_id": source_id,
            "guid": f"guid-{next(_numbers)}",
            "title": "Harbour opens",
            "status": "DONE",
            "enriched_by": "offline",
            "first_seen_at": NOW - timedelta(hours=1),
            **values,
        }
        return make(self.database, items, **row)

    def set_text(self, item_id: int, **texts: str) -> None:
        with self.database.write() as connection:
            connection.execute(item_texts.insert().values(item_id=item_id, **texts))

    def briefing(self, user_id: int, **chosen: Any) -> int:
        values = {"title": "Morning", "criteria": "ships", "plan": DAILY, "channels": ("folder",)}
        wanted = NewBriefing(**{**values, **chosen})
        briefings = Briefings(self.database)
        return briefings.add(user_id, wanted, now=NOW, next_run_at=NOW + timedelta(days=1)).id

    def score(self, item_id: int, briefing_id: int, score: int) -> None:
        make_score(self.database, item_id, briefing_id, score)

    def report(self, briefing_id: int, slot: str = "2026-11-18") -> int:
        return make_report(self.database, briefing_id, slot=slot, subject="News")

    def set(self, table: Table, row_id: int, **values: Any) -> None:
        change(self.database, table, row_id, **values)

    def row(self, table: Table, row_id: int) -> Row[Any]:
        return row_of(self.database, table, row_id)

    def wanted(self, source_id: int) -> bool:
        return bool(self.row(sources, source_id).wanted)

    def status(self, item_id: int) -> str:
        return str(self.row(items, item_id).status)
