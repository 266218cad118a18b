"""Saved searches that alert: what they have to look at, and what they have found.

    an item is done --mark--> looked at --hit, the mark cleared--> weighed by a report

An item is looked at by the searches that were there when it was first done. What they find is
stored in the transaction that clears its mark, once for each search and item, so a crash or a
second process only looks once more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import and_, exists, select, tuple_

from morningdeck.model.alerting import ChangedItem, SavedSearch
from morningdeck.selection import DAILY_WINDOW
from morningdeck.store.database.bulk import change, insert_new
from morningdeck.store.expressions.alerts import has_something_to_tell
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.news import items
from morningdeck.store.tables.people import users
from morningdeck.store.tables.searches import saved_searches, search_hits

TOLD_WITHIN: timedelta = DAILY_WINDOW
"""Older items are no news that anybody is told of."""


class SqlAlertRows(Repository):
    # ---- looking

    def marked(self, limit: int) -> tuple[ChangedItem, ...]:
        """The longest waiting first."""
        columns = (items.c.id, items.c.alert_mark, items.c.searches_before)
        query = select(*columns).where(items.c.alert_mark > 0).order_by(items.c.id).limit(limit)
        return tuple(ChangedItem(*row) for row in self._rows(query))

    def searches(self) -> tuple[SavedSearch, ...]:
        """Those that alert somebody."""
        query = (
            select(saved_searches.c.id, saved_searches.c.user_id, saved_searches.c.query)
            .add_columns(users.c.timezone)
            .join(users, users.c.id == saved_searches.c.user_id)
            .where(saved_searches.c.briefing_id.is_not(None), users.c.enabled)
            .order_by(saved_searches.c.id)
        )
        return tuple(SavedSearch(*row) for row in self._rows(query))

    def save(self, looked_at: Sequence[ChangedItem], hits: Collection[tuple[int, int]]) -> int:
        """Store what was found of these, and clear their marks; returns how many. What has changed
        since, or is being written just now, stays marked, and nothing is stored of it.
        """
        marks = [(one.id, one.mark) for one in looked_at]
        pick = (
            select(items.c.id)
            .where(tuple_(items.c.id, items.c.alert_mark).in_(marks))
            .order_by(items.c.id)
            .with_for_update(skip_locked=True)
        )
        there = select(saved_searches.c.id).where(
            saved_searches.c.id.in_({search_id for search_id, _ in hits})
        )
        with self._database.write() as connection:
            picked = set(connection.scalars(pick))
            kept = set(connection.scalars(there.with_for_update(key_share=True, read=True)))
            rows = [
                {"search_id": search_id, "item_id": item_id}
                for search_id, item_id in sorted(hits)
                if item_id in picked and search_id in kept
            ]
            insert_new(connection, search_hits, rows, ("search_id", "item_id"))
            change(connection, items, items.c.id.in_(picked), alert_mark=0)
        return len(picked)

    # ---- telling

    def ask(self, now: datetime) -> int:
        """Have what goes out at once written now; returns how many mails that may be."""
        waits = and_(
            briefings.c.at_once,
            briefings.c.status == "ACTIVE",
            briefings.c.run_requested_at.is_(None),
            has_something_to_tell(now - TOLD_WITHIN),
        )
        return self._change(briefings, waits, run_requested_at=now, due_at=now)

    def waits(self, now: datetime) -> bool:
        """Is there something to look at, or to be told of at once?"""
        to_tell = and_(
            briefings.c.at_once,
            briefings.c.run_requested_at.is_(None),
            has_something_to_tell(now - TOLD_WITHIN),
        )
        marked = select(items.c.id).where(items.c.alert_mark > 0).limit(1)
        with self._database.read() as connection:
            if connection.scalar(marked) is not None:
                return True
            return connection.scalar(select(exists(select(briefings.c.id).where(to_tell)))) is True
