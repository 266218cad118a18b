"""Which sources a briefing takes, which items it serves, and when it comes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, ColumnElement, and_, exists, or_

from morningdeck.model.sending import Plan
from morningdeck.schedule import DAYS_IN_SHORT, zone
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


def serves(item_id: int | BindParameter[int]) -> ColumnElement[bool]:
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


def whole() -> ColumnElement[bool]:
    """What its reader calls a briefing: no section of one, nor what tells of a saved search."""
    return and_(briefings.c.section_of.is_(None), ~briefings.c.at_once)


def with_sections(briefing_id: int) -> ColumnElement[bool]:
    """The briefing, and the sections that it has beside its own wish."""
    return or_(briefings.c.id == briefing_id, briefings.c.section_of == briefing_id)


def plan_columns(plan: Plan) -> dict[str, Any]:
    times = ((plan.hour, plan.minute), *plan.further)
    return {
        "frequency": "DAILY" if plan.weekday is None else "WEEKLY",
        "weekday": plan.weekday,
        "local_time": ",".join(f"{hour:02d}:{minute:02d}" for hour, minute in times),
        "days": tuple(DAYS_IN_SHORT[day] for day in plan.days),
        "timezone": zone(plan.timezone).key,
    }


def plan_of(row: Any) -> Plan:
    first, *further = (
        (int(hour), int(minute))
        for hour, minute in (text.split(":") for text in row.local_time.split(","))
    )
    days = tuple(DAYS_IN_SHORT.index(day) for day in row.days)
    return Plan(*first, row.timezone, row.weekday, tuple(further), days)
