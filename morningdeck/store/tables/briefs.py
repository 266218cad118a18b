"""What is sent: briefings, scores, reports, deliveries, and the themes of the weeks."""

from __future__ import annotations

from sqlalchemy import Index, PrimaryKeyConstraint, UniqueConstraint, and_, or_

from morningdeck.store.tables.columns import (
    among,
    blob,
    flag,
    key,
    link,
    number,
    one_of,
    partial,
    strings,
    table,
    text,
    time,
    work,
)
from morningdeck.work import LIFECYCLES, Stage

briefings = table(
    "briefings",
    key(),
    link("user_id", "users.id", index=True),
    text("title"),
    text("criteria"),
    number("criteria_version", 1),
    text("frequency", "DAILY"),
    number("weekday", None),
    text("local_time", "08:00"),
    text("timezone", "UTC"),
    strings("recipients"),
    strings("channels"),
    number("max_items", 10),
    number("min_score"),
    number("per_source", 3),
    text("language", None),
    flag("quiet_note"),
    flag("all_sources", default=True),
    number("position"),
    flag("paused"),
    *work(LIFECYCLES[Stage.BRIEFING]),
    time("next_run_at"),
    time("last_executed_at"),
    text("last_slot", None),
    time("run_requested_at"),
    text("feed_secret", None),
    one_of("frequency", ("DAILY", "WEEKLY")),
    sqlite_autoincrement=True,
)
briefing_waits = and_(
    among(briefings.c.status, "ACTIVE"),
    or_(~briefings.c.paused, briefings.c.run_requested_at.is_not(None)),
)
partial("ix_briefings_due", briefings.c.due_at, briefings.c.id, where=briefing_waits)
partial(
    "ix_briefings_held",
    briefings.c.lease_until,
    where=among(briefings.c.status, "QUEUED", "PROCESSING"),
)

briefing_subscriptions = table(
    "briefing_subscriptions",
    link("briefing_id", "briefings.id"),
    link("subscription_id", "subscriptions.id", index=True),
    PrimaryKeyConstraint("briefing_id", "subscription_id"),
    dated=False,
)

reports = table(
    "reports",
    key(),
    link("briefing_id", "briefings.id"),
    text("slot"),
    text("status", "PENDING"),
    text("subject"),
    text("overview"),
    number("weighed"),
    time("generated_at"),
    time("closed_at"),
    UniqueConstraint("briefing_id", "slot"),
    one_of("status", ("PENDING", "GENERATED", "SKIPPED")),
    sqlite_autoincrement=True,
)

report_items = table(
    "report_items",
    link("report_id", "reports.id"),
    number("position"),
    number("item_id", None),
    text("title"),
    text("url", None),
    text("summary"),
    number("score"),
    text("reason"),
    text("source_title"),
    time("published_at"),
    strings("also_in"),
    strings("topics"),
    PrimaryKeyConstraint("report_id", "position"),
    dated=False,
)

report_texts = table(  # apart, so that a list of reports need not read them
    "report_texts",
    link("report_id", "reports.id"),
    text("text"),
    text("html"),
    PrimaryKeyConstraint("report_id"),
    dated=False,
)

item_scores = table(
    "item_scores",
    link("item_id", "items.id", index=True),
    link("briefing_id", "briefings.id"),
    number("score"),
    text("reason"),
    number("criteria_version", 1),
    text("scored_by", "offline"),
    number("feedback"),
    link("considered_in", "reports.id", optional=True, index=True),
    PrimaryKeyConstraint("briefing_id", "item_id"),
)
partial(
    "ix_item_scores_fresh",
    item_scores.c.briefing_id,
    item_scores.c.item_id,
    where=item_scores.c.considered_in.is_(None),
)

deliveries = table(
    "deliveries",
    key(),
    link("report_id", "reports.id"),
    text("channel"),
    text("address"),
    text("message_id"),
    text("file_stem"),
    blob("content"),
    *work(LIFECYCLES[Stage.DELIVERY], status="state"),
    time("final_at"),
    time("give_up_at"),
    text("reply", None),
    UniqueConstraint("report_id", "channel", "address"),
    sqlite_autoincrement=True,
)
partial(
    "ix_deliveries_due",
    deliveries.c.due_at,
    deliveries.c.id,
    where=among(deliveries.c.status, "PENDING", "RETRY"),
)
partial("ix_deliveries_held", deliveries.c.lease_until, where=among(deliveries.c.status, "SENDING"))
Index("ix_deliveries_state", deliveries.c.status)

topic_clusters = table(
    "topic_clusters",
    key(),
    link("user_id", "users.id", index=True),
    text("label"),
    number("size"),
    text("period"),
    link("continues_id", "topic_clusters.id", optional=True),
)

topic_members = table(
    "topic_members",
    link("cluster_id", "topic_clusters.id"),
    link("item_id", "items.id", index=True),
    PrimaryKeyConstraint("cluster_id", "item_id"),
    dated=False,
)
