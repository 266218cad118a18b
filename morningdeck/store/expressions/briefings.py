"""Which sources a briefing takes, which items it serves, and when it comes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, exists, or_

from morningdeck.model.sending import Plan
from morningdeck.schedule import zone
from morningdeck.store.tables.briefs import briefing_subscriptions, briefings
from morningdeck.store.tables.news import items, subscriptions
from morningdeck.store.tables.people import users


def takes() -> ColumnElement[bool]:
    """Of a briefing and a subscription of its user: the briefing reads that source."""
    linked = (
        exists()
        .where(
            briefing_subscriptions.c.briefing_id == briefings.c.id,
            briefing_subscriptions.c.subscription_id == subscriptions.c.id,
        )
        # they may stand two levels up, where SQLAlchemy does not look by itself
        .correlate(briefings, subscriptions)
    )
    return and_(~subscriptions.c.paused, or_(briefings.c.all_sources, linked))


def serves(item_id: int) -> ColumnElement[bool]:
    """The condition for active briefings that take the item's source from their users."""
    return and_(
        ~briefings.c.paused,
        exists().where(
            items.c.id == item_id,
            subscriptions.c.source_id == items.c.source_id,
            subscriptions.c.user_id == briefings.c.user_id,
            users.c.id == briefings.c.user_id,
            users.c.enabled,
            takes(),
        ),
    )


def plan_columns(plan: Plan) -> dict[str, Any]:
    return {
        "frequency": "DAILY" if plan.weekday is None else "WEEKLY",
        "weekday": plan.weekday,
        "local_time": f"{plan.hour:02d}:{plan.minute:02d}",
        "timezone": zone(plan.timezone).key,
    }


def plan_of(row: Any) -> Plan:
    hour, minute = row.local_time.split(":")
    return Plan(int(hour), int(minute), row.timezone, row.weekday)
