"""Removes what was kept long enough, in slices that take no time, so that nobody waits for it.

The guids of removed items stay behind, so that a feed which still carries them does not
bring them back as news. What a reader saved is never removed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Select, Table, delete, func, insert, or_, select

from morningdeck.selection import WEEKLY_WINDOW
from morningdeck.store.database.bulk import change
from morningdeck.store.database.connect import Lock
from morningdeck.store.expressions.indexed import unindex
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.notices.telling import tell_no_more, tell_release
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.tables.briefs import deliveries, report_texts, reports
from morningdeck.store.tables.news import dead_letter, item_states, items, search_gone, seen_guids
from morningdeck.store.tables.running import (
    endpoints,
    hosts,
    model_answers,
    processes,
    stage_depths,
    stage_hours,
    tallies,
    usage,
)
from morningdeck.store.views.departures import Departures

AT_FIRST, AT_MOST = 50, 200
"""Rows in a slice."""
QUICK_SECONDS, SLOW_SECONDS = 0.01, 0.03
"""The next slice is twice as large after a quick one, and half as large after a slow one: nobody
waits 0.1 s for what a slice has locked.
"""
ENDED_PROCESSES = timedelta(days=7)
QUIET_HOSTS = timedelta(days=1)
UNUSED_ENDPOINTS = timedelta(days=1)
"""Whoever still uses one has asked it when its hold was over."""
TOLD_EVENTS = timedelta(days=7)
ANSWERS = timedelta(days=30)
MOST_ANSWERS = 20_000
TALLIES = timedelta(days=30)
HOURS = timedelta(days=7)
AT_LEAST = {"reports": WEEKLY_WINDOW + timedelta(days=1)}
"""A report marks what it weighed: without it, the same news would come again."""
died_at = func.coalesce(items.c.started_at, items.c.first_seen_at)


@dataclass(frozen=True, slots=True)
class Keep:
    """For how long; None keeps for ever."""

    items: timedelta | None = None
    reports: timedelta | None = None
    dead_letters: timedelta | None = None
    delivery_bytes: timedelta | None = None
    usage: timedelta | None = None


def next_slice(size: int, seconds: float) -> int:
    """How many rows at once after so many have taken so long."""
    if seconds > SLOW_SECONDS:
        return max(1, size // 2)
    return min(AT_MOST, size * 2) if seconds < QUICK_SECONDS else size


Drop = Callable[[Connection, Sequence[int]], object]


class Retention(Repository):
    def apply(self, keep: Keep, now: datetime) -> dict[str, int]:
        """Remove what has been kept long enough, nothing while another process is at it; returns
        how many of each kind.
        """
        removed = dict.fromkeys(RULES, 0)
        with self._database.held_if_free(Lock.RETENTION) as alone:
            if alone:
                self._forget(now)
                Departures(self._database).sweep()
                for name, (old, drop) in RULES.items():
                    if (age := getattr(keep, name)) is not None:
                        before = now - max(age, AT_LEAST.get(name, age))
                        removed[name] = self._in_slices(old(before), drop)
        return removed

    def purge_dead_letters(self, older_than: timedelta, now: datetime) -> int:
        return self._in_slices(_dead_letters(now - older_than), _drop_items)

    def purge_these(self, ids: Collection[int]) -> int:
        """Dead letters, but what a reader saved; returns how many there were."""
        letters = select(items.c.id).where(dead_letter, items.c.id.in_(ids), _unsaved())
        return self._in_slices(letters, _drop_items)

    def _in_slices(self, old: Select[int], drop: Drop) -> int:
        removed, size = 0, AT_FIRST
        (row_id,) = old.selected_columns
        while found := self._column(old.limit(size)):  # looked for before anything is locked
            began = time.monotonic()
            with self._database.write() as connection:
                # once more, and locked, so that nobody revives them meanwhile
                still = old.where(row_id.in_(found)).with_for_update(skip_locked=True)
                ids = connection.scalars(still).all()
                drop(connection, ids)
            removed += len(ids)
            if not ids or len(found) < size:
                break
            size = next_slice(size, time.monotonic() - began)
        with self._database.write() as connection:
            end_what_is_over(connection)
        return removed

    def _forget(self, now: datetime) -> None:
        """Without a setting: ended processes, hosts and endpoints that were not asked for long, old
        notices, old answers of models and what was counted of old days.
        """
        ended = processes.c.lease_until < now - ENDED_PROCESSES
        quiet = hosts.c.next_at < now - QUIET_HOSTS
        unused = endpoints.c.held_until < now - UNUSED_ENDPOINTS
        counted = tallies.c.day < (now - TALLIES).date()
        with self._database.write() as connection:
            connection.execute(delete(endpoints).where(unused))
            connection.execute(delete(tallies).where(counted))
            connection.execute(delete(stage_hours).where(stage_hours.c.hour < now - HOURS))
            connection.execute(delete(stage_depths).where(stage_depths.c.at < now - HOURS))
            tell_release(connection, now)
            connection.execute(delete(processes).where(ended))
        with self._database.write() as connection:
            connection.execute(delete(hosts).where(quiet))
        with self._database.write() as connection:
            tell_no_more(connection, now - TOLD_EVENTS, now)
        with self._database.write() as connection:
            connection.execute(delete(model_answers).where(_stale_answers(now)))


def _unsaved() -> ColumnElement[bool]:
    saved = select(item_states.c.item_id).where(item_states.c.saved_at.is_not(None))
    return items.c.id.not_in(saved)


def _dead_letters(before: datetime) -> Select[int]:
    return select(items.c.id).where(dead_letter, died_at < before, _unsaved())


def _old_items(before: datetime) -> Select[int]:
    settled = items.c.status.in_(("DONE", "CANCELLED"))
    return select(items.c.id).where(settled, items.c.first_seen_at < before, _unsaved())


def _old_reports(before: datetime) -> Select[int]:
    made = reports.c.status != "PENDING"
    return select(reports.c.id).where(made, reports.c.created_at < before)


def _sent_bytes(before: datetime) -> Select[int]:
    sent = (deliveries.c.status == "SENT", deliveries.c.content.is_not(None))
    return select(deliveries.c.id).where(*sent, deliveries.c.started_at < before)


def _old_usage(before: datetime) -> Select[int]:
    return select(usage.c.id).where(usage.c.created_at < before)


def _stale_answers(now: datetime) -> ColumnElement[bool]:
    """Those that nobody is likely to ask for again, and the oldest where there are too many."""
    made_at = model_answers.c.created_at
    first_too_many = select(made_at).order_by(made_at.desc()).offset(MOST_ANSWERS).limit(1)
    return or_(made_at < now - ANSWERS, made_at <= first_too_many.scalar_subquery())


def _drop_items(connection: Connection, ids: Sequence[int]) -> None:
    guids = select(items.c.source_id, items.c.guid).where(items.c.id.in_(ids))
    connection.execute(insert(seen_guids).from_select(["source_id", "guid"], guids))
    gone = select(items.c.id).where(items.c.id.in_(ids))
    connection.execute(insert(search_gone).from_select(["item_id"], gone))
    unindex(connection, ids)
    connection.execute(delete(items).where(items.c.id.in_(ids)))


def _drop_bytes(connection: Connection, ids: Sequence[int]) -> None:
    """And the texts of the reports that have no other mail."""
    change(connection, deliveries, deliveries.c.id.in_(ids), content=None)
    theirs = select(deliveries.c.report_id).where(deliveries.c.id.in_(ids))
    others = select(deliveries.c.report_id).where(deliveries.c.content.is_not(None))
    texts_of = report_texts.c.report_id
    connection.execute(
        delete(report_texts).where(
            texts_of.in_(theirs), ~others.where(deliveries.c.report_id == texts_of).exists()
        )
    )


def _drop_from(table: Table) -> Drop:
    """Whole rows, of which nothing is kept."""
    return lambda connection, ids: connection.execute(delete(table).where(table.c.id.in_(ids)))


RULES: dict[str, tuple[Callable[[datetime], Select[int]], Drop]] = {
    "items": (_old_items, _drop_items),
    "reports": (_old_reports, _drop_from(reports)),
    "dead_letters": (_dead_letters, _drop_items),
    "delivery_bytes": (_sent_bytes, _drop_bytes),
    "usage": (_old_usage, _drop_from(usage)),
}
"""What is old, by the name of its setting, and how it is removed."""
