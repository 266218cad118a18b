"""All tables. What a user sets and what the engine sets are different columns; where a
query must stay fast with a million rows, its partial index stands beside its table.
"""

from morningdeck.store.tables.base import metadata
from morningdeck.store.tables.briefs import (
    briefing_subscriptions,
    briefing_waits,
    briefings,
    deliveries,
    item_scores,
    report_items,
    report_texts,
    reports,
    topic_clusters,
    topic_members,
)
from morningdeck.store.tables.news import (
    dead_letter,
    in_line,
    item_date,
    item_likenesses,
    item_states,
    item_texts,
    items,
    raw_emails,
    search_gone,
    seen_guids,
    source_waits,
    sources,
    stories,
    subscriptions,
    wants_scores,
)
from morningdeck.store.tables.people import api_tokens, sessions, users
from morningdeck.store.tables.running import credit_ledger, hosts, notices, processes, usage

__all__ = [
    "api_tokens",
    "briefing_subscriptions",
    "briefing_waits",
    "briefings",
    "credit_ledger",
    "dead_letter",
    "deliveries",
    "hosts",
    "in_line",
    "item_date",
    "item_likenesses",
    "item_scores",
    "item_states",
    "item_texts",
    "items",
    "metadata",
    "notices",
    "processes",
    "raw_emails",
    "report_items",
    "report_texts",
    "reports",
    "search_gone",
    "seen_guids",
    "sessions",
    "source_waits",
    "sources",
    "stories",
    "subscriptions",
    "topic_clusters",
    "topic_members",
    "usage",
    "users",
    "wants_scores",
]
