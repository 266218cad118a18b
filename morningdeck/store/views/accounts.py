"""What opens an account: its password, a one-time code, and the browsers that are known."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, delete, exists, select

from morningdeck.errors import ConflictError, NotFoundError
from morningdeck.store.database.bulk import change, put
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.tables.people import known_browsers, sessions, users
from morningdeck.store.views.users import valid_email
from morningdeck.views.reading import UserView

BROWSER_KNOWN_FOR = timedelta(days=400)


class Accounts(Repository):
    def any_claimed(self) -> bool:
        """Does anybody have a password?"""
        claimed = exists().where(users.c.password_hash.is_not(None), users.c.enabled)
        return bool(self._scalar(select(claimed)))

    def by_email(self, email: str) -> tuple[UserView, str | None] | None:
        """Who is switched on, and what is kept of their password."""
        this = and_(users.c.email == email.strip().lower(), users.c.enabled)
        row = self._row(select(users).where(this))
        return None if row is None else (made_of(row, UserView), row.password_hash)

    def has_password(self, user_id: int) -> bool:
        claimed = exists().where(users.c.id == user_id, users.c.password_hash.is_not(None))
        return bool(self._scalar(select(claimed)))

    def set_password(self, user_id: int, password_hash: str) -> None:
        """It ends all sessions of the user, and a code that was made before."""
        with self._database.write() as connection:
            _set_password(connection, user_id, password_hash)

    # ---- one-time codes

    def set_code(self, user_id: int, digest: str, until: datetime) -> None:
        """One that was made before opens nothing any more."""
        self._change(users, users.c.id == user_id, code_hash=digest, code_until=until)

    def claim(self, digest: str, email: str, password_hash: str, *, now: datetime) -> UserView:
        """Whoever has the code gives the account an address and a password; then it is spent."""
        address = valid_email(email).lower()
        with self._database.write() as connection:
            coded = and_(users.c.code_hash == digest, users.c.code_until > now, users.c.enabled)
            user_id = connection.scalar(select(users.c.id).where(coded).with_for_update())
            if user_id is None:
                raise NotFoundError("this code opens nothing (any more): morningdeck user claim")
            taken = and_(users.c.email == address, users.c.id != user_id)
            if connection.scalar(select(users.c.id).where(taken)) is not None:
                raise ConflictError(f"another user has the address {address}")
            _set_password(connection, user_id, password_hash)
            change(connection, users, users.c.id == user_id, email=address)
            row = connection.execute(select(users).where(users.c.id == user_id)).one()
            return made_of(row, UserView)

    def has_code(self, digest: str, *, now: datetime) -> bool:
        coded = and_(users.c.code_hash == digest, users.c.code_until > now, users.c.enabled)
        return bool(self._scalar(select(exists().where(coded))))

    # ---- browsers

    def knows_browser(self, user_id: int, digest: str, *, now: datetime) -> bool:
        """Has the user logged in by it before?"""
        this = and_(known_browsers.c.user_id == user_id, known_browsers.c.token_hash == digest)
        recent = known_browsers.c.last_login_at > now - BROWSER_KNOWN_FOR
        return bool(self._scalar(select(exists().where(this, recent))))

    def know_browser(self, user_id: int, digest: str, *, now: datetime) -> None:
        row = {"user_id": user_id, "token_hash": digest, "last_login_at": now}
        old = known_browsers.c.last_login_at <= now - BROWSER_KNOWN_FOR
        with self._database.write() as connection:
            connection.execute(delete(known_browsers).where(old))
            put(connection, known_browsers, [row], ("user_id", "token_hash"))


def _set_password(connection: Connection, user_id: int, password_hash: str) -> None:
    this = users.c.id == user_id
    given = {"password_hash": password_hash, "code_hash": None, "code_until": None}
    change(connection, users, this, **given)
    connection.execute(delete(sessions).where(sessions.c.user_id == user_id))
