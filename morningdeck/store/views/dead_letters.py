"""Dead letters: items that failed for good, to be seen, brought back, or purged.

They are the operator's, whoever reads their sources.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import and_, or_, select, true

from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.queue.line import line_up
from morningdeck.store.queue.stages import STAGES
from morningdeck.store.tables.news import dead_letter, items
from morningdeck.store.views.retention import died_at
from morningdeck.views.running import DeadLetterView
from morningdeck.work import LIFECYCLES, Stage


class DeadLetters(Repository):
    def list(self, limit: int = 50) -> tuple[DeadLetterView, ...]:
        query = (
            select(items)
            .where(dead_letter)
            .order_by(died_at.desc(), items.c.id.desc())
            .limit(limit)
        )
        return tuple(
            made_of(row, DeadLetterView, stage=Stage.PROCESSING.value, error=row.last_error)
            for row in self._rows(query)
        )

    def retry(self, ids: Collection[int] | None = None) -> int:
        """Have these wait again, or all of them; returns how many do."""
        which = dead_letter if ids is None else and_(dead_letter, items.c.id.in_(ids))
        with self._database.write() as connection:
            revived = line_up(connection, which, failures=0, losses=0)
            end_what_is_over(connection)
        return revived

    def hurry(self, stage: Stage, now: datetime, ids: Collection[int] | None = None) -> int:
        """Have sources or briefings tried now that wait after a failure or a lost worker."""
        table = STAGES[stage].table
        troubled = or_(table.c.failures > 0, table.c.last_error.is_not(None))
        waits = and_(table.c.status == LIFECYCLES[stage].waiting, table.c.due_at > now)
        which = true() if ids is None else table.c.id.in_(ids)
        return self._change(table, waits, troubled, which, due_at=now)
