"""Which day it is for the whole installation: that of its first user."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import select

from morningdeck.schedule import zone_or_utc
from morningdeck.store.database.connect import Database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.tables.people import users

_ZONE = Prepared(select(users.c.timezone).where(users.c.enabled).order_by(users.c.id).limit(1))


def installation_day(database: Database, now: datetime) -> tuple[date, datetime]:
    """The day, and when it ends."""
    rows = database.run(_ZONE, {})
    zone = zone_or_utc(rows[0][0] if rows else "UTC")
    day = now.astimezone(zone).date()
    return day, datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)
