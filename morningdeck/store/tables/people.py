"""Who reads: users, their logins and their keys to the interface."""

from __future__ import annotations

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
    one_of("role", ("user", "admin")),
    sqlite_autoincrement=True,
)

sessions = table(
    "sessions",
    key(),
    link("user_id", "users.id", index=True),
    text("token_hash", unique=True),
    time("expires_at", nullable=False),
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
