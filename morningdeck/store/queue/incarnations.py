"""The incarnations that use this database, and until when each is known to live."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, select

from morningdeck.store.database.bulk import change
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.tables.running import processes
from morningdeck.views.running import ProcessView

WORKER = "worker "
"""Begins the kind of a worker, before the stages that it serves, with commas."""

DEAD_SHOWN = timedelta(hours=1)


class Incarnations(Repository):
    def __init__(self, database: Database, *, lease: timedelta) -> None:
        super().__init__(database)
        self._lease = lease

    def join(
        self,
        *,
        node: str,
        incarnation: str,
        kind: str,
        pid: int,
        version: str,
        now: datetime,
        serves: Sequence[str] = (),
    ) -> None:
        """A worker `serves` stages."""
        statement = processes.insert().values(
            node=node,
            incarnation=incarnation,
            kind=f"{WORKER}{','.join(serves)}" if serves else kind,
            pid=pid,
            version=version,
            started_at=now,
            lease_until=now + self._lease,
        )
        earlier = and_(processes.c.node == node, processes.c.ended_at.is_(None))
        with self._database.write() as connection:
            # its lock is ours now, so its earlier incarnation is dead
            change(connection, processes, earlier, ended_at=now)
            connection.execute(statement)

    def beat(self, incarnation: str, now: datetime) -> None:
        with self._database.heartbeat() as connection:
            this = processes.c.incarnation == incarnation
            change(connection, processes, this, lease_until=now + self._lease)

    def leave(self, incarnation: str, now: datetime) -> None:
        self._change(processes, processes.c.incarnation == incarnation, ended_at=now)

    def workers(self, now: datetime) -> tuple[frozenset[str], ...]:
        """For each worker that is known to live, the stages that it serves."""
        query = select(processes.c.kind).where(
            processes.c.kind.startswith(WORKER),
            processes.c.ended_at.is_(None),
            processes.c.lease_until > now,
        )
        return tuple(
            frozenset(kind.removeprefix(WORKER).split(",")) for kind in self._column(query)
        )

    def known(self, now: datetime) -> tuple[ProcessView, ...]:
        """Those that live, and those that have died without a word in the last hour."""
        query = (
            select(processes)
            .where(processes.c.ended_at.is_(None), processes.c.lease_until > now - DEAD_SHOWN)
            .order_by(processes.c.started_at, processes.c.id)
        )
        return tuple(
            made_of(
                row,
                ProcessView,
                beat_at=row.lease_until - self._lease,
                lives=row.lease_until > now,
            )
            for row in self._rows(query)
        )

    def daemon_since(self, now: datetime) -> datetime | None:
        """When the longest running daemon that is known to live was started."""
        query = (
            select(processes.c.started_at)
            .where(_is_daemon(now))
            .order_by(processes.c.started_at)
            .limit(1)
        )
        return self._scalar(query)

    def daemons(self, now: datetime) -> int:
        """How many are known to live."""
        return len(self._column(select(processes.c.id).where(_is_daemon(now))))


def _is_daemon(now: datetime) -> ColumnElement[bool]:
    lives = and_(processes.c.ended_at.is_(None), processes.c.lease_until > now)
    return and_(processes.c.kind == "daemon", lives)
