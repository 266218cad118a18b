"""What readers have searched for and want to be told of."""

from __future__ import annotations

from sqlalchemy import PrimaryKeyConstraint, UniqueConstraint

from morningdeck.store.tables.columns import key, link, partial, table, text

saved_searches = table(
    "saved_searches",
    key(),
    link("user_id", "users.id"),
    text("name"),
    text("query"),
    link("briefing_id", "briefings.id", optional=True, index=True),
    UniqueConstraint("user_id", "name"),
    sqlite_autoincrement=True,
)
partial(
    "ix_saved_searches_alerting",
    saved_searches.c.id,
    where=saved_searches.c.briefing_id.is_not(None),
)
"""`briefing_id` tells what is found: one of the user's own, one made for this search alone
(`at_once`), or none.
"""

search_hits = table(
    "search_hits",
    link("search_id", "saved_searches.id"),
    link("item_id", "items.id", index=True),
    link("report_id", "reports.id", optional=True, index=True),
    PrimaryKeyConstraint("search_id", "item_id"),
)
"""What an alerting search has found, each item once; marked by the report that has weighed it."""
partial(
    "ix_search_hits_fresh",
    search_hits.c.search_id,
    search_hits.c.item_id,
    where=search_hits.c.report_id.is_(None),
)
