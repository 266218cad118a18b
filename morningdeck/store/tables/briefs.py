"""What is sent: briefings, scores, reports, deliveries, and the themes of the weeks."""

from __future__ import annotations

from sqlalchemy import Column, Index, PrimaryKeyConstraint, UniqueConstraint, and_, or_

from morningdeck.model.sending import Movement, Teller, Undelivered
from morningdeck.store.tables.columns import (
    Json,
    among,
    blob,
    flag,
    key,
    link,
    number,
    one_of,
    partial,
    records,
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
    strings("days"),
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
    text("ping_url", None),
    number("section_of", None, index=True),
    flag("at_once"),
    one_of("frequency", ("DAILY", "WEEKLY")),
    sqlite_autoincrement=True,
)
"""Those with `section_of` are sections of that briefing: never due, and written with it. Those that
are `at_once` belong to a saved search: always paused, and run as by hand when it finds something.
"""
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
partial("ix_briefings_feed", briefings.c.feed_secret, where=briefings.c.feed_secret.is_not(None))

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
    flag("weekly"),
    strings("broken_sources"),
    records("moved", Movement),
    records("undelivered", Undelivered),
    Column("left_out", Json, nullable=False, server_default="{}"),
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
    records("also_in", Teller),
    strings("topics"),
    text("section"),
    text("language", None),
    flag("translated"),
    number("minutes"),
    flag("private"),
    flag("told"),
    flag("missed"),
    text("update_text", key="update"),
    time("update_since"),
    PrimaryKeyConstraint("report_id", "position"),
    dated=False,
)

report_passed_over = table(
    "report_passed_over",
    link("report_id", "reports.id"),
    number("position"),
    number("item_id", None),
    text("title"),
    text("url", None),
    text("source_title", key="source"),
    number("score"),
    text("why"),
    PrimaryKeyConstraint("report_id", "position"),
    dated=False,
)
"""The best of what was weighed and has no place."""

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
partial("ix_item_scores_rated", item_scores.c.item_id, where=item_scores.c.feedback != 0)

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

Index("ix_deliveries_message_id", deliveries.c.message_id)

bounces = table(
    "bounces",
    link("delivery_id", "deliveries.id"),
    flag("dead"),
    text("reason"),
    PrimaryKeyConstraint("delivery_id"),
)
"""Of the mails that came back, one row for each delivery."""

ended_addresses = table(
    "ended_addresses",
    link("briefing_id", "briefings.id"),
    text("address"),
    text("reason"),
    PrimaryKeyConstraint("briefing_id", "address"),
)
"""Recipients that a briefing does not go to any more; naming recipients anew forgets them."""

mail_cursors = table(
    "mail_cursors",
    text("mailbox", primary_key=True),
    text("cursor"),
)
"""How far a mailbox has been read."""

pings = table(
    "pings",
    link("report_id", "reports.id"),
    flag("ok"),
    text("told"),
    time("due_at"),
    number("attempts"),
    PrimaryKeyConstraint("report_id"),
)
"""What is still to be told to the ping address of a briefing, of the last run of a report."""

topic_clusters = table(
    "topic_clusters",
    key(),
    link("user_id", "users.id", index=True),
    text("label"),
    number("size"),
    text("period"),
    text("since"),
    number("run"),
    number("this_week"),
    number("week_before", None),
    link("continues_id", "topic_clusters.id", optional=True, index=True),
)
"""A theme as it was found on the day `period`; only those of its reader's last run have members."""

topic_members = table(
    "topic_members",
    link("cluster_id", "topic_clusters.id"),
    link("item_id", "items.id", index=True),
    PrimaryKeyConstraint("cluster_id", "item_id"),
    dated=False,
)

topic_runs = table(
    "topic_runs",
    link("user_id", "users.id", primary_key=True, autoincrement=False),
    number("begun"),
    number("run"),
    text("day"),
    time("ran_at"),
    dated=False,
)
"""Whose themes were found when. Runs are numbered as they begin; `run` is the last that has ended:
what others have found is history, or not complete.
"""
