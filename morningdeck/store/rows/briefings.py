"""Briefings as their verb sees them: what they ask for, and what there is to weigh."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    and_,
    cast,
    false,
    func,
    literal,
    select,
)

from morningdeck.model.kinds import PRIVATE, Health
from morningdeck.model.reading import THIN_CHARACTERS
from morningdeck.model.sending import Briefing, Teller, TitledWish, Untold
from morningdeck.model.weighing import Candidate
from morningdeck.store.database.bulk import in_chunks, insert_new
from morningdeck.store.database.connect import Lock
from morningdeck.store.expressions.briefings import plan_of, takes
from morningdeck.store.expressions.ended import ended_of
from morningdeck.store.expressions.repository import made_of, names_in
from morningdeck.store.expressions.texts import readable_text, source_name
from morningdeck.store.rows.found import SqlFoundRows
from morningdeck.store.rows.told import SHOWN_FOR, SqlToldRows
from morningdeck.store.tables.briefs import (
    briefings,
    item_scores,
    reports,
)
from morningdeck.store.tables.columns import BigInt, UtcTime
from morningdeck.store.tables.news import (
    item_likenesses,
    item_texts,
    items,
    sources,
    stories,
    subscriptions,
)
from morningdeck.store.tables.people import users
from morningdeck.store.tables.running import notices

MOST_UNTOLD = 5
"""Of one mail; the others come with the next."""
MANUAL = "manual:"
NOT_KNOWN_YET: Mapping[str, Any] = {"told": False, "update": "", "update_since": None}
"""What is found out about a candidate where it matters."""
CHARACTERS_A_MINUTE, SIGNS_A_MINUTE = 1_200, 450
IS_PRIVATE = sources.c.type.in_(PRIVATE)
WRITTEN_IN_SIGNS = ("ja", "ko", "zh")


class SqlBriefingRows(SqlToldRows, SqlFoundRows):
    """The port `BriefingRows`."""

    def load(self, briefing_id: int) -> Briefing | None:
        query = (
            select(briefings, users.c.email.label("user_email"))
            .join(users)
            .where(briefings.c.id == briefing_id, briefings.c.section_of.is_(None))
        )
        sections = (
            select(briefings.c.id, briefings.c.title)
            .where(briefings.c.section_of == briefing_id)
            .order_by(briefings.c.position, briefings.c.id)
        )
        row = self._row(query)
        if row is None:
            return None
        ended = set(self._column(ended_of(briefing_id)))
        return made_of(
            row,
            Briefing,
            plan=plan_of(row),
            recipients=tuple(to for to in row.recipients if to not in ended),
            manual=row.run_requested_at is not None,
            sections=tuple(TitledWish(*section) for section in self._rows(sections)),
        )

    def candidates(self, briefing: Briefing, since: datetime) -> tuple[Candidate, ...]:
        """Scores by its criteria of today that no report has weighed yet, of items first seen
        after `since`.
        """
        rows = self._rows(_fresh_scores(briefing, since))
        shown = self.shown(briefing, since - SHOWN_FOR)
        stories, itself = {story for story, _ in shown}, {item for _, item in shown}
        return tuple(
            made_of(
                row,
                Candidate,
                topics=names_in(row.tags, row.source_topics)["topics"],
                story_shown=(row.story_id or 0) in stories or row.item_id in itself,
                **NOT_KNOWN_YET,
            )
            for row in rows
        )

    def open_report(self, briefing_id: int, slot: str | None) -> int | None:
        """Make the slot's report row, once; None when it has been written already."""
        with self._database.write() as connection:
            name = slot or _manual_slot(connection, briefing_id)
            row = {"briefing_id": briefing_id, "slot": name}
            insert_new(connection, reports, [row], ("briefing_id", "slot"))
            return connection.scalar(
                select(reports.c.id).where(
                    reports.c.briefing_id == briefing_id,
                    reports.c.slot == name,
                    reports.c.status == "PENDING",
                )
            )

    def coming(self, after: datetime, until: datetime) -> Sequence[int]:
        at = briefings.c.next_run_at
        soon = and_(at > after, at <= until, ~briefings.c.paused, briefings.c.status == "ACTIVE")
        return self._column(select(briefings.c.id).where(soon).order_by(at, briefings.c.id))

    def prepared_alone(self) -> AbstractContextManager[bool]:
        return self._database.held_if_free(Lock.PREPARING)

    def request_run(self, briefing_id: int, now: datetime) -> bool:
        """Ask for a manual run; False while the briefing is being written."""
        waits = and_(briefings.c.id == briefing_id, briefings.c.status == "ACTIVE")
        return self._change(briefings, waits, run_requested_at=now) == 1

    def ask_run(self, briefing_id: int, now: datetime) -> bool:
        """Have a daemon do a manual run; False while the briefing is being written. Asked for
        again before that, it is still one run.
        """
        waits = and_(briefings.c.id == briefing_id, briefings.c.status == "ACTIVE")
        asked = func.coalesce(briefings.c.run_requested_at, literal(now, UtcTime))
        return self._change(briefings, waits, run_requested_at=asked, due_at=now) == 1

    def last_report(self, briefing_id: int) -> int | None:
        query = select(func.max(reports.c.id)).where(
            reports.c.briefing_id == briefing_id, reports.c.status == "GENERATED"
        )
        return self._scalar(query)

    def tellers(
        self, user_id: int, story_ids: Collection[int]
    ) -> Mapping[int, Mapping[int, Teller]]:
        """Each with the newest article in which it tells the story."""
        found: dict[int, dict[int, Teller]] = {}
        with self._database.read() as connection:
            for some in in_chunks(tuple(story_ids)):
                for story, source, *teller in connection.execute(_told_by(user_id, some)):
                    found.setdefault(story, {})[source] = Teller(*teller)
        return found

    def minutes(self, item_ids: Collection[int]) -> Mapping[int, int]:
        query = (
            select(items.c.id, func.length(readable_text()), items.c.language)
            .join(item_texts, item_texts.c.item_id == items.c.id)
            .where(items.c.id.in_(item_ids))
        )
        return {row[0]: _minutes(row[1], row[2]) for row in self._rows(query)}

    def image_url(self, item_id: int) -> str | None:
        return self._scalar(select(items.c.image_url).where(items.c.id == item_id))

    def has_reports(self, briefing_id: int) -> bool:
        return self.last_report(briefing_id) is not None

    def untold(self, user_id: int) -> tuple[Untold, ...]:
        query = (
            select(notices.c.id, notices.c.text)
            .where(
                notices.c.user_id == user_id,
                notices.c.ended_at.is_(None),
                notices.c.mailed_at.is_(None),
            )
            .order_by(notices.c.id)
            .limit(MOST_UNTOLD)
        )
        return tuple(Untold(*row) for row in self._rows(query))

    def broken_sources(self, briefing_id: int) -> tuple[str, ...]:
        query = (
            select(source_name())
            .join(subscriptions, subscriptions.c.source_id == sources.c.id)
            .join(briefings, briefings.c.user_id == subscriptions.c.user_id)
            .where(
                briefings.c.id == briefing_id,
                takes(),
                sources.c.health.in_((Health.DEGRADED, Health.GONE)),
            )
            .order_by(source_name())
        )
        return self._column(query)


def _fresh_scores(briefing: Briefing, since: datetime) -> Select[Any]:
    wishes = [wish.id for wish in briefing.wishes]
    return (
        select(
            items.c.id.label("item_id"),
            source_name().label("source_title"),
            *(items.c.source_id, items.c.story_id, item_likenesses.c.subject_id),
            *(items.c.title, items.c.url, items.c.summary, items.c.tags),
            sources.c.topics.label("source_topics"),
            *(items.c.published_at, items.c.first_seen_at, items.c.language),
            IS_PRIVATE.label("private"),
            item_scores.c.score,
            item_scores.c.reason,
            item_scores.c.briefing_id.label("wish_id"),
            func.coalesce(stories.c.representative_id == items.c.id, false()).label("is_leader"),
        )
        .select_from(item_scores)
        .join(briefings, briefings.c.id == item_scores.c.briefing_id)
        .join(items, items.c.id == item_scores.c.item_id)
        .join(sources, sources.c.id == items.c.source_id)
        .outerjoin(stories, stories.c.id == items.c.story_id)
        .outerjoin(item_likenesses, item_likenesses.c.item_id == items.c.id)
        .join(
            subscriptions,
            and_(
                subscriptions.c.source_id == sources.c.id,
                subscriptions.c.user_id == briefings.c.user_id,
            ),
        )
        .where(
            item_scores.c.briefing_id.in_(wishes),
            item_scores.c.considered_in.is_(None),
            item_scores.c.criteria_version == briefings.c.criteria_version,
            items.c.first_seen_at > since,
            takes(),
        )
        .order_by(items.c.id, item_scores.c.briefing_id)
    )


def _told_by(user_id: int, story_ids: Sequence[int]) -> Select[Any]:
    """The stories first: from 20 of them on SQLite would walk through all that the user's sources
    have ever told.
    """
    told = (
        select(items.c.id, items.c.story_id, items.c.source_id, items.c.url)
        .where(items.c.story_id.in_(story_ids))
        .cte("told")
        .prefix_with("MATERIALIZED")
    )
    return (
        select(told.c.story_id, sources.c.id, source_name(), told.c.url, IS_PRIVATE)
        .join(sources, sources.c.id == told.c.source_id)
        .join(subscriptions, subscriptions.c.source_id == sources.c.id)
        .where(subscriptions.c.user_id == user_id, ~subscriptions.c.paused)
        .order_by(told.c.story_id, sources.c.id, told.c.id)
    )


def _minutes(characters: int, language: str | None) -> int:
    """What is known of a thin text does not tell how long the article is."""
    if characters < THIN_CHARACTERS:
        return 0
    in_signs = (language or "").partition("-")[0] in WRITTEN_IN_SIGNS
    return max(1, round(characters / (SIGNS_A_MINUTE if in_signs else CHARACTERS_A_MINUTE)))


def _manual_slot(connection: Connection, briefing_id: int) -> str:
    """The slot of the manual run that was left unfinished, else the next number."""
    mine = and_(reports.c.briefing_id == briefing_id, reports.c.slot.startswith(MANUAL))
    unfinished = connection.scalar(
        select(reports.c.slot).where(mine, reports.c.status == "PENDING")
    )
    if unfinished is not None:
        return str(unfinished)
    number = cast(func.substr(reports.c.slot, len(MANUAL) + 1), BigInt)
    last = connection.scalar(select(func.max(number)).where(mine)) or 0
    return f"{MANUAL}{last + 1}"
