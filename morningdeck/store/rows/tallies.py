"""What is counted of a day beside the calls of models: see `Tally`.

A process writes its counts every few seconds and at its end, so that counting costs nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from threading import Lock

from morningdeck.errors import DatabaseAwayError
from morningdeck.model.asking import Tally
from morningdeck.ports.engine import Clock
from morningdeck.store.database.bulk import insert
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.days import installation_day
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.tables.running import tallies

WRITE_SECONDS = 5.0


class SqlTallies(Repository):
    """The port `Tallies`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock
        self._counts: Counter[Tally] = Counter()
        self._counting = Lock()
        self._write_at = 0.0

    def add(self, what: Tally, number: int = 1) -> None:
        with self._counting:
            self._counts[what] += number
            due = time.monotonic() >= self._write_at
        if due:
            self.write()

    def write(self) -> None:
        """A database that is away gets them the next time."""
        with self._counting:
            counts, self._counts = +self._counts, Counter()
            self._write_at = time.monotonic() + WRITE_SECONDS
        if not counts:
            return
        try:
            self._put(counts)
        except DatabaseAwayError:
            with self._counting:
                self._counts += counts

    def close(self) -> None:
        self.write()

    def _put(self, counts: Counter[Tally]) -> None:
        day, _ = installation_day(self._database, self._clock())
        # in one order, so that two processes do not wait for each other
        rows = [{"day": day, "what": what.value, "number": counts[what]} for what in sorted(counts)]
        with self._database.write() as connection:
            statement = insert(connection, tallies)
            total = tallies.c.number + statement.excluded.number
            connection.execute(
                statement.on_conflict_do_update(
                    index_elements=("day", "what"), set_={"number": total}
                ),
                rows,
            )
