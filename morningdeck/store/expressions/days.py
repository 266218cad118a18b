"""Which day it is for the whole installation: that of its first user."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select

from morningdeck.schedule import zone_or_utc
from morningdeck.store.database.connect import Database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.tables.people import users

KNOWN_FOR = timedelta(minutes=1)
"""A user moves house seldom, and calls of models come by the hundred."""
_ZONE = Prepared(select(users.c.timezone).where(users.c.enabled).order_by(users.c.id).limit(1))


def installation_day(database: Database, now: datetime) -> tuple[date, datetime]:
    """The day, and when it ends."""
    return InstallationDays(database).at(now)


class InstallationDays:
    """For those who ask at every call."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._zone: tuple[datetime, ZoneInfo] | None = None

    def at(self, now: datetime) -> tuple[date, datetime]:
        zone = self._zone_at(now)
        day = now.astimezone(zone).date()
        return day, datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)

    def _zone_at(self, now: datetime) -> ZoneInfo:
        if self._zone is not None and self._zone[0] <= now < self._zone[0] + KNOWN_FOR:
            return self._zone[1]
        rows = self._database.run(_ZONE, {})
        self._zone = now, zone_or_utc(rows[0][0] if rows else "UTC")
        return self._zone[1]
