"""What a briefing is to tell of saved searches, and the reports that go out at once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, cast, false, func, literal, select

from morningdeck.model.alerting import Found
from morningdeck.model.kinds import PRIVATE
from morningdeck.model.sending import AT_ONCE_SLOT, Briefing
from morningdeck.model.weighing import Candidate
from morningdeck.store.database.bulk import insert_new
from morningdeck.store.expressions.alerts import untold_hits
from morningdeck.store.expressions.repository import Repository, made_of, names_in
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import briefings_of_reader
from morningdeck.store.tables.briefs import briefings, item_scores, reports
from morningdeck.store.tables.columns import BigInt
from morningdeck.store.tables.news import items, sources, stories
from morningdeck.store.tables.people import users
from morningdeck.store.tables.searches import saved_searches, search_hits

NOT_ASKED: Mapping[str, Any] = {
    **{"reason": "", "story_shown": False, "told": False},
    **{"update": "", "update_since": None, "subject_id": None},
}
"""What nobody asks of an item that stands for a search."""


class SqlFoundRows(Repository):
    def found(self, briefing: Briefing, since: datetime) -> tuple[Found, ...]:
        rows = self._rows(_found_for(briefing, since))
        return tuple(
            Found(
                row.search_id,
                row.name,
                made_of(
                    row,
                    Candidate,
                    topics=names_in(row.tags, row.source_topics)["topics"],
                    **NOT_ASKED,
                ),
            )
            for row in rows
        )

    def open_at_once(self, briefing: Briefing, day: date, most: int) -> int | None:
        """Two searches of one user pass one after the other, so the second counts the first."""
        begins = f"{AT_ONCE_SLOT}{day.isoformat()}/"
        with self._database.write() as connection:
            this = select(users.c.id).where(users.c.id == briefing.user_id)
            connection.execute(this.with_for_update(key_share=True))
            own = and_(reports.c.briefing_id == briefing.id, reports.c.status == "PENDING")
            left = connection.scalar(select(reports.c.id).where(own))
            if left is not None:  # of a run that was cut off
                return int(left)
            number = _number_of_day(connection, briefing.user_id, begins)
            if number >= most:
                return None
            row = {"briefing_id": briefing.id, "slot": f"{begins}{number + 1}"}
            unique = ("briefing_id", "slot")
            ((report_id,),) = insert_new(connection, reports, [row], unique, ("id",))
            return int(report_id)


def _number_of_day(connection: Connection, user_id: int, begins: str) -> int:
    """The number of the user's last report of that day. Those of a search that was removed are
    not counted; the number keeps slots apart that one search has.
    """
    number = cast(func.substr(reports.c.slot, len(begins) + 1), BigInt)
    query = (
        select(func.max(number))
        .join(briefings, briefings.c.id == reports.c.briefing_id)
        .where(briefings.c.user_id == user_id, briefings.c.at_once)
        .where(reports.c.slot.startswith(begins))
    )
    return connection.scalar(query) or 0


def _found_for(briefing: Briefing, since: datetime) -> Select[Any]:
    """In the order in which the searches were saved, the newest first."""
    best = (
        select(func.coalesce(func.max(item_scores.c.score), 0))
        .where(item_scores.c.item_id == items.c.id, _scores_shown(briefing))
        .scalar_subquery()
    )
    return (
        untold_hits(since)
        .join(sources, sources.c.id == items.c.source_id)
        .outerjoin(stories, stories.c.id == items.c.story_id)
        .add_columns(
            saved_searches.c.name,
            items.c.source_id,
            source_name().label("source_title"),
            *(items.c.story_id, items.c.title, items.c.url, items.c.summary, items.c.tags),
            sources.c.topics.label("source_topics"),
            *(items.c.published_at, items.c.first_seen_at, items.c.language),
            sources.c.type.in_(PRIVATE).label("private"),
            best.label("score"),
            literal(briefing.id).label("wish_id"),
            func.coalesce(stories.c.representative_id == items.c.id, false()).label("is_leader"),
        )
        .where(saved_searches.c.briefing_id == briefing.id)
        .order_by(search_hits.c.search_id, items.c.first_seen_at.desc(), items.c.id.desc())
    )


def _scores_shown(briefing: Briefing) -> Any:
    """A mail of its own shows the best score that any briefing of the reader gives."""
    if briefing.at_once:
        return item_scores.c.briefing_id.in_(briefings_of_reader(briefing.user_id))
    return item_scores.c.briefing_id.in_([wish.id for wish in briefing.wishes])
