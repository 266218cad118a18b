"""Dead letters: items that failed for good, to be seen, brought back, or purged.

They are the operator's, whoever reads their sources.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, func, insert, literal, select, update

from morningdeck.store.connect import Database
from morningdeck.store.line import line_up
from morningdeck.store.stages import STAGES
from morningdeck.store.tables import item_states, items, seen_guids
from morningdeck.views import DeadLetterView
from morningdeck.work import LIFECYCLES, Stage

PURGED_AT_ONCE = 500

DEAD = items.c.status == literal("ERROR", literal_execute=True)
"""Not as a parameter: SQLite finds its partial index by these very words."""


class DeadLetters:
    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, limit: int = 50) -> tuple[DeadLetterView, ...]:
        query = select(items).where(DEAD).order_by(items.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return tuple(
                DeadLetterView(
                    stage=Stage.PROCESSING.value,
                    id=row.id,
                    title=row.title,
                    url=row.url,
                    error=row.last_error,
                    failures=row.failures,
                    losses=row.losses,
                    first_seen_at=row.first_seen_at,
                )
                for row in connection.execute(query)
            )

    def retry(self, ids: Collection[int] | None = None) -> int:
        """Have these wait again, or all of them; returns how many do."""
        which = DEAD if ids is None else and_(DEAD, items.c.id.in_(ids))
        with self._database.write() as connection:
            return line_up(connection, which, failures=0, losses=0)

    def hurry(self, stage: Stage, now: datetime, ids: Collection[int] | None = None) -> int:
        """Sources or briefings that wait for another try after a failure are due now."""
        table = STAGES[stage].table
        statement = update(table).where(
            table.c.status == LIFECYCLES[stage].waiting, table.c.failures > 0, table.c.due_at > now
        )
        if ids is not None:
            statement = statement.where(table.c.id.in_(ids))
        with self._database.write() as connection:
            return connection.execute(statement.values(due_at=now)).rowcount

    def purge(self, *, older_than: timedelta, now: datetime) -> int:
        """Delete those that died longer ago, but for what somebody saved."""
        purged = 0
        while batch := self._purge_some(now - older_than):
            purged += batch
        return purged

    def _purge_some(self, before: datetime) -> int:
        died_at = func.coalesce(items.c.started_at, items.c.first_seen_at)
        page = select(items.c.id).where(DEAD, died_at < before, _unsaved()).limit(PURGED_AT_ONCE)
        with self._database.write() as connection:
            ids = connection.scalars(page).all()
            # their guids stay, or the next fetch would take them for news
            seen = select(items.c.source_id, items.c.guid).where(items.c.id.in_(ids), DEAD)
            connection.execute(insert(seen_guids).from_select(["source_id", "guid"], seen))
            return connection.execute(delete(items).where(items.c.id.in_(ids), DEAD)).rowcount


def _unsaved() -> ColumnElement[bool]:
    saved = select(item_states.c.item_id).where(item_states.c.saved_at.is_not(None))
    return items.c.id.not_in(saved)
