"""Rows for tests of the store: what a fetch and an enricher would have left behind."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

from sqlalchemy import Table, insert, select, update

from morningdeck.model import NewBriefing, NewSource, Plan
from morningdeck.store.database.connect import Database
from morningdeck.store.tables import item_scores, items, reports, sources
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.store.views.users import Users
from tests.conftest import NOW

DAILY = Plan(8, 0, "Europe/Paris")


class Stock:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._numbers = itertools.count(1)

    def user(self, email: str = "ada@example.org") -> int:
        return Users(self.database).add(email, now=NOW).id

    def source(self, user_id: int, url: str = "https://example.org/feed", **values: Any) -> int:
        subscriptions = Subscriptions(self.database)
        return subscriptions.subscribe(user_id, NewSource(url, **values), now=NOW, due_at=NOW).id

    def item(self, source_id: int, **values: Any) -> int:
        """An enriched item, first seen an hour ago, unless the values say otherwise."""
        row = {
            "source_id": source_id,
            "guid": f"guid-{next(self._numbers)}",
            "title": "Harbour opens",
            "status": "DONE",
            "enriched_by": "offline",
            "first_seen_at": NOW - timedelta(hours=1),
            **values,
        }
        return self._insert(items, row)

    def briefing(self, user_id: int, **chosen: Any) -> int:
        values = {"title": "Morning", "criteria": "ships", "plan": DAILY, "channels": ("folder",)}
        wanted = NewBriefing(**{**values, **chosen})
        briefings = Briefings(self.database)
        return briefings.add(user_id, wanted, now=NOW, next_run_at=NOW + timedelta(days=1)).id

    def score(self, item_id: int, briefing_id: int, score: int) -> None:
        row = {"item_id": item_id, "briefing_id": briefing_id, "score": score, "reason": "ships"}
        with self.database.write() as connection:
            connection.execute(insert(item_scores).values(row))

    def report(self, briefing_id: int, slot: str = "2026-11-18") -> int:
        row = {"briefing_id": briefing_id, "slot": slot, "status": "GENERATED", "subject": "News"}
        return self._insert(reports, row)

    def set(self, table: Table, row_id: int, **values: Any) -> None:
        with self.database.write() as connection:
            connection.execute(update(table).where(table.c.id == row_id).values(**values))

    def row(self, table: Table, row_id: int) -> Any:
        with self.database.read() as connection:
            return connection.execute(select(table).where(table.c.id == row_id)).one()

    def wanted(self, source_id: int) -> bool:
        return bool(self.row(sources, source_id).wanted)

    def status(self, item_id: int) -> str:
        return str(self.row(items, item_id).status)

    def _insert(self, table: Table, row: dict[str, Any]) -> int:
        with self.database.write() as connection:
            return int(connection.scalars(insert(table).values(**row).returning(table.c.id)).one())
