"""The incarnations that use this database, and until when each is known to live."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select, update

from morningdeck.store.database.connect import Database
from morningdeck.store.tables.running import processes


class Incarnations:
    def __init__(self, database: Database, *, lease: timedelta) -> None:
        self._database = database
        self._lease = lease

    def join(
        self, *, node: str, incarnation: str, kind: str, pid: int, version: str, now: datetime
    ) -> None:
        statement = processes.insert().values(
            node=node,
            incarnation=incarnation,
            kind=kind,
            pid=pid,
            version=version,
            started_at=now,
            lease_until=now + self._lease,
        )
        ended = (
            update(processes)
            .where(processes.c.node == node, processes.c.ended_at.is_(None))
            .values(ended_at=now)
        )
        with self._database.write() as connection:
            connection.execute(ended)  # its lock is ours now, so its earlier incarnation is dead
            connection.execute(statement)

    def beat(self, incarnation: str, now: datetime) -> None:
        with self._database.heartbeat() as connection:
            connection.execute(
                update(processes)
                .where(processes.c.incarnation == incarnation)
                .values(lease_until=now + self._lease)
            )

    def leave(self, incarnation: str, now: datetime) -> None:
        with self._database.write() as connection:
            connection.execute(
                update(processes).where(processes.c.incarnation == incarnation).values(ended_at=now)
            )

    def daemon_since(self, now: datetime) -> datetime | None:
        """When the longest running daemon that is known to live was started."""
        query = (
            select(processes.c.started_at)
            .where(
                processes.c.kind == "daemon",
                processes.c.ended_at.is_(None),
                processes.c.lease_until > now,
            )
            .order_by(processes.c.started_at)
            .limit(1)
        )
        with self._database.read() as connection:
            return connection.execute(query).scalar()
