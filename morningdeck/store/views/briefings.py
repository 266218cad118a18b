"""The briefings of a user: making, looking, editing, pausing, removing."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, Row, Select, and_, case, delete, insert, literal, select

from morningdeck.discreet import said
from morningdeck.errors import ConfigError, ConflictError
from morningdeck.languages import LANGUAGES
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import BriefingChanges, NewBriefing
from morningdeck.schedule import WEEKDAYS
from morningdeck.selection import WEEKLY_WINDOW
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.briefings import plan_columns, takes, whole, with_sections
from morningdeck.store.expressions.ended import ended_in, take_back
from morningdeck.store.expressions.repository import Repository, found, grouped, made_of
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import (
    check_briefing,
    check_source,
    check_wish,
    sources_of_reader,
    subscribes,
    visible_newest_first,
)
from morningdeck.store.notices.troubles import end_what_is_over, forget_others
from morningdeck.store.queue.line import ask_for_scores
from morningdeck.store.tables.briefs import (
    briefing_subscriptions,
    briefings,
    item_scores,
    reports,
)
from morningdeck.store.tables.news import item_date, items, sources, subscriptions
from morningdeck.store.views.sections import (
    filled,
    follow_briefing,
    put_sections,
    remove_wishes,
    sections_of,
    valid_sections,
)
from morningdeck.store.views.users import valid_recipients
from morningdeck.views.reading import TunedView
from morningdeck.views.sent import BriefingView, SectionView


class Briefings(Repository):
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
            put_sections(connection, briefing_id, valid_sections(wanted.sections))
            follow_briefing(connection, briefing_id)
            ask_for_scores(connection, wanted.source_ids or sources_of_reader(user_id), now)
        return self.show(user_id, briefing_id)

    def edit(
        self,
        user_id: int,
        briefing_id: int,
        changes: BriefingChanges,
        *,
        now: datetime,
        next_run_at: datetime | None,
    ) -> BriefingView:
        """With a new plan it next runs then; by new criteria what is recent is scored anew."""
        values, this = _values(changes), briefings.c.id == briefing_id
        with self._database.write() as connection:
            check_briefing(connection, user_id, briefing_id)
            if next_run_at is not None:
                _plan_anew(connection, briefing_id, next_run_at)
            rescores = changes.source_ids is not None
            if changes.source_ids is not None:
                linked = briefing_subscriptions.c.briefing_id == briefing_id
                connection.execute(delete(briefing_subscriptions).where(linked))
                _link(connection, user_id, briefing_id, changes.source_ids)
            if "criteria" in values:
                differs = briefings.c.criteria != values["criteria"]
                grown = briefings.c.criteria_version + 1
                rescores |= change(connection, briefings, this, differs, criteria_version=grown) > 0
            if changes.sections is not None:
                rescores |= put_sections(connection, briefing_id, valid_sections(changes.sections))
            if changes.plan is not None:
                _free_of_another_kind(connection, briefing_id, changes.plan, now)
            if values:
                change(connection, briefings, this, **values)
            if changes.recipients is not None:
                take_back(connection, briefing_id)
                forget_others(connection, briefing_id, values["recipients"])
                end_what_is_over(connection)
            follow_briefing(connection, briefing_id)
            if rescores:
                ask_for_scores(connection, _sources_of(briefing_id), now)
        return self.show(user_id, briefing_id)

    def list(
        self, user_id: int, limit: int = 50, *, before: int | None = None
    ) -> tuple[BriefingView, ...]:
        """The newest first, beyond the last that was seen."""
        query = select(briefings).where(briefings.c.user_id == user_id, whole())
        if before is not None:
            query = query.where(briefings.c.id < before)
        return self._views(query.order_by(briefings.c.id.desc()).limit(limit))

    def show(self, user_id: int, briefing_id: int) -> BriefingView:
        own = and_(briefings.c.user_id == user_id, briefings.c.id == briefing_id)
        return found(self._views(select(briefings).where(own, whole())), f"briefing {briefing_id}")

    def scored(self, user_id: int, briefing_id: int, limit: int = 50) -> tuple[TunedView, ...]:
        """The newest items that it, or this section of one, has scored, whatever they scored."""
        query = (
            select(
                items.c.id.label("item_id"),
                *(items.c.title, items.c.url, items.c.published_at),
                *(item_scores.c.score, item_scores.c.reason, item_scores.c.feedback),
                item_scores.c.scored_by.label("by"),
                source_name().label("source"),
                (item_scores.c.criteria_version < briefings.c.criteria_version).label("outdated"),
            )
            .select_from(item_scores.join(items).join(sources).join(briefings))
            .outerjoin(subscriptions, subscribes(user_id, items.c.source_id))
            .where(item_scores.c.briefing_id == briefing_id)
            .order_by(item_date.desc(), items.c.id.desc())
            .limit(limit)
        )
        with self._database.read() as connection:
            check_wish(connection, user_id, briefing_id)
            may_see = visible_newest_first(self._database, connection, user_id)
            rows = connection.execute(query.where(may_see))
            untried = {"tried_score": None, "tried_reason": None}
            return tuple(
                made_of(row, TunedView, outdated=bool(row.outdated), **untried) for row in rows
            )

    def language(self, user_id: int, briefing_id: int) -> str | None:
        """In which it, or this section of one, is told."""
        with self._database.read() as connection:
            check_wish(connection, user_id, briefing_id)
            return connection.scalar(
                select(briefings.c.language).where(briefings.c.id == briefing_id)
            )

    def next_run_at(self, user_id: int, briefing_id: int) -> datetime | None:
        """When its next one comes; None while it is paused, and where there is none."""
        own = and_(briefings.c.user_id == user_id, briefings.c.id == briefing_id)
        return self._scalar(select(briefings.c.next_run_at).where(own, ~briefings.c.paused))

    def pause(self, user_id: int, briefing_id: int) -> BriefingView:
        with self._database.write() as connection:
            check_briefing(connection, user_id, briefing_id)
            change(connection, briefings, with_sections(briefing_id), paused=True)
        return self.show(user_id, briefing_id)

    def resume(
        self, user_id: int, briefing_id: int, *, now: datetime, next_run_at: datetime
    ) -> BriefingView:
        """It goes on at its next slot: those that passed meanwhile are not owed."""
        goes_on = {"paused": False, "next_run_at": next_run_at, "due_at": next_run_at}
        with self._database.write() as connection:
            check_briefing(connection, user_id, briefing_id)
            change(connection, briefings, briefings.c.id == briefing_id, **goes_on)
            follow_briefing(connection, briefing_id)
            # while it was paused, nothing was scored by criteria that changed
            stale = items.c.id.in_(_scored_by_old_criteria(briefing_id))
            ask_for_scores(connection, _sources_of(briefing_id), now, only=stale)
        return self.show(user_id, briefing_id)

    def remove(self, user_id: int, briefing_id: int) -> None:
        """With its reports and scores."""
        with self._database.write() as connection:
            check_briefing(connection, user_id, briefing_id)
            remove_wishes(connection, with_sections(briefing_id))
            end_what_is_over(connection)

    def _views(self, query: Select[Any]) -> tuple[BriefingView, ...]:
        with self._database.read() as connection:
            rows = connection.execute(query).all()
            linked = _linked(connection, query)
            sections = sections_of(connection, query)
            ended = ended_in(connection, query)
        return tuple(
            _view(row, linked.get(row.id, ()), sections.get(row.id, ()), ended.get(row.id, ()))
            for row in rows
        )


def _values(wanted: NewBriefing | BriefingChanges) -> dict[str, Any]:
    """The columns of what is wanted; what is None is not."""
    to, channels, language = wanted.recipients, wanted.channels, wanted.language
    source_ids = wanted.source_ids
    criteria = "criteria: what is its reader interested in?"
    values = {
        "title": filled(wanted.title, "a title"),
        "criteria": filled(wanted.criteria, criteria),
        "recipients": None if to is None else valid_recipients(to),
        "channels": None if channels is None else tuple(dict.fromkeys(channels)),
        "max_items": wanted.max_items,
        "min_score": wanted.min_score,
        "quiet_note": wanted.quiet_note,
        "language": None if language is None else _language(language),
        "ping_url": None if wanted.ping is None else _ping_url(wanted.ping),
        "all_sources": None if source_ids is None else not source_ids,
    }
    plan = {} if wanted.plan is None else plan_columns(wanted.plan)
    return {name: value for name, value in values.items() if value is not None} | plan


def _plan_anew(connection: Connection, briefing_id: int, next_run_at: datetime) -> None:
    """Not while it is being written: its run ends by the plan that it began with."""
    # a run by hand that is owed stays due
    due_at = case(
        (briefings.c.run_requested_at.is_not(None), briefings.c.due_at), else_=next_run_at
    )
    waits = and_(briefings.c.id == briefing_id, briefings.c.status == "ACTIVE")
    if not change(connection, briefings, waits, next_run_at=next_run_at, due_at=due_at):
        raise ConflictError(f"briefing {briefing_id} is being written just now, try again")


def _sources_of(briefing_id: int) -> Select[int]:
    """Those that it takes."""
    return (
        select(subscriptions.c.source_id)
        .join(briefings, briefings.c.user_id == subscriptions.c.user_id)
        .where(briefings.c.id == briefing_id, takes())
    )


def _scored_by_old_criteria(briefing_id: int) -> Select[int]:
    return (
        select(item_scores.c.item_id)
        .join(briefings)
        .where(
            with_sections(briefing_id),
            item_scores.c.criteria_version < briefings.c.criteria_version,
        )
    )


def _free_of_another_kind(
    connection: Connection, briefing_id: int, plan: Plan, now: datetime
) -> None:
    """A weekly covers the week on its own marks: those of dailies are none, nor the other way."""
    marks = select(reports.c.id).where(
        reports.c.briefing_id == briefing_id,
        reports.c.weekly != plan.weekly,
        reports.c.generated_at >= now - WEEKLY_WINDOW,
    )
    was = select(briefings.c.frequency).where(briefings.c.id == briefing_id)
    if (connection.scalar(was) == "WEEKLY") != plan.weekly:
        marked = item_scores.c.considered_in.in_(marks)
        change(connection, item_scores, marked, considered_in=None)


def _ping_url(text: str) -> str:
    url = text.strip()
    readable = re.fullmatch(r"https?://[^\s/]\S*", url, re.I)
    with suppress(ValueError):  # a port or an address in brackets that is none
        if not url or (readable and urlsplit(url).port != 0):
            return url
    raise ConfigError("a ping address looks like https://hc-ping.com/..., '' ends it")


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
    return grouped(tuple(row) for row in connection.execute(query))


def _view(
    row: Row[Any],
    source_ids: Sequence[int],
    sections: tuple[SectionView, ...],
    ended: tuple[str, ...],
) -> BriefingView:
    return made_of(
        row,
        BriefingView,
        weekday=None if row.weekday is None else WEEKDAYS[row.weekday],
        recipients=tuple(map(said, row.recipients)),
        quiet_days="note" if row.quiet_note else "skip",
        source_ids=tuple(source_ids),
        sections=sections,
        ended=tuple(to for to in row.recipients if to in ended),
        ping=said(row.ping_url) if row.ping_url else None,
        feed=row.feed_secret is not None,
    )
