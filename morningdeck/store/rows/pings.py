"""Pings that are owed: taken by one process at a time, and gone once they were told."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, select, update

from morningdeck.model.pinged import Ping
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.tables.briefs import briefings, pings, reports

TAKEN_FOR = timedelta(minutes=1)
"""A process that has not told them by then is gone: they are due again."""
MOST_TAKEN = 20


class SqlPings(Repository):
    def waits(self, now: datetime) -> bool:
        query = select(pings.c.report_id).where(pings.c.due_at <= now).limit(1)
        return self._scalar(query) is not None

    def take(self, now: datetime) -> tuple[Ping, ...]:
        """No two callers get the same one."""
        due = select(pings.c.report_id).where(pings.c.due_at <= now).order_by(pings.c.due_at)
        taken = (
            update(pings)
            .where(pings.c.report_id.in_(due.limit(MOST_TAKEN)), pings.c.due_at <= now)
            .values(due_at=now + TAKEN_FOR, attempts=pings.c.attempts + 1)
            .returning(pings.c.report_id)
        )
        with self._database.write() as connection:
            ids = connection.scalars(taken).all()
            rows = connection.execute(
                select(pings, briefings.c.ping_url)
                .select_from(pings.join(reports).join(briefings))
                .where(pings.c.report_id.in_(ids))
            ).all()
        return tuple(
            Ping(row.report_id, row.ping_url or "", row.ok, row.told, row.attempts) for row in rows
        )

    def done(self, ping: Ping) -> None:
        """Unless there has been another run meanwhile."""
        with self._database.write() as connection:
            connection.execute(delete(pings).where(_same(ping)))

    def put_off(self, ping: Ping, at: datetime) -> None:
        with self._database.write() as connection:
            connection.execute(update(pings).where(_same(ping)).values(due_at=at))


def _same(ping: Ping) -> ColumnElement[bool]:
    return and_(pings.c.report_id == ping.report_id, pings.c.attempts == ping.attempts)
