"""The briefings of a user: making, looking, pausing, removing."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, insert, literal, select, update

from morningdeck.errors import ConfigError, NotFoundError
from morningdeck.languages import LANGUAGES
from morningdeck.model import NewBriefing
from morningdeck.schedule import WEEKDAYS, zone
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.visibility import check_briefing, check_source, sources_of_reader
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.queue.line import ask_for_scores
from morningdeck.store.tables import briefing_subscriptions, briefings, subscriptions
from morningdeck.store.views.users import valid_email
from morningdeck.views import BriefingView


class Briefings:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, user_id: int, wanted: NewBriefing, *, now: datetime, next_run_at: datetime
    ) -> BriefingView:
        values = {"user_id": user_id, "due_at": next_run_at, **_values(wanted)}
        with self._database.write() as connection:
            briefing_id: int = connection.scalars(
                insert(briefings)
                .values(**values, next_run_at=next_run_at)
                .returning(briefings.c.id)
            ).one()
            _link(connection, user_id, briefing_id, wanted.source_ids)
            ask_for_scores(connection, wanted.source_ids or sources_of_reader(user_id), now)
        return self.show(user_id, briefing_id)

    def list(self, user_id: int, limit: int = 50) -> tuple[BriefingView, ...]:
        query = select(briefings).where(briefings.c.user_id == user_id)
        return self._views(query.order_by(briefings.c.id.desc()).limit(limit))

    def show(self, user_id: int, briefing_id: int) -> BriefingView:
        query = select(briefings).where(
            briefings.c.user_id == user_id, briefings.c.id == briefing_id
        )
        views = self._views(query)
        if not views:
            raise NotFoundError(f"there is no briefing {briefing_id}")
        return views[0]

    def pause(self, user_id: int, briefing_id: int) -> BriefingView:
        return self._change(user_id, briefing_id, paused=True)

    def resume(self, user_id: int, briefing_id: int, *, next_run_at: datetime) -> BriefingView:
        """It goes on at its next slot: those that passed meanwhile are not owed."""
        return self._change(
            user_id, briefing_id, paused=False, next_run_at=next_run_at, due_at=next_run_at
        )

    def remove(self, user_id: int, briefing_id: int) -> None:
        """With its reports and scores."""
        with self._database.write() as connection:
            check_briefing(connection, user_id, briefing_id)
            connection.execute(delete(briefings).where(briefings.c.id == briefing_id))
            end_what_is_over(connection)

    def _change(self, user_id: int, briefing_id: int, **values: Any) -> BriefingView:
        with self._database.write() as connection:
            check_briefing(connection, user_id, briefing_id)
            connection.execute(
                update(briefings).where(briefings.c.id == briefing_id).values(**values)
            )
        return self.show(user_id, briefing_id)

    def _views(self, query: Select[Any]) -> tuple[BriefingView, ...]:
        with self._database.read() as connection:
            rows = connection.execute(query).all()
            linked = _linked(connection, query)
        return tuple(_view(row, linked.get(row.id, ())) for row in rows)


def _values(wanted: NewBriefing) -> dict[str, Any]:
    title = wanted.title.strip()
    if not title:
        raise ConfigError("a briefing needs a title")
    if not wanted.criteria.strip():
        raise ConfigError("a briefing needs criteria: what is its reader interested in?")
    plan = wanted.plan
    return {
        "title": title,
        "criteria": wanted.criteria.strip(),
        "frequency": "DAILY" if plan.weekday is None else "WEEKLY",
        "weekday": plan.weekday,
        "local_time": f"{plan.hour:02d}:{plan.minute:02d}",
        "timezone": zone(plan.timezone).key,
        "recipients": tuple(valid_email(address) for address in wanted.recipients),
        "channels": wanted.channels,
        "max_items": wanted.max_items,
        "min_score": wanted.min_score,
        "quiet_note": wanted.quiet_note,
        "language": None if wanted.language is None else _language(wanted.language),
        "all_sources": not wanted.source_ids,
    }


def _language(text: str) -> str:
    """One that there are words for; what a region has of its own makes no difference."""
    primary = re.split(r"[-_]", text.strip())[0].lower()
    if primary not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise ConfigError(f"{text!r} is not a language that briefings are written in: {known}")
    return primary


def _link(
    connection: Connection, user_id: int, briefing_id: int, source_ids: Collection[int]
) -> None:
    for source_id in source_ids:
        check_source(connection, user_id, source_id)
    if source_ids:
        chosen = select(literal(briefing_id), subscriptions.c.id).where(
            subscriptions.c.user_id == user_id,
            subscriptions.c.source_id.in_(source_ids),
        )
        connection.execute(
            insert(briefing_subscriptions).from_select(["briefing_id", "subscription_id"], chosen)
        )


def _linked(connection: Connection, chosen: Select[Any]) -> dict[int, tuple[int, ...]]:
    """The sources that each of these briefings names."""
    page = chosen.with_only_columns(briefings.c.id).subquery()
    query = (
        select(briefing_subscriptions.c.briefing_id, subscriptions.c.source_id)
        .select_from(briefing_subscriptions.join(subscriptions))
        .join(page, page.c.id == briefing_subscriptions.c.briefing_id)
        .order_by(subscriptions.c.source_id)
    )
    linked: dict[int, tuple[int, ...]] = {}
    for briefing_id, source_id in connection.execute(query):
        linked[briefing_id] = (*linked.get(briefing_id, ()), source_id)
    return linked


def _view(row: Row[Any], source_ids: Sequence[int]) -> BriefingView:
    return BriefingView(
        id=row.id,
        title=row.title,
        criteria=row.criteria,
        status=row.status,
        paused=row.paused,
        frequency=row.frequency,
        weekday=None if row.weekday is None else WEEKDAYS[row.weekday],
        local_time=row.local_time,
        timezone=row.timezone,
        next_run_at=row.next_run_at,
        last_slot=row.last_slot,
        last_executed_at=row.last_executed_at,
        last_error=row.last_error,
        recipients=row.recipients,
        channels=row.channels,
        max_items=row.max_items,
        min_score=row.min_score,
        per_source=row.per_source,
        quiet_days="note" if row.quiet_note else "skip",
        language=row.language,
        all_sources=row.all_sources,
        source_ids=tuple(source_ids),
    )
