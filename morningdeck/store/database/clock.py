"""The database's clock: the one that all daemons of one PostgreSQL agree on.

Leases are compared across machines, whose own clocks differ and are set at times. So the
database is asked now and then, and the monotonic clock counts on from its answer.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from sqlalchemy import func, select

from morningdeck.store.database.connect import Database


class DatabaseClock:
    def __init__(self, database: Database) -> None:
        self._database = database
        self.ask()

    def ask(self) -> None:
        """Set the clock anew; half of the way there and back is taken off."""
        began = time.monotonic()
        with self._database.heartbeat() as connection:
            answer: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
        self._set = (answer, (began + time.monotonic()) / 2)

    def __call__(self) -> datetime:
        answer, at = self._set
        return answer + timedelta(seconds=time.monotonic() - at)
