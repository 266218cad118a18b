"""What it costs and how it runs: usage, credits, processes, pace, notices."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Table, UniqueConstraint

from morningdeck.store.tables.base import metadata
from morningdeck.store.tables.columns import flag, key, link, number, text, time, times

usage = Table(
    "usage",
    metadata,
    key(),
    link("user_id", "users.id", optional=True),
    text("feature"),
    text("model"),
    number("tokens_in"),
    number("tokens_out"),
    Column("cost_usd", Float, nullable=False, server_default="0"),
    number("duration_ms"),
    flag("ok", default=True),
    text("error", None),
    *times(),
)
Index("ix_usage_created_at", usage.c.created_at)

credit_ledger = Table(
    "credit_ledger",
    metadata,
    key(),
    link("user_id", "users.id"),
    number("item_id", None),
    number("amount"),
    text("reason"),
    *times(),
    UniqueConstraint("user_id", "item_id"),
)

processes = Table(
    "processes",
    metadata,
    key(),
    text("node", index=True),
    text("incarnation", unique=True),
    text("kind", "daemon"),
    number("pid"),
    text("version"),
    time("started_at", nullable=False),
    time("lease_until", nullable=False),
    time("ended_at"),
    *times(),
)

hosts = Table(
    "hosts",
    metadata,
    text("host", primary_key=True),
    time("next_at", nullable=False),
    *times(),
)

notices = Table(
    "notices",
    metadata,
    key(),
    link("user_id", "users.id"),
    text("kind"),
    text("subject"),
    text("text"),
    time("ended_at"),
    time("mailed_at"),
    *times(),
    UniqueConstraint("user_id", "kind", "subject"),
)
