"""What the database says about a run that is over: lost, duplicated, recovered, dead."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Select, Table, and_, func, or_, select

from morningdeck.app import system_clock
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    item_scores,
    report_items,
    reports,
)
from morningdeck.store.tables.news import items, sources
from tests.faults.daemon import Daemon

SOON = timedelta(minutes=2)
"""A source that waits for its host, or for its next try, is due again within this: a visit that a
kill cut short keeps others out for a minute.
"""
RECOVERIES = ("own_work_taken_back", "lost_work_recovered")


@dataclass(frozen=True, slots=True)
class Account:
    attempted: int
    done: int
    lost: int
    duplicated: int
    recovered: int
    dead: int

    def __str__(self) -> str:
        return " / ".join(f"{name} {getattr(self, name)}" for name in self.__slots__)


def audit(
    database: Database, guids: Collection[tuple[str, str]], *daemons: Daemon, outbox: Path
) -> Account:
    """`guids` are the entries that must have become items, each exactly one."""
    found = _items(database)
    done = {guid for guid, status in found if status == "DONE"}
    return Account(
        attempted=len(guids),
        done=len(done & set(guids)),
        lost=len(set(guids) - done),
        duplicated=len(found) - len({guid for guid, _ in found}) + repeats(database, outbox),
        recovered=recovered(*daemons),
        dead=sum(status == "ERROR" for _, status in found),
    )


def recovered(*daemons: Daemon) -> int:
    """How much work, by all that these daemons ever said, was taken back or over."""
    return sum(
        event["count"]
        for daemon in daemons
        for name in RECOVERIES
        for event in daemon.history(name)
    )


def _items(database: Database) -> list[tuple[tuple[str, str], str]]:
    query = select(sources.c.url, items.c.guid, items.c.status).join(sources)
    with database.read() as connection:
        return [((row.url, row.guid), row.status) for row in connection.execute(query)]


def repeats(database: Database, outbox: Path) -> int:
    """How much was told, made or sent more than once, or marked otherwise than it was told."""
    return (
        _count(database, _told_twice())
        + _count(database, _slots_twice())
        + _count(database, _wrong_marks())
        + _count(database, _told_without_mark())
        + _wrong_files(database, outbox)
    )


def _told_twice() -> Select[int]:
    """Items in two reports of one briefing."""
    told = select(reports.c.briefing_id, report_items.c.item_id).join(reports)
    return (
        told.with_only_columns(reports.c.briefing_id)
        .group_by(reports.c.briefing_id, report_items.c.item_id)
        .having(func.count() > 1)
    )


def _slots_twice() -> Select[int]:
    return (
        select(reports.c.briefing_id)
        .group_by(reports.c.briefing_id, reports.c.slot)
        .having(func.count() > 1)
    )


def _wrong_marks() -> Select[int]:
    """Reports that say they weighed more or fewer items than carry their mark."""
    marked = (
        select(func.count())
        .where(item_scores.c.considered_in == reports.c.id)
        .correlate(reports)
        .scalar_subquery()
    )
    return select(reports.c.id).where(reports.c.status == "GENERATED", reports.c.weighed != marked)


def _told_without_mark() -> Select[int]:
    """Told items that their own report has not marked."""
    return (
        select(reports.c.id)
        .select_from(report_items.join(reports))
        .outerjoin(
            item_scores,
            and_(
                item_scores.c.item_id == report_items.c.item_id,
                item_scores.c.briefing_id == reports.c.briefing_id,
            ),
        )
        .where(
            or_(
                item_scores.c.considered_in.is_(None),
                item_scores.c.considered_in != reports.c.id,
            )
        )
    )


def _wrong_files(database: Database, outbox: Path) -> int:
    """Files without a sent delivery, and sent deliveries without a file."""
    query = select(deliveries.c.file_stem).where(deliveries.c.status == "SENT")
    with database.read() as connection:
        sent = list(connection.scalars(query))
    expected = Counter(f"{stem}{ending}" for stem in sent for ending in (".eml", ".html"))
    there = Counter(path.name for path in outbox.glob("*"))
    return (expected - there).total() + (there - expected).total()


def _count(database: Database, query: Select[int]) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(query.subquery())) or 0


def is_whole(file: Path) -> bool:
    """Does SQLite find nothing wrong with this database?"""
    with closing(sqlite3.connect(file)) as connection:
        return bool(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)])


# ---- who is blamed?


def bugs(*daemons: Daemon) -> dict[str, int]:
    """How often these daemons met what nobody had expected, by their words for it."""
    said = (event for one in daemons for event in one.history(level="error"))
    return dict(Counter(event["event"] for event in said))


def failures(database: Database) -> int:
    """Of all rows, as long as they wait for their next try: a minute at least."""
    tables: tuple[Table, ...] = (sources, items, briefings, deliveries)
    with database.read() as connection:
        return sum(int(connection.scalar(select(func.sum(one.c.failures))) or 0) for one in tables)


# ---- is it over?


def unfinished(database: Database) -> dict[str, int]:
    """What still waits, runs, or is due, by name; empty when everything is done."""
    now = system_clock()
    queries = {
        "items": select(items.c.id).where(items.c.status.in_(("NEW", "PENDING", "PROCESSING"))),
        "scores": select(items.c.id).where(items.c.rescore),
        "sources": select(sources.c.id).where(
            or_(sources.c.status != "IDLE", sources.c.wanted & (sources.c.due_at <= now + SOON))
        ),
        "briefings": select(briefings.c.id).where(
            or_(
                briefings.c.status != "ACTIVE",
                briefings.c.next_run_at <= now,
                briefings.c.run_requested_at.is_not(None),
            )
        ),
        "reports": select(reports.c.id).where(reports.c.status == "PENDING"),
        "deliveries": select(deliveries.c.id).where(deliveries.c.status != "SENT"),
    }
    counted = {name: _count(database, query) for name, query in queries.items()}
    return {name: count for name, count in counted.items() if count}
