"""Logins of browsers: begun with a new token each, ended by their user, a new password, or time."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Select, and_, bindparam, delete, insert, or_, select

from morningdeck.errors import NotFoundError
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.tables.columns import AnyText, UtcTime
from morningdeck.store.tables.people import sessions, users
from morningdeck.views.reading import SessionView, UserView, VisitorView

UNSEEN = timedelta(days=60)
"""A browser that does not come for so long has to log in again."""
SEEN_NOTED_EVERY = timedelta(minutes=10)
LONGEST_BROWSER = 200
MOST_SESSIONS = 50


class Sessions(Repository):
    def begin(
        self, user_id: int, digest: str, *, now: datetime, browser: str, address: str
    ) -> VisitorView:
        row = {"user_id": user_id, "token_hash": digest, "created_at": now, "last_seen_at": now}
        told = {"browser": browser[:LONGEST_BROWSER], "address": address}
        with self._database.write() as connection:
            connection.execute(delete(sessions).where(sessions.c.expires_at <= now))
            connection.execute(insert(sessions).values(**row, **told, expires_at=now + UNSEEN))
        begun = self.visitor(digest, now=now)
        if begun is None:
            raise NotFoundError("there is no such user any more")
        return begun

    def visitor(self, digest: str, *, now: datetime) -> VisitorView | None:
        """Who shows the token of this digest; that they were here is noted."""
        with self._database.read() as connection:
            asked = {"digest": digest, "now": now}
            row = connection.execute(_visitor(), asked).one_or_none()
        if row is None:
            return None
        if row.last_seen_at is None or row.last_seen_at <= now - SEEN_NOTED_EVERY:
            self._note_seen(row.session_id, now)
        return VisitorView(row.session_id, made_of(row, UserView))

    def _note_seen(self, session_id: int, now: datetime) -> None:
        last = sessions.c.last_seen_at
        earlier = or_(last.is_(None), last <= now - SEEN_NOTED_EVERY)
        with self._database.write(lasting=False) as connection:
            this = and_(sessions.c.id == session_id, earlier)
            change(connection, sessions, this, last_seen_at=now, expires_at=now + UNSEEN)

    def list(self, user_id: int, *, now: datetime) -> tuple[SessionView, ...]:
        """Who was here last, first."""
        query = (
            select(sessions)
            .where(sessions.c.user_id == user_id, sessions.c.expires_at > now)
            .order_by(sessions.c.last_seen_at.desc(), sessions.c.id.desc())
            .limit(MOST_SESSIONS)
        )
        return tuple(made_of(row, SessionView) for row in self._rows(query))

    def end(self, user_id: int, session_id: int) -> None:
        this = and_(sessions.c.id == session_id, sessions.c.user_id == user_id)
        with self._database.write() as connection:
            if not connection.execute(delete(sessions).where(this)).rowcount:
                raise NotFoundError(f"there is no session {session_id}: it has ended")

    def end_others(self, user_id: int, kept: int | None) -> int:
        """All of the user's but the one that is kept; returns how many."""
        others = and_(sessions.c.user_id == user_id, sessions.c.id != (kept or 0))
        with self._database.write() as connection:
            return connection.execute(delete(sessions).where(others)).rowcount


@cache
def _visitor() -> Select[Any]:
    """Made once: every page asks it."""
    digest, now = bindparam("digest", type_=AnyText), bindparam("now", type_=UtcTime)
    return (
        select(users, sessions.c.id.label("session_id"), sessions.c.last_seen_at)
        .join(sessions, sessions.c.user_id == users.c.id)
        .where(sessions.c.token_hash == digest, sessions.c.expires_at > now, users.c.enabled)
    )
