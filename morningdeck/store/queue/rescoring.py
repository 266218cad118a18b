"""Items that ask for scores again, for briefings that do not know them yet."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, and_, or_, true, update

from morningdeck.selection import WEEKLY_WINDOW
from morningdeck.store.tables.columns import among
from morningdeck.store.tables.news import items


def ask_for_scores(
    connection: Connection,
    source_ids: Select[int] | tuple[int, ...],
    now: datetime,
    *,
    only: ColumnElement[bool] | None = None,
) -> int:
    """Have the recent items of these sources scored for briefings that do not know them yet."""
    # what a first import has only stored stays unscored
    enriched = and_(among(items.c.status, "DONE"), items.c.enriched_by.is_not(None))
    in_work = among(items.c.status, "PENDING", "PROCESSING")
    statement = (
        update(items)
        .where(
            items.c.source_id.in_(source_ids),
            items.c.first_seen_at >= now - WEEKLY_WINDOW,
            or_(enriched, in_work),
            ~items.c.rescore,
            true() if only is None else only,
        )
        .values(rescore=True)
    )
    return connection.execute(statement).rowcount
