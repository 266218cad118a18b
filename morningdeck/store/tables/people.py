"""Who reads: users, their logins and their keys to the interface."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint

from morningdeck.store.tables.columns import flag, key, link, number, one_of, table, text, time

users = table(
    "users",
    key(),
    text("email", unique=True),
    text("name"),
    text("password_hash", None),
    text("role", "user"),
    text("timezone", "UTC"),
    text("language", "en"),
    flag("enabled", default=True),
    number("credits", None),
    text("code_hash", None),
    time("code_until"),
    one_of("role", ("user", "admin")),
    sqlite_autoincrement=True,
)

sessions = table(
    "sessions",
    key(),
    link("user_id", "users.id", index=True),
    text("token_hash", unique=True),
    time("expires_at", nullable=False),
    time("last_seen_at"),
    text("browser"),
    text("address"),
)

known_browsers = table(
    "known_browsers",
    key(),
    link("user_id", "users.id"),
    text("token_hash"),
    time("last_login_at", nullable=False),
    UniqueConstraint("user_id", "token_hash"),
    dated=False,
)

api_tokens = table(
    "api_tokens",
    key(),
    link("user_id", "users.id", index=True),
    text("name"),
    text("token_hash", unique=True),
    text("scope", "read"),
    time("last_used_at"),
    one_of("scope", ("read", "write", "admin")),
)
