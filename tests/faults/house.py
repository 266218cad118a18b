"""A daemon with 99 good feeds, and the bad sources that are read beside them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, select, update

from morningdeck.app import system_clock
from morningdeck.model.wanting import NewSource
from morningdeck.store.tables.news import items, sources
from morningdeck.views.reading import SourceView
from tests.faults.audit import Account
from tests.faults.behaviours import Behaviour
from tests.faults.daemon import Daemon, Event
from tests.faults.memory import held, watching
from tests.faults.newsroom import FINISH_SECONDS, Newsroom
from tests.servers.web import Server

GOOD = 99
MB = 1 << 20
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Visit:
    """What a round of all good feeds and some bad sources has left behind."""

    account: Account
    sick: int
    """Good feeds that were not read."""
    bugs: tuple[Event, ...]
    """What the daemon says of itself that should never be."""
    seconds: float
    good_seconds: float
    grown: int
    """How many bytes more were held at most than before, when it was idle."""

    def __str__(self) -> str:
        return (
            f"{self.seconds:.1f} s, the good ones {self.good_seconds:.1f} s,"
            f" {self.grown / MB:+.0f} MB / {self.account}"
        )


class House:
    def __init__(self, daemon: Daemon, room: Newsroom, server: Server) -> None:
        self.daemon = daemon
        self.room = room
        self.server = server
        self.idle_at_first = 0
        self._in_order = False

    def in_order(self) -> House:
        """With a daemon that is alive, has read the good feeds and rests."""
        if not self._in_order or self.daemon.process.poll() is not None:
            self.daemon.cut()
            self.daemon.start().wait_for_event("started")
            self.room.feeds.publish(1)
            self._read(())
            self.idle_at_first = self.holds()
            self._in_order = True
        return self

    # ---- sources

    def add(self, name: str, behaviour: Behaviour) -> int:
        """Subscribe to a source that does this, to be read later; returns its id."""
        path = "/" + name.replace(" ", "-")
        self.server.does(path, lambda _: behaviour.does(self.server))
        return self.subscribe(NewSource(self.server.url(path), behaviour.type))

    def subscribe(self, new_source: NewSource) -> int:
        tomorrow = system_clock() + DAY
        hers = self.room.subscriptions
        return hers.subscribe(self.room.user_id, new_source, now=tomorrow).id

    def remove(self, source_id: int) -> None:
        self.room.subscriptions.remove(self.room.user_id, source_id)

    def show(self, source_id: int) -> SourceView:
        return self.room.subscriptions.show(self.room.user_id, source_id)

    def titles(self, source_id: int) -> list[str]:
        query = select(items.c.title).where(items.c.source_id == source_id).order_by(items.c.id)
        with self.room.database.read() as connection:
            return list(connection.scalars(query))

    # ---- reading them

    def visit(self, *bad: int) -> Visit:
        """Have all good feeds publish, and all be read, the bad ones first."""
        self._in_order = False
        bugs, idle = len(self._bugs()), self.holds()
        self.room.feeds.publish(1)
        with watching(self.daemon.process.pid) as watch:
            began = self._read(bad)
        self._in_order = True
        good = self._good()
        last = max(row.last_success_at for row in good)
        return Visit(
            account=self.room.account(self.daemon),
            sick=sum(row.last_success_at < began or row.last_error is not None for row in good),
            bugs=self._bugs()[bugs:],
            seconds=(system_clock() - began).total_seconds(),
            good_seconds=(last - began).total_seconds(),
            grown=watch.peak - idle,
        )

    def holds(self) -> int:
        """So many bytes, the parsers' included."""
        return held(self.daemon.process.pid)

    def _read(self, bad: tuple[int, ...]) -> datetime:
        began = system_clock()
        due = update(sources).where(sources.c.wanted)
        with self.room.database.write() as connection:
            connection.execute(due.values(due_at=began))
            connection.execute(due.where(sources.c.id.in_(bad)).values(due_at=began - DAY))
        self.daemon.wait_for(self.room.finished, FINISH_SECONDS, pause_seconds=0.05)
        return began

    def _bugs(self) -> tuple[Event, ...]:
        return tuple(self.daemon.events(level="error"))

    def _good(self) -> list[Row[Any]]:
        query = select(sources).where(sources.c.id.in_(self.room.source_ids))
        with self.room.database.read() as connection:
            return list(connection.execute(query))
