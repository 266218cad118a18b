"""Keys to the interface: given out once, known by their digests from then on."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING

from morningdeck.errors import ConfigError
from morningdeck.model.kinds import TokenScope
from morningdeck.views.reading import NewTokenView, UserView

if TYPE_CHECKING:
    from morningdeck.store.views.api_tokens import ApiTokens

TOKEN_PREFIX = "mdk_"
"""By it, whoever finds one in a log or a repository knows what it opens."""
RANDOM_BYTES = 32
LONGEST_TOKEN_NAME = 100


def issue(
    tokens: ApiTokens, user: UserView, name: str, scope: TokenScope, *, now: datetime
) -> NewTokenView:
    """Make a token for this user; it is told this once."""
    if not name.strip() or len(name) > LONGEST_TOKEN_NAME:
        raise ConfigError(f"a token needs a name of at most {LONGEST_TOKEN_NAME} characters")
    if scope is TokenScope.ADMIN and user.role != "admin":
        raise ConfigError(
            f"{user.email} is no admin: choose another scope, or make them one first"
            f" (morningdeck user edit {user.email} --admin)"
        )
    token = TOKEN_PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    view = tokens.add(user.id, name.strip(), scope, digest(token), now=now)
    return NewTokenView(**{one.name: getattr(view, one.name) for one in fields(view)}, token=token)


def digest(token: str) -> str:
    """Of so many random bits nobody can guess any: a quick digest is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
