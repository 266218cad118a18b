"""Due times of sources that share a host, kept apart so that no worker waits for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, select, update

from morningdeck.store.tables.news import sources

LOOKED_AHEAD = 8
"""So many due times are looked at; where more are close, the host's waiting list sorts them out."""

_THIS = select(sources.c.host, sources.c.due_at).where(sources.c.id == bindparam("source_id"))
_NEIGHBOURS = (
    select(sources.c.due_at)
    .where(
        sources.c.host == bindparam("host"),
        sources.c.id != bindparam("source_id"),
        sources.c.wanted,
        sources.c.due_at > bindparam("from"),
    )
    .order_by(sources.c.due_at)
    .limit(LOOKED_AHEAD)
)


def space_out(connection: Connection, source_id: int, apart: timedelta) -> None:
    """Move the source's due time to the first moment with no other source of its host near.

    Only by a little: if all near moments are taken it stays, as the host may have time after all.
    """
    if not apart:
        return
    row = connection.execute(_THIS, {"source_id": source_id}).one()
    if not row.host or row.due_at is None:
        return
    where = {"source_id": source_id, "host": row.host, "from": row.due_at - apart}
    gap = _gap(connection.scalars(_NEIGHBOURS, where).all(), row.due_at, apart)
    if gap != row.due_at:
        this = update(sources).where(sources.c.id == source_id)
        connection.execute(this.values(due_at=gap))


def _gap(near: Sequence[datetime], due_at: datetime, apart: timedelta) -> datetime:
    gap = due_at
    for taken in near:
        if taken - gap >= apart:
            return gap
        gap = max(gap, taken + apart)
    return gap if len(near) < LOOKED_AHEAD else due_at
