"""How jobs end, how long they take and how much waits: written down by the hour and quarter.

Endings are counted in memory, and written once a minute and when the process ends, so that
counting costs an addition. What a process that is killed has not written is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from threading import Lock

from sqlalchemy import ColumnElement, case

from morningdeck.errors import DatabaseAwayError
from morningdeck.model.hours import HOUR, DepthView, Ending, slot, within
from morningdeck.store.database.bulk import insert
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.tables.running import stage_depths, stage_hours
from morningdeck.work import Stage


class SqlHours(Repository):
    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._counts: Counter[tuple[str, datetime, str, int]] = Counter()
        self._counting = Lock()

    def add(self, stage: Stage, ending: Ending, seconds: float, now: datetime) -> None:
        key = (stage.value, slot(now, HOUR), ending.value, within(seconds))
        with self._counting:
            self._counts[key] += 1

    def write(self) -> None:
        """A database that is away gets them the next time."""
        with self._counting:
            counts, self._counts = self._counts, Counter()
        if not counts:
            return
        try:
            self._put(counts)
        except DatabaseAwayError:
            with self._counting:
                self._counts += counts

    def close(self) -> None:
        self.write()

    def _put(self, counts: Counter[tuple[str, datetime, str, int]]) -> None:
        names = ("stage", "hour", "ending", "within_ms")
        # in one order, so that two processes do not wait for each other
        rows = [
            {**dict(zip(names, key, strict=True)), "number": counts[key]} for key in sorted(counts)
        ]
        with self._database.write(lasting=False) as connection:
            statement = insert(connection, stage_hours)
            total = stage_hours.c.number + statement.excluded.number
            connection.execute(
                statement.on_conflict_do_update(index_elements=names, set_={"number": total}), rows
            )

    def note_depths(self, seen: Iterable[DepthView]) -> None:
        """Of each quarter of an hour the most is kept."""
        rows = [
            {"stage": of.stage, "at": of.at, "waiting": of.waiting, "oldest": of.oldest_seconds}
            for of in sorted(seen, key=lambda of: of.stage)
        ]
        with self._database.write(lasting=False) as connection:
            statement = insert(connection, stage_depths)
            most = {
                name: _greater(stage_depths.c[name], statement.excluded[name])
                for name in ("waiting", "oldest")
            }
            connection.execute(
                statement.on_conflict_do_update(index_elements=("stage", "at"), set_=most), rows
            )


def _greater(one: ColumnElement[int], other: ColumnElement[int]) -> ColumnElement[int]:
    return case((one > other, one), else_=other)
