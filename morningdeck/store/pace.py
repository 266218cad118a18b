"""How often a host is asked: one request at a time, and a while between two.

Nobody waits for his turn: whoever meets a busy host comes back later, and the sources of
one host are given due times that lie apart.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import lru_cache
from threading import Lock
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, select, update

from morningdeck.ports import Clock
from morningdeck.store.connect import Database
from morningdeck.store.tables import hosts, sources
from morningdeck.store.upsert import insert

LONGEST_VISIT = timedelta(minutes=1)
"""After that a host is free again although nobody has left it: his process is gone."""
LOOKED_AHEAD = 500
MOST_PROMISES = 1000
FORGOTTEN = timedelta(days=1)
REMEMBERED = 10_000
"""Addresses: the same ones come again and again."""


@lru_cache(REMEMBERED)
def host_of(url: str) -> str:
    """Host and port, empty where there is none to be polite to."""
    parts = urlsplit(url)
    return parts.netloc.rpartition("@")[2].lower() if parts.scheme in ("http", "https") else ""


class HostPace:
    """`apart_of` tells for each host how long after one request the next may come; 0 is free."""

    def __init__(
        self, database: Database, clock: Clock, apart_of: Callable[[str], timedelta]
    ) -> None:
        self._database = database
        self._clock = clock
        self._apart_of = apart_of
        self._promised: dict[str, datetime] = {}
        self._promising = Lock()

    def apart(self, url: str) -> timedelta:
        """How long after one request the next may come."""
        host = host_of(url)
        return self._apart_of(host) if host else timedelta(0)

    def enter(self, url: str) -> datetime | None:
        """None when the host may be asked now (then `leave` it), else when to come back."""
        apart = self.apart(url)
        if not apart:
            return None
        now, host = self._clock(), host_of(url)
        with self._database.write() as connection:
            statement = insert(connection, hosts).values(host=host, next_at=now + LONGEST_VISIT)
            entered = statement.on_conflict_do_update(
                index_elements=("host",),
                set_={"next_at": statement.excluded.next_at},
                where=hosts.c.next_at <= now,
            ).returning(hosts.c.host)
            if connection.execute(entered).first() is not None:
                return None
        return self._promise(host, now, apart)

    def _promise(self, host: str, now: datetime, apart: timedelta) -> datetime:
        """Whoever is sent away comes back at a time of his own, not all at once."""
        with self._promising:
            promised = max(self._promised.get(host, now), now) + apart
            self._promised[host] = promised
            if len(self._promised) > MOST_PROMISES:
                self._promised = {one: at for one, at in self._promised.items() if at > now}
        return promised

    def leave(self, url: str) -> None:
        apart = self.apart(url)
        if not apart:
            return
        next_at = self._clock() + apart
        with self._database.single() as connection:
            connection.execute(
                update(hosts).where(hosts.c.host == host_of(url)).values(next_at=next_at)
            )

    def forget(self) -> None:
        """Hosts that nobody has asked for long."""
        with self._database.single() as connection:
            connection.execute(delete(hosts).where(hosts.c.next_at < self._clock() - FORGOTTEN))


def space_out(connection: Connection, source_id: int, apart: timedelta) -> None:
    """Move the source's due time to the first moment that no other of its host is near."""
    if not apart:
        return
    this = select(sources.c.host, sources.c.due_at).where(sources.c.id == source_id)
    row = connection.execute(this).one()
    if not row.host or row.due_at is None:
        return
    others = (
        select(sources.c.due_at)
        .where(
            sources.c.host == row.host,
            sources.c.id != source_id,
            sources.c.wanted,
            sources.c.due_at > row.due_at - apart,
        )
        .order_by(sources.c.due_at)
        .limit(LOOKED_AHEAD)
    )
    due_at = row.due_at
    for taken in connection.scalars(others):
        if taken - due_at >= apart:
            break
        due_at = max(due_at, taken + apart)
    if due_at != row.due_at:
        connection.execute(update(sources).where(sources.c.id == source_id).values(due_at=due_at))
