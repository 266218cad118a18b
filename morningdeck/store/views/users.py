"""Users: adding, editing and finding them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, func, insert, select

from morningdeck.errors import ConfigError, ConflictError
from morningdeck.schedule import zone
from morningdeck.store.database.bulk import change, insert_new
from morningdeck.store.database.connect import Lock
from morningdeck.store.expressions.repository import Repository, found, made_of
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.people import sessions, users
from morningdeck.store.tables.running import credit_ledger
from morningdeck.views.reading import UserView

FIRST_EMAIL = "me@localhost"

_ADDRESS = re.compile(r"[^@\s,;<>\"]{1,64}@[^@\s,;<>\"]{1,255}")


class Users(Repository):
    def add(
        self,
        email: str,
        *,
        now: datetime,
        name: str = "",
        timezone: str = "UTC",
        admin: bool = False,
    ) -> UserView:
        values: dict[str, Any] = {
            "email": valid_email(email).lower(),
            "name": name.strip(),
            "timezone": zone(timezone).key,
            "role": _role(admin),
            "created_at": now,
            "updated_at": now,
        }
        with self._database.write() as connection:
            if not insert_new(connection, users, [values], ("email",), ("id",)):
                raise ConflictError(f"there is a user {values['email']} already")
        return self.by_email(values["email"])

    def edit(
        self,
        email: str,
        *,
        name: str | None = None,
        timezone: str | None = None,
        admin: bool | None = None,
    ) -> UserView:
        """Change the given columns; those that are None stay as they are."""
        user = self.by_email(email)
        given = {
            "name": None if name is None else name.strip(),
            "timezone": None if timezone is None else zone(timezone).key,
            "role": None if admin is None else _role(admin),
        }
        values = {key: value for key, value in given.items() if value is not None}
        with self._database.write() as connection:
            if admin is False and connection.scalar(_others_with_rights(user.id)) == 0:
                raise ConflictError(f"{user.email} is the only admin: make somebody else one first")
            if values:
                change(connection, users, users.c.id == user.id, **values)
            if "timezone" in values:
                own = and_(briefings.c.user_id == user.id, briefings.c.at_once)
                change(connection, briefings, own, timezone=values["timezone"])
        return self.by_email(email)

    def set_enabled(self, email: str, enabled: bool) -> UserView:
        """Whoever is switched off is logged out everywhere, and a code for them opens nothing."""
        user = self.by_email(email)
        this = users.c.id == user.id
        with self._database.write() as connection:
            if not enabled and connection.scalar(_others_with_rights(user.id)) == 0:
                raise ConflictError(f"{user.email} is the only admin: make somebody else one first")
            change(connection, users, this, enabled=enabled)
            if not enabled:
                change(connection, users, this, code_hash=None, code_until=None)
                connection.execute(delete(sessions).where(sessions.c.user_id == user.id))
        return self.by_email(email)

    def set_credits(self, email: str, credits: int | None, *, now: datetime) -> UserView:
        """What is left from now on, None for no limit; the ledger has the difference."""
        user = self.by_email(email)
        this = users.c.id == user.id
        with self._database.write() as connection:
            left = connection.scalar(select(users.c.credits).where(this).with_for_update())
            change(connection, users, this, credits=credits)
            reason = f"set to {'unlimited' if credits is None else credits}"
            given = {"user_id": user.id, "amount": (credits or 0) - (left or 0), "reason": reason}
            connection.execute(insert(credit_ledger).values(**given, created_at=now))
        return self.by_email(email)

    def list(self, limit: int = 50) -> tuple[UserView, ...]:
        query = select(users).order_by(users.c.id.desc()).limit(limit)
        return tuple(made_of(row, UserView) for row in self._rows(query))

    def by_email(self, email: str) -> UserView:
        those = self._first(users.c.email == email.strip().lower())
        return found(those, f"user {email!r}, see: morningdeck user list")

    def first(self) -> UserView:
        """The user for whom commands act when none is named."""
        return found(self._first(users.c.enabled), "user yet, make one: morningdeck user add EMAIL")

    def ensure_first(self, now: datetime) -> UserView:
        """Add the first user if there is none, once, also when two commands start together."""
        if there := self._first(users.c.enabled):
            return there[0]
        first = {"email": FIRST_EMAIL, "role": "admin", "created_at": now, "updated_at": now}
        with self._database.write() as connection:
            self._database.hold(connection, Lock.FIRST_USER)
            if not connection.scalar(select(func.count()).select_from(users)):
                connection.execute(insert(users).values(first))
        return self.first()

    def _first(self, which: ColumnElement[bool]) -> Sequence[UserView]:
        """One, if there is one."""
        query = select(users).where(which).order_by(users.c.id).limit(1)
        return [made_of(row, UserView) for row in self._rows(query)]


def _role(admin: bool) -> str:
    return "admin" if admin else "user"


def _others_with_rights(user_id: int) -> Select[int]:
    others = users.c.id != user_id
    return select(func.count()).where(others, users.c.role == "admin", users.c.enabled)


def valid_recipients(texts: Iterable[str]) -> tuple[str, ...]:
    """Mailboxes, and addresses of the web, which their channel has looked at; each once.

    Small letters and capitals make no two mailboxes: no server that is met keeps them apart.
    """
    once: dict[str, str] = {}
    for text in texts:
        web = "://" in text
        one = text.strip() if web else valid_email(text)
        once.setdefault(one if web else one.casefold(), one)
    return tuple(once.values())


def valid_email(text: str) -> str:
    email = text.strip()
    if not _ADDRESS.fullmatch(email):
        raise ConfigError(f"{text!r} is not an e-mail address")
    return email
