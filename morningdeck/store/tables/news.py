"""What is read: sources, their readers, and the items they bring."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    Column,
    ColumnElement,
    Float,
    FromClause,
    Index,
    PrimaryKeyConstraint,
    UniqueConstraint,
    and_,
    case,
    func,
)

from morningdeck.store.tables.columns import (
    AnyText,
    BigInt,
    Json,
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

sources = table(
    "sources",
    key(),
    text("type", "RSS"),
    text("url"),
    text("title"),
    strings("topics"),
    text("prompt"),
    text("mailbox", None),
    text("etag", None),
    text("last_modified", None),
    *work(
        LIFECYCLES[Stage.FETCH],
        status="fetch_status",
        due_at="next_fetch_at",
        failures="consecutive_failures",
    ),
    time("last_fetched_at"),
    time("last_success_at"),
    text("health", "active"),
    flag("wanted"),
    number("refresh_seconds", 900),
    text("moved_to", None),
    number("moved_times"),
    text("host"),
    number("rhythm_seconds", None),
    strings("warnings"),
    strings("to_ask"),
    text("recent"),
    text("inactive_reason", None),
    one_of("health", ("active", "degraded", "inactive", "gone")),
    UniqueConstraint("type", "url", "prompt"),
    sqlite_autoincrement=True,
)
source_waits = and_(among(sources.c.status, "IDLE"), sources.c.wanted)
"""`wanted` says that somebody's unpaused subscription and the source's health ask for it."""
partial("ix_sources_due", sources.c.due_at, sources.c.id, where=source_waits)
Index("ix_sources_host", sources.c.host, sources.c.due_at)
partial(
    "ix_sources_held", sources.c.lease_until, where=among(sources.c.status, "QUEUED", "FETCHING")
)

subscriptions = table(
    "subscriptions",
    key(),
    link("user_id", "users.id"),
    link("source_id", "sources.id", index=True),
    text("name"),
    strings("tags"),
    number("refresh_seconds", None),
    flag("paused"),
    time("since", nullable=False, server_default=func.now()),
    UniqueConstraint("user_id", "source_id"),
    sqlite_autoincrement=True,
)

raw_emails = table(
    "raw_emails",
    key(),
    link("source_id", "sources.id", index=True),
    text("uid_key"),
    blob("content"),
    UniqueConstraint("source_id", "uid_key"),
)

seen_guids = table(
    "seen_guids",
    link("source_id", "sources.id"),
    text("guid"),
    PrimaryKeyConstraint("source_id", "guid"),
    dated=False,
)

search_gone = table(
    "search_gone",
    Column("item_id", BigInt, primary_key=True, autoincrement=False),
    dated=False,
)
"""Removed items, until the search index knows that they are gone."""

stories = table(
    "stories",
    key(),
    text("label"),
    number("representative_id", None, index=True),
    sqlite_autoincrement=True,
)

items = table(
    "items",
    key(),
    link("source_id", "sources.id"),
    text("guid"),
    text("url", None),
    text("canonical_url", None),
    text("title"),
    text("author", None),
    text("image_url", None),
    time("published_at"),
    time("first_seen_at", nullable=False),
    text("content_hash"),
    text("language", None),
    text("summary"),
    text("category"),
    text("intent"),
    Column("tags", Json, nullable=False, server_default="{}"),
    text("enriched_by", None),
    link("story_id", "stories.id", optional=True),
    number("priority"),
    number("turn"),
    flag("rescore"),
    time("processed_at"),
    number("search_mark"),
    number("alert_mark"),
    number("searches_before", None),
    *work(LIFECYCLES[Stage.PROCESSING]),
    UniqueConstraint("source_id", "guid"),
    sqlite_autoincrement=True,
)
next_search_mark = func.abs(items.c.search_mark) + 1
"""What is set whenever something changes that the search index shows. When that is indexed, the
mark becomes the same number below zero: so a number never comes again, and whoever clears the mark
that it has read clears no later one.
"""
in_line = and_(among(items.c.status, "NEW"), items.c.due_at.is_(None))
"""What waits and is due: the line of the fair claim. A due time keeps an item out of it."""
wants_scores = and_(among(items.c.status, "DONE"), items.c.rescore, items.c.due_at.is_(None))
dead_letter = among(items.c.status, "ERROR")
partial("ix_items_line", items.c.priority.desc(), items.c.turn, items.c.id, where=in_line)
partial("ix_items_turn", items.c.source_id, items.c.turn, where=in_line)
partial("ix_items_rescore", items.c.first_seen_at.desc(), items.c.id, where=wants_scores)
partial("ix_items_later", items.c.due_at, where=items.c.due_at.is_not(None))
partial("ix_items_held", items.c.lease_until, where=among(items.c.status, "PENDING", "PROCESSING"))
partial("ix_items_dead", items.c.id, where=dead_letter)
partial("ix_items_cancelled", items.c.id, where=among(items.c.status, "CANCELLED"))
partial("ix_items_outbox", items.c.id, where=items.c.search_mark > 0)
partial("ix_items_alert", items.c.id, where=items.c.alert_mark > 0)
partial("ix_items_story", items.c.story_id, where=items.c.story_id.is_not(None))
partial("ix_items_canonical_url", items.c.canonical_url, where=items.c.canonical_url.is_not(None))
Index("ix_items_source_seen", items.c.source_id, items.c.first_seen_at)
Index("ix_items_seen", items.c.first_seen_at, items.c.id)


def date_of(those: FromClause) -> ColumnElement[datetime]:
    """What lists are ordered by; nothing was published after it was seen, whatever its feed says.

    `those` are items under another name.
    """
    published, seen = those.c.published_at, those.c.first_seen_at
    return case((published < seen, published), else_=seen)


item_date = date_of(items)
Index("ix_items_date", item_date, items.c.id)

item_texts = table(
    "item_texts",
    link("item_id", "items.id", primary_key=True, autoincrement=False),
    text("raw_content"),
    text("clean_content"),
    text("web_content"),
    dated=False,
)
"""Apart from `items`, so that a change of status never rewrites an article."""

item_likenesses = table(
    "item_likenesses",
    key(),
    link("item_id", "items.id", unique=True),
    link("story_id", "stories.id", index=True),
    time("first_seen_at", nullable=False, index=True),
    text("title"),
    text("text_hash"),
    text("canonical_url", None),
    number("simhash"),
    blob("embedding", key="vector"),
    blob("title_words"),
    blob("lead_words"),
    number("subject_id", None, index=True),
    strings("merged_stories"),
    strings("merged_subjects"),
    dated=False,
)
"""A subject has the id of the story that was the first to speak of it, still there or not. What is
`merged_...` has become the item's story or subject because of this item.
"""

item_profiles = table(
    "item_profiles",
    link("item_id", "items.id", primary_key=True, autoincrement=False),
    text("language"),
    blob("words"),
    blob("meaning"),
    number("mark"),
    dated=False,
)
"""What scores are made of, as long as they are refined; marked until that is done."""
partial("ix_item_profiles_marked", item_profiles.c.item_id, where=item_profiles.c.mark > 0)

word_counts = table(
    "word_counts",
    Column("language", AnyText, primary_key=True),
    Column("articles", Float, nullable=False),
    blob("words"),
    time("counted_at", nullable=False),
    dated=False,
)
"""The words of profiles that are no longer kept: a row for each language."""

item_states = table(
    "item_states",
    link("user_id", "users.id"),
    link("item_id", "items.id", index=True),
    time("read_at"),
    time("saved_at"),
    PrimaryKeyConstraint("user_id", "item_id"),
)
partial(
    "ix_item_states_saved",
    item_states.c.user_id,
    item_states.c.item_id,
    where=item_states.c.saved_at.is_not(None),
)
