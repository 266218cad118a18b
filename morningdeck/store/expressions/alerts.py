"""Which items saved searches have to look at: marked in the transaction that changes an item.

An item knows the last search that was there when it was first done. So nothing that was there
before a search alerts, whatever becomes of it later, and nothing is missed that commits late.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, select

from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.news import items, subscriptions
from morningdeck.store.tables.searches import saved_searches, search_hits

_LAST = select(func.coalesce(func.max(saved_searches.c.id), 0)).scalar_subquery()
_FIRST_TO_ALERT = (
    select(func.min(saved_searches.c.id))
    .where(saved_searches.c.briefing_id.is_not(None))
    .scalar_subquery()
)


def looked_at_again() -> dict[str, Any]:
    """The columns of an item that has changed, as far as a search may alert of it."""
    return {"alert_mark": _marked(items.c.searches_before)}


def looked_at_when_done() -> dict[str, Any]:
    """The columns of an item that is done, before it says by whom it was enriched."""
    before = case((items.c.enriched_by.is_(None), _LAST), else_=items.c.searches_before)
    return {"searches_before": before, "alert_mark": _marked(before)}


def _marked(before: ColumnElement[Any]) -> ColumnElement[int]:
    return case((before >= _FIRST_TO_ALERT, items.c.alert_mark + 1), else_=items.c.alert_mark)


def untold_hits(since: Any) -> Select[Any]:
    """What searches have found and no report has weighed, of items first seen after `since` that
    their user still reads. One that is being worked on again is told when that is done.
    """
    reads = and_(
        subscriptions.c.source_id == items.c.source_id,
        subscriptions.c.user_id == saved_searches.c.user_id,
        ~subscriptions.c.paused,
    )
    return (
        select(search_hits.c.search_id, search_hits.c.item_id)
        .join(saved_searches, saved_searches.c.id == search_hits.c.search_id)
        .join(items, items.c.id == search_hits.c.item_id)
        .join(subscriptions, reads)
        .where(
            search_hits.c.report_id.is_(None),
            items.c.first_seen_at > since,
            items.c.status == "DONE",
        )
    )


def has_something_to_tell(since: Any) -> ColumnElement[bool]:
    """Of a briefing: one of its searches has found something."""
    of_briefing = saved_searches.c.briefing_id == briefings.c.id
    return exists(untold_hits(since).where(of_briefing).correlate(briefings))
