"""How many rows of a stage wait, and when the next becomes due, until which dispatchers sleep."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Select, and_, func, or_, select

from morningdeck.store.expressions.counting import count_up_to
from morningdeck.store.queue.stages import StageTable
from morningdeck.store.tables.columns import among


def count_waiting(connection: Connection, of: StageTable, now: datetime, cap: int) -> int:
    return min(cap, sum(count_up_to(cap, connection, query) for query in _waiting(of, now)))


def next_due_at(connection: Connection, of: StageTable, now: datetime) -> datetime | None:
    for query in _waiting(of, now):
        if connection.execute(query.limit(1)).first() is not None:
            return now
    return connection.execute(_later(of)).scalar_one()


def _waiting(of: StageTable, now: datetime) -> list[Select[int]]:
    """One query an order, and one for the items whose time has come since the last claim."""
    table = of.table
    queries = [select(table.c.id).where(order.due(now)) for order in of.orders]
    if of.due_in_line:
        late = and_(table.c.due_at <= now, table.c.status == of.home)
        queries.append(
            select(table.c.id).where(late, or_(among(table.c.status, "NEW"), table.c.rescore))
        )
    return queries


def _later(of: StageTable) -> Select[datetime | None]:
    table = of.table
    waits = table.c.status == of.home if of.due_in_line else of.orders[0].waits
    return select(func.min(table.c.due_at)).where(waits, table.c.due_at.is_not(None))
