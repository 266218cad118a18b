"""Removes a user with all that is theirs, in slices, so that nobody waits for it.

    close     the account opens nothing any more, and nothing is sent for it
    empty     subscriptions, briefings with reports and scores, marks: each slice by itself
    remove    the row, and what still hangs on it
    sweep     sources that only they have read, but for what a worker has in hand

Whoever is stopped in between may begin again. What others read or have saved stays. Addresses of
sources hold passwords and keys, so a source that nobody reads goes with its last item.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    Text,
    and_,
    cast,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
)

from morningdeck.errors import ConflictError
from morningdeck.model.kinds import SourceType
from morningdeck.store.database.bulk import change
from morningdeck.store.database.connect import Database, Lock
from morningdeck.store.expressions.indexed import unindex
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.expressions.search_marks import mark_for_search
from morningdeck.store.expressions.visibility import subscribes
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.news import item_states, items, search_gone, sources, subscriptions
from morningdeck.store.tables.people import api_tokens, sessions, users
from morningdeck.store.views.sections import remove_wishes
from morningdeck.store.views.shared_sources import lock_sources, tend

SLICE = 200
IN_HAND = ("PENDING", "PROCESSING")


class Departures(Repository):
    def __init__(self, database: Database, *, refresh: timedelta = timedelta(minutes=15)) -> None:
        super().__init__(database)
        self._every_seconds = max(1, int(refresh.total_seconds()))

    def close(self, user_id: int) -> None:
        """Nobody gets in by it, and nothing is sent for it; refused to the only admin of others."""
        this = users.c.id == user_id
        with self._database.write() as connection:
            self._database.hold(connection, Lock.FIRST_USER)
            _check_others_can_go_on(connection, user_id)
            shut = {"enabled": False, "password_hash": None, "code_hash": None, "code_until": None}
            change(connection, users, this, **shut)
            for keys in (sessions, api_tokens):
                connection.execute(delete(keys).where(keys.c.user_id == user_id))
            theirs = briefings.c.user_id == user_id
            still = {"paused": True, "run_requested_at": None, "feed_secret": None}
            change(connection, briefings, theirs, **still)

    def empty(self, user_id: int) -> None:
        read = select(subscriptions.c.source_id).where(subscriptions.c.user_id == user_id)
        for source_id in self._column(read.order_by(subscriptions.c.source_id)):
            with self._database.write() as connection:
                connection.execute(delete(subscriptions).where(subscribes(user_id, source_id)))
                tend(connection, source_id, every_seconds=self._every_seconds)
                this = and_(sources.c.id == source_id, _unread())
                anew = {"etag": None, "last_modified": None}  # should somebody come meanwhile
                change(connection, sources, this, mailbox=str(user_id), **anew)
        theirs = select(briefings.c.id).where(briefings.c.user_id == user_id)
        for briefing_id in self._column(theirs.order_by(briefings.c.id)):
            self._forget_items(item_scores, item_scores.c.briefing_id == briefing_id)
            with self._database.write() as connection:
                remove_wishes(connection, briefings.c.id == briefing_id)
        self._forget_items(item_states, item_states.c.user_id == user_id)

    def _forget_items(self, of: Table, which: ColumnElement[bool]) -> None:
        """Scores or marks of items, which the search index is not to show any more."""
        while ids := self._column(select(of.c.item_id).where(which).limit(SLICE)):
            with self._database.write() as connection:
                mark_for_search(connection, items.c.id.in_(ids))
                connection.execute(delete(of).where(which, of.c.item_id.in_(ids)))

    def remove(self, user_id: int) -> None:
        with self._database.write() as connection:
            connection.execute(delete(users).where(users.c.id == user_id))
            end_what_is_over(connection)

    def sweep(self) -> None:
        """What only users who are gone have read, and what nobody reads and has nothing left."""
        for source_id in self._column(select(sources.c.id).where(_is_orphan(), _unread())):
            of = items.c.source_id == source_id
            saved = and_(item_states.c.item_id == items.c.id, item_states.c.saved_at.is_not(None))
            mine = and_(of, ~select(item_states.c.item_id).where(saved).exists())
            free = select(items.c.id).where(mine, items.c.status.not_in(IN_HAND)).limit(SLICE)
            while ids := self._column(free):
                with self._database.write() as connection:
                    _drop(connection, ids)
            kept = select(items.c.id).where(of).exists()
            this = and_(sources.c.id == source_id, sources.c.status == "IDLE", ~kept)
            with self._database.write() as connection:
                lock_sources(connection, this)
                connection.execute(delete(sources).where(this, _unread()))


def _check_others_can_go_on(connection: Connection, user_id: int) -> None:
    """Whoever is alone may go: the deck begins anew then."""
    count = select(func.count()).select_from(users)
    rights = and_(users.c.role == "admin", users.c.enabled)
    is_admin = connection.scalar(count.where(users.c.id == user_id, rights))
    others = users.c.id != user_id
    if not is_admin or not connection.scalar(count.where(others)):
        return
    if not connection.scalar(count.where(others, rights)):
        email = connection.scalar(select(users.c.email).where(users.c.id == user_id))
        raise ConflictError(f"{email} is the only admin: make somebody else one first")


def _unread() -> ColumnElement[bool]:
    readers = subscriptions.c.source_id == sources.c.id
    return ~select(subscriptions.c.id).where(readers).correlate(sources).exists()


def _is_orphan() -> ColumnElement[bool]:
    number = cast(users.c.id, Text)
    saved = literal("saved:").concat(number) == sources.c.url
    return or_(
        and_(sources.c.type == SourceType.SAVED.value, ~select(users.c.id).where(saved).exists()),
        and_(
            sources.c.mailbox.is_not(None),
            ~select(users.c.id).where(number == sources.c.mailbox).exists(),
        ),
        and_(
            sources.c.type != SourceType.SAVED.value,
            ~select(items.c.id).where(items.c.source_id == sources.c.id).exists(),
        ),
    )


def _drop(connection: Connection, ids: Sequence[int]) -> None:
    gone = select(items.c.id).where(items.c.id.in_(ids))
    connection.execute(insert(search_gone).from_select(["item_id"], gone))
    unindex(connection, ids)
    connection.execute(delete(items).where(items.c.id.in_(ids)))
