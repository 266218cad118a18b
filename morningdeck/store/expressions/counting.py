"""Numbers that stay cheap with a million rows."""

from __future__ import annotations

from sqlalchemy import Connection, Select, func, select


def count_up_to(cap: int, connection: Connection, query: Select[int]) -> int:
    """How many rows the query finds; it looks for no more than `cap`."""
    counted = select(func.count()).select_from(query.limit(cap).subquery())
    return connection.scalar(counted) or 0
