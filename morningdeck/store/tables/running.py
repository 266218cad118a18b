"""What it costs and how it runs: usage, credits, processes, pace, notices."""

from __future__ import annotations

from sqlalchemy import Column, Date, Index, PrimaryKeyConstraint, UniqueConstraint

from morningdeck.store.tables.columns import blob, flag, key, link, number, table, text, time

usage = table(
    "usage",
    key(),
    link("user_id", "users.id", optional=True),
    number("briefing_id", None),
    number("item_id", None),
    text("purpose"),
    text("endpoint"),
    text("model"),
    Column("day", Date, nullable=False),
    number("tokens_in", None),
    number("tokens_out", None),
    number("nanodollars"),
    flag("price_known", default=True),
    number("duration_ms", None),
    flag("ok"),
    text("error", None),
    time("settled_at"),
)
"""A row for each call of a model, there before the call: one that was never settled has cost what
was reserved for it.
"""
Index("ix_usage_created_at", usage.c.created_at)

usage_days = table(
    "usage_days",
    Column("day", Date, primary_key=True),
    number("calls"),
    number("nanodollars"),
    text("reserved_by", None),
)
"""What the calls of a day cost together, with what is reserved; `reserved_by` is the last."""

tallies = table(
    "tallies",
    Column("day", Date, nullable=False),
    text("what"),
    number("number"),
    PrimaryKeyConstraint("day", "what"),
    dated=False,
)

stage_hours = table(
    "stage_hours",
    text("stage"),
    time("hour", nullable=False),
    text("ending"),
    number("within_ms"),
    number("number"),
    PrimaryKeyConstraint("stage", "hour", "ending", "within_ms"),
    dated=False,
)
"""How many jobs ended so in that hour, and took less than that."""

stage_depths = table(
    "stage_depths",
    text("stage"),
    time("at", nullable=False),
    number("waiting"),
    number("oldest"),
    PrimaryKeyConstraint("stage", "at"),
    dated=False,
)
"""Of a quarter of an hour: the most that waited, and the longest in seconds."""

endpoints = table(
    "endpoints",
    text("name", primary_key=True),
    number("failures"),
    number("holds"),
    time("held_until"),
    text("held_for", None),
    text("settings", None),
    number("probes"),
    time("probe_until"),
)
"""Of models: `held_until` is empty while one may be asked, `failures` and `holds` count in a row,
`probes` is the fence of the one call that may find out whether a hold is over.
"""

model_answers = table(
    "model_answers",
    text("key", primary_key=True),
    text("answer"),
)
Index("ix_model_answers_created_at", model_answers.c.created_at)

credit_ledger = table(
    "credit_ledger",
    key(),
    link("user_id", "users.id"),
    number("item_id", None),
    number("amount"),
    text("reason"),
    UniqueConstraint("user_id", "item_id"),
)

processes = table(
    "processes",
    key(),
    text("node", index=True),
    text("incarnation", unique=True),
    text("kind", "daemon"),
    number("pid"),
    text("version"),
    time("started_at", nullable=False),
    time("lease_until", nullable=False),
    time("ended_at"),
)

hosts = table(
    "hosts",
    text("host", primary_key=True),
    time("next_at", nullable=False),
)

notices = table(
    "notices",
    key(),
    link("user_id", "users.id"),
    text("kind"),
    text("subject"),
    text("text"),
    time("ended_at"),
    time("mailed_at"),
    UniqueConstraint("user_id", "kind", "subject"),
)

signing_keys = table(
    "signing_keys",
    text("name", primary_key=True),
    blob("secret", nullable=False),
    dated=False,
)
"""What addresses are signed with that do something without a login: by whichever process made one,
and checked by whichever answers it.
"""
