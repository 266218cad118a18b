"""The recipients that a briefing does not go to any more."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, delete, select

from morningdeck.store.expressions.repository import grouped
from morningdeck.store.tables.briefs import briefings, ended_addresses


def ended_of(briefing_id: int) -> Select[str]:
    return select(ended_addresses.c.address).where(ended_addresses.c.briefing_id == briefing_id)


def ended_in(connection: Connection, chosen: Select[Any]) -> dict[int, tuple[str, ...]]:
    """Of each of these briefings."""
    page = chosen.with_only_columns(briefings.c.id).subquery()
    query = (
        select(ended_addresses.c.briefing_id, ended_addresses.c.address)
        .join(page, page.c.id == ended_addresses.c.briefing_id)
        .order_by(ended_addresses.c.address)
    )
    return grouped((row[0], row[1]) for row in connection.execute(query))


def take_back(connection: Connection, briefing_id: int) -> None:
    """Whoever names the recipients anew means them."""
    connection.execute(delete(ended_addresses).where(ended_addresses.c.briefing_id == briefing_id))
