"""A reader with many sources and briefings, and a hand that makes them due again."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import ColumnElement, and_, or_, select, update

from morningdeck.app import system_clock
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import NewBriefing
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.database.migrate import upgrade
from morningdeck.store.tables.briefs import briefings, deliveries
from morningdeck.store.tables.news import sources
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.store.views.users import Users
from morningdeck.work import Stage
from tests.faults.audit import Account, audit, unfinished
from tests.faults.daemon import Daemon
from tests.faults.feeds import Feeds

SOURCES_PER_BRIEFING = 4
FINISH_SECONDS = 600.0
"""What the kills left undone is thousands of items; it takes minutes on a busy machine."""


class Newsroom:
    """One database as the test itself sees it, beside the daemons that work on it."""

    def __init__(self, database: Database, feeds: Feeds, outbox: Path) -> None:
        self.database = database
        self.feeds = feeds
        self.outbox = outbox
        self.subscriptions = Subscriptions(database)
        self.briefings = Briefings(database)
        self._asked_at = now = system_clock()
        self._in_work: set[int] = set()
        self.user_id = Users(database).ensure_first(now).id
        self.subscriptions.subscribe_all(self.user_id, feeds.new_sources(), now=now)
        self.source_ids = [view.id for view in self.subscriptions.list(self.user_id, feeds.count)]

    def add_briefings(self, count: int) -> list[int]:
        """Each of a few sources, none of them due before tomorrow."""
        return [self._add_briefing(number) for number in range(count)]

    def _add_briefing(self, number: int) -> int:
        now = system_clock()
        first = number * SOURCES_PER_BRIEFING % len(self.source_ids)
        wanted = NewBriefing(
            title=f"Briefing {number}",
            criteria="bado kelifu manora",
            plan=Plan(hour=8, minute=0, timezone="UTC"),
            channels=("folder",),
            min_score=0,
            source_ids=tuple(self.source_ids[first : first + SOURCES_PER_BRIEFING]),
        )
        added = self.briefings.add(
            self.user_id, wanted, now=now, next_run_at=now + timedelta(days=1)
        )
        return added.id

    # ---- making things due

    def fetch_all(self) -> None:
        self._asked_at = system_clock()
        self._in_work = set(self.source_ids) - self._fetch(sources.c.id > 0)

    def _fetch(self, which: ColumnElement[bool]) -> set[int]:
        """Have these read now, but for those that are in work; returns which."""
        due = update(sources).where(sources.c.status == "IDLE", which).values(due_at=system_clock())
        with self.database.write() as connection:
            return set(connection.scalars(due.returning(sources.c.id)))

    def brief_all(self, *, planned: bool = False) -> None:
        """Ask for another report of each, or let the slot of today come (again)."""
        now = system_clock()
        asked = {"next_run_at": now} if planned else {"run_requested_at": now}
        due = update(briefings).where(briefings.c.status == "ACTIVE")
        with self.database.write() as connection:
            connection.execute(due.values(due_at=now, **asked))

    def finished(self) -> bool:
        """Nothing is left to do, and every source was read since all of them had to be.

        One that met a busy host is due a little later, and that host may have to forget a
        visitor first who was killed in it.
        """
        if self._in_work:  # it may have been read too early: once more, when that is over
            self._in_work -= self._fetch(sources.c.id.in_(self._in_work))
        return not self._in_work and not unfinished(self.database) and not self._unread()

    def _unread(self) -> bool:
        unread = sources.c.last_success_at.is_(None) | (sources.c.last_success_at < self._asked_at)
        with self.database.read() as connection:
            ours = sources.c.id.in_(self.source_ids)  # a hostile one is never read well
            query = select(sources.c.id).where(ours, sources.c.wanted, unread).limit(1)
            return connection.execute(query).first() is not None

    def account(self, *daemons: Daemon) -> Account:
        return audit(self.database, self.feeds.guids(), *daemons, outbox=self.outbox)


@contextmanager
def newsroom(database_url: str, feeds: Feeds, outbox: Path) -> Iterator[Newsroom]:
    database = open_database(database_url)
    upgrade(database)
    try:
        yield Newsroom(database, feeds, outbox)
    finally:
        database.close()


def finish(room: Newsroom, daemon: Daemon, *others: Daemon) -> Account:
    """Read and tell everything that is left, let it come to its end, and count."""
    for once_more in (room.fetch_all, room.brief_all):
        once_more()
        _wait_until_finished(room, daemon)
    return room.account(daemon, *others)


def _wait_until_finished(room: Newsroom, daemon: Daemon) -> None:
    try:
        daemon.wait_for(room.finished, FINISH_SECONDS, pause_seconds=0.5)
    except AssertionError as error:
        error.add_note(f"unfinished: {unfinished(room.database)}")
        raise


def dead_work_back(room: Newsroom, daemon: Daemon) -> int:
    """What was running at three kills in a row waits again, as an operator would have it."""
    query = select(deliveries.c.report_id).where(deliveries.c.status == "REFUSED").distinct()
    with room.database.read() as connection:
        unsent = connection.scalars(query).all()
    for report_id in unsent:
        daemon.command("report", "send", str(report_id))
    retried: int = daemon.command("queue", "retry", "--all")["retried"]
    return retried + len(unsent) + _resting_runs_back(room)


def _resting_runs_back(room: Newsroom) -> int:
    """Briefings that owe a run and rest until their next slot."""
    now = system_clock()
    owed = or_(briefings.c.next_run_at <= now, briefings.c.run_requested_at.is_not(None))
    resting = and_(briefings.c.status == "ACTIVE", briefings.c.due_at > now)
    with room.database.write() as connection:
        again = update(briefings).where(owed, resting).values(due_at=now)
        return connection.execute(again).rowcount


def some_moment(daemon: Daemon, chance: random.Random) -> None:
    """Wait for a moment in some phase, as far as it gets there at all."""
    stage, event = chance.choice(tuple(Stage)), chance.choice(("feeder_cycle", "job_finished"))
    enough = len(daemon.events(event, stage=stage.value)) + chance.randrange(1, 12)
    patience = time.monotonic() + chance.uniform(0.1, 2.0)
    while time.monotonic() < patience and len(daemon.events(event, stage=stage.value)) < enough:
        time.sleep(0.002)
