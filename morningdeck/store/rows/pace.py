"""How often a host is asked: one request at a time, and a while between two.

No thread waits for a host: its sources are given due times that lie apart, and whoever
meets a busy host all the same is told when to come back.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import bindparam, select, update

from morningdeck.hosts import host_of
from morningdeck.ports import Clock
from morningdeck.store.database.connect import Database
from morningdeck.store.database.upsert import insert_into
from morningdeck.store.rows.waiting_lists import WaitingLists
from morningdeck.store.tables import hosts

LONGEST_VISIT = timedelta(minutes=1)


class HostPace:
    """`apart_of` tells for each host how long after one request the next may come; 0 is free."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        apart_of: Callable[[str], timedelta],
        *,
        longest_visit: timedelta = LONGEST_VISIT,
    ) -> None:
        """After `longest_visit` a host that nobody has left is free: its visitor's process died."""
        self._database = database
        self._clock = clock
        self._apart_of = apart_of
        self._longest_visit = longest_visit
        self._waiting = WaitingLists()
        self._visits: dict[str, datetime] = {}
        """Until when the host is ours, by the address that is asked."""
        visit = insert_into(hosts, database.kind).values(
            host=bindparam("host"), next_at=bindparam("until")
        )
        self._entering = database.prepare(
            visit.on_conflict_do_update(
                index_elements=("host",),
                set_={"next_at": visit.excluded.next_at},
                where=hosts.c.next_at <= bindparam("now"),
            ).returning(hosts.c.host)
        )
        self._looking = database.prepare(
            select(hosts.c.next_at).where(hosts.c.host == bindparam("host"))
        )
        self._leaving = database.prepare(
            update(hosts)
            .where(hosts.c.host == bindparam("left"), hosts.c.next_at == bindparam("until"))
            .values(next_at=bindparam("free_at"))
            .returning(hosts.c.host)
        )

    def apart(self, url: str) -> timedelta:
        """How long after one request the next may come."""
        host = host_of(url)
        return self._apart_of(host) if host else timedelta(0)

    def enter(self, url: str, patience: timedelta | None = None) -> datetime | None:
        """None when the host may be asked now (then `leave` it), else when to come back."""
        apart = self.apart(url)
        if not apart:
            return None
        now, host = self._clock(), host_of(url)
        until = now + self._longest_visit + apart
        if self._database.run(self._entering, {"host": host, "until": until, "now": now}):
            self._visits[url] = until
            self._waiting.strike_off(host, url)
            return None
        free_at = self._free_at(host, now, apart)
        return self._waiting.put_down(host, url, now, free_at, apart, patience)

    def _free_at(self, host: str, now: datetime, apart: timedelta) -> datetime:
        """Exactly, once the visitor has left; until then nobody knows how long that takes."""
        rows = self._database.look_up(self._looking, {"host": host})
        return min(rows[0][0] if rows else now, now + apart)

    def leave(self, url: str) -> None:
        """The next may come a while from now; whoever overstayed has nothing to say any more."""
        apart, host = self.apart(url), host_of(url)
        until = self._visits.pop(url, None)
        if until is not None:
            left = {"left": host, "until": until, "free_at": self._clock() + apart}
            self._database.run(self._leaving, left)
