"""How SQLite goes about a query: it decides by the indexes there are, not by what is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, event

from morningdeck.store.database.connect import Database


def plan_of(database: Database, ask: Callable[[], object], holds: str) -> list[str]:
    """Its steps, for the first statement of `ask` that holds these words."""
    sent: list[tuple[str, Any]] = []

    def note(*told: Any) -> None:
        sent.append(told[2:4])

    event.listen(Engine, "before_cursor_execute", note)  # those that write have one of their own
    ask()
    event.remove(Engine, "before_cursor_execute", note)
    statement, values = next(one for one in sent if holds in one[0])
    with database.read() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        return [step.detail for step in plan]
