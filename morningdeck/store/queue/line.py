"""How items get in line, however many at once, in one UPDATE.

A status changes only from the one that the caller names, so that an item which a worker
has just taken stays taken.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
    true,
)

from morningdeck.selection import WEEKLY_WINDOW
from morningdeck.store.database.bulk import change
from morningdeck.store.queue.stages import next_turn
from morningdeck.store.tables.columns import among
from morningdeck.store.tables.news import in_line, items

# made once: every fetch that brings news asks
_SOURCE: BindParameter[int] = bindparam("source")
_LAST_TURN = select(func.max(items.c.turn)).where(items.c.source_id == _SOURCE, in_line)


def next_turn_of(connection: Connection, source_id: int) -> int:
    """The turn after the last that waits in this source's line."""
    last = connection.scalar(_LAST_TURN, {"source": source_id})
    return 0 if last is None else last + 1


def line_up(connection: Connection, which: ColumnElement[bool], **values: Any) -> int:
    """Put these items in line, each behind the waiting items of its source."""
    number = func.row_number().over(
        partition_by=items.c.source_id, order_by=(items.c.turn, items.c.id)
    )
    ranked = select(items.c.id, (next_turn() + number - 1).label("turn")).where(which).subquery()
    waits = {"status": "NEW", "due_at": None, "turn": ranked.c.turn, **values}
    return change(connection, items, items.c.id == ranked.c.id, which, **waits)


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
    return change(
        connection,
        items,
        items.c.source_id.in_(source_ids),
        items.c.first_seen_at >= now - WEEKLY_WINDOW,
        or_(enriched, in_work),
        ~items.c.rescore,
        true() if only is None else only,
        rescore=True,
    )
