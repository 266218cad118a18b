"""Accounts: claimed with a one-time code, opened by a password, each login with a token of its own.

What opens something is kept as its digest alone.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from morningdeck import passwords
from morningdeck.actions.tokens import RANDOM_BYTES, digest
from morningdeck.errors import ConflictError
from morningdeck.views.reading import CodeView, UserView

if TYPE_CHECKING:
    from morningdeck.store.store import Store
    from morningdeck.store.views.accounts import Accounts

CODE_LASTS = timedelta(hours=24)
CODE_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without those that look alike; 12 of them are 60 random bits."""
CODE_LENGTH, CODE_GROUP = 12, 4


def new_token() -> str:
    return secrets.token_urlsafe(RANDOM_BYTES)


def known_by(accounts: Accounts, email: str, password: str) -> UserView | None:
    """Who has this password; None for whoever is unknown, and for all wrong ones, just as late."""
    user, kept = accounts.by_email(email) or (None, None)
    return user if passwords.fits(kept, password) else None


def set_password(accounts: Accounts, user: UserView, password: str) -> None:
    """The user has to log in again, everywhere."""
    passwords.check_good(password, user.email)
    accounts.set_password(user.id, passwords.hashed(password))


def new_code(accounts: Accounts, user: UserView, *, now: datetime, address: str = "") -> CodeView:
    """For the first visit of this user, at this address; told this once."""
    if not user.enabled:
        raise ConflictError(f"{user.email} is switched off: morningdeck user enable {user.email}")
    signs = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
    groups = [signs[at : at + CODE_GROUP] for at in range(0, CODE_LENGTH, CODE_GROUP)]
    until = now + CODE_LASTS
    accounts.set_code(user.id, digest(signs), until)
    return CodeView(user.email, "-".join(groups), until, address)


def claim(accounts: Accounts, code: str, email: str, password: str, *, now: datetime) -> UserView:
    """The account that the code is for, from now on with this address and password."""
    key = digest("".join(sign for sign in code.upper() if sign.isalnum()))
    passwords.check_good(password, email)
    kept = passwords.hashed(password) if accounts.has_code(key, now=now) else ""
    return accounts.claim(key, email, kept, now=now)


def switch(store: Store, email: str, *, on: bool) -> UserView:
    """Whoever is switched off gets in nowhere; what nobody else reads is not fetched meanwhile."""
    user = store.users.set_enabled(email, on)
    store.subscriptions.tend_all(user.id)
    return user


def remove(store: Store, user: UserView, *, now: datetime) -> UserView:
    """With all that is theirs, for good; a deck that nobody is left on begins anew."""
    store.departures.close(user.id)
    store.departures.empty(user.id)
    store.departures.remove(user.id)
    store.departures.sweep()
    store.users.ensure_first(now)
    return user
