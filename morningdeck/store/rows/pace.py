"""How often a host is asked: one request at a time, and a while between two.

No thread waits for a host: its sources are given due times that lie apart, and whoever
meets a busy host all the same is told when to come back.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import bindparam, select, update

from morningdeck.errors import HostBusyError
from morningdeck.model.reading import Visit
from morningdeck.ports.engine import Clock
from morningdeck.store.database.bulk import insert_into
from morningdeck.store.database.connect import Database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.tables.running import hosts
from morningdeck.waiting_lists import WaitingLists

LONGEST_VISIT = timedelta(minutes=1)
NOTHING = timedelta(0)


class HostPace:
    """The port `Pace`, kept in the table `hosts` for all processes."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        apart: timedelta,
        *,
        slower: Mapping[str, timedelta] | None = None,
        longest_visit: timedelta = LONGEST_VISIT,
    ) -> None:
        """`apart` is the time between two requests to a host, and 0 for no pace at all; `slower`
        names hosts that want more.

        After `longest_visit` a host that nobody has left is free: its visitor's process died.
        """
        self._database = database
        self._clock = clock
        self._apart = apart
        self._slower = slower or {}
        self._longest_visit = longest_visit
        self._waiting = WaitingLists()
        visit = insert_into(hosts, database.kind).values(
            host=bindparam("host"), next_at=bindparam("until")
        )
        self._entering = Prepared(
            visit.on_conflict_do_update(
                index_elements=("host",),
                set_={"next_at": visit.excluded.next_at},
                where=hosts.c.next_at <= bindparam("now"),
            ).returning(hosts.c.host),
            lasting=False,
        )
        self._looking = Prepared(select(hosts.c.next_at).where(hosts.c.host == bindparam("host")))
        self._leaving = Prepared(
            update(hosts)
            .where(hosts.c.host == bindparam("left"), hosts.c.next_at == bindparam("until"))
            .values(next_at=bindparam("free_at"))
            .returning(hosts.c.host),
            lasting=False,
        )

    def apart(self, host: str) -> timedelta:
        if not host or not self._apart:
            return NOTHING
        return self._slower.get(host, self._apart)

    def enter(self, host: str, who: str, patience: timedelta | None = None) -> Visit:
        apart = self.apart(host)
        if not apart:
            return Visit(host)
        now = self._clock()
        until = now + self._longest_visit + apart
        in_turn = patience == NOTHING or not self._waiting.others_first(host, who, now, apart)
        wanted = {"host": host, "until": until, "now": now}
        if in_turn and self._database.run(self._entering, wanted):
            self._waiting.strike_off(host, who)
            return Visit(host, until)
        free_at = self._free_at(host, now, apart)
        raise HostBusyError(self._waiting.put_down(host, who, now, free_at, apart, patience))

    def _free_at(self, host: str, now: datetime, apart: timedelta) -> datetime:
        """Exact once the visitor has left; until then a guess, to be corrected at the next try."""
        rows = self._database.run(self._looking, {"host": host})
        return max(now, min(rows[0][0] if rows else now, now + apart))

    def leave(self, visit: Visit, requests: int = 1) -> None:
        """No effect for one who stayed too long: the host may be somebody else's by now."""
        if visit.until is not None:
            free_at = self._clock() + requests * self.apart(visit.host)
            left = {"left": visit.host, "until": visit.until, "free_at": free_at}
            self._database.run(self._leaving, left)
