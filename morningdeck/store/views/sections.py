"""The sections of a briefing: rows of the same table, each with a title and a wish of its own.

So a section is scored like a briefing. It is never due: its briefing writes it. What else there
is about it, from sources to pauses, follows its briefing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, literal, select

from morningdeck.errors import ConfigError
from morningdeck.model.wanting import WantedSection
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.repository import grouped, made_of
from morningdeck.store.expressions.search_marks import mark_for_search
from morningdeck.store.tables.briefs import briefing_subscriptions, briefings, item_scores
from morningdeck.store.tables.news import items

if TYPE_CHECKING:
    from morningdeck.views.sent import SectionView

SHOWN_OF_TITLE = 60  # of a section, in a mail
MOST_SECTIONS = 9
"""With its own wish, as many as a model is asked about at once."""
FOLLOWS = ("user_id", "paused", "all_sources", "language", "frequency", "timezone")


def put_sections(connection: Connection, briefing_id: int, wanted: Sequence[WantedSection]) -> bool:
    """Have just these, in this order; one of the same title stays, and keeps its scores unless its
    wish differs. True if there is something to score.
    """
    there = dict(
        tuple(row)
        for row in connection.execute(
            select(briefings.c.title, briefings.c.id).where(briefings.c.section_of == briefing_id)
        )
    )
    to_score = False
    for position, section in enumerate(wanted, start=1):
        values = {"criteria": section.criteria, "position": position}
        if (section_id := there.pop(section.title, None)) is None:
            of = {"section_of": briefing_id, "title": section.title, "user_id": _owner(briefing_id)}
            connection.execute(insert(briefings).values(**values, **of))
            to_score = True
            continue
        this, differs = briefings.c.id == section_id, briefings.c.criteria != section.criteria
        grown = briefings.c.criteria_version + 1
        to_score |= change(connection, briefings, this, differs, criteria_version=grown) > 0
        change(connection, briefings, this, **values)
    remove_wishes(connection, briefings.c.id.in_(there.values()))
    return to_score


def remove_wishes(connection: Connection, which: ColumnElement[bool]) -> None:
    """Briefings or sections with their scores, which the search index is not to show any more."""
    wishes = select(briefings.c.id).where(which)
    scored = select(item_scores.c.item_id).where(item_scores.c.briefing_id.in_(wishes))
    mark_for_search(connection, items.c.id.in_(scored))
    connection.execute(delete(briefings).where(which))


def _owner(briefing_id: int) -> Any:
    return select(briefings.c.user_id).where(briefings.c.id == briefing_id).scalar_subquery()


def follow_briefing(connection: Connection, briefing_id: int) -> None:
    """Make its sections what their briefing is, and have them take the same sources."""
    row = connection.execute(
        select(*(briefings.c[name] for name in FOLLOWS)).where(briefings.c.id == briefing_id)
    ).one()
    mine = briefings.c.section_of == briefing_id
    if not change(connection, briefings, mine, **row._mapping):
        return
    sections = select(briefings.c.id).where(mine)
    links = briefing_subscriptions
    connection.execute(delete(links).where(links.c.briefing_id.in_(sections)))
    for section_id in connection.scalars(sections).all():
        linked = select(literal(section_id), links.c.subscription_id)
        of_briefing = linked.where(links.c.briefing_id == briefing_id)
        names = ["briefing_id", "subscription_id"]
        connection.execute(insert(links).from_select(names, of_briefing))


def sections_of(connection: Connection, page: Select[Any]) -> Mapping[int, tuple[SectionView, ...]]:
    """By briefing, in their order."""
    from morningdeck.views.sent import SectionView  # lists of sources have none

    those = page.with_only_columns(briefings.c.id).subquery()
    query = (
        select(briefings)
        .join(those, those.c.id == briefings.c.section_of)
        .order_by(briefings.c.position, briefings.c.id)
    )
    rows = connection.execute(query)
    return grouped((row.section_of, made_of(row, SectionView)) for row in rows)


def filled(text: str | None, what: str) -> str | None:
    if text is not None and not text.strip():
        raise ConfigError(f"a briefing needs {what}")
    return text and text.strip()


def valid_sections(wanted: Sequence[WantedSection]) -> tuple[WantedSection, ...]:
    sections = tuple(
        WantedSection(
            filled(one.title, "a title for each section") or "",
            filled(one.criteria, "a wish for each section") or "",
        )
        for one in wanted
    )
    titles = {_as_read(one.title) for one in sections}
    if len(titles) < len(sections):
        raise ConfigError("two sections of a briefing cannot have one title")
    if len(sections) > MOST_SECTIONS:
        raise ConfigError(f"a briefing has {MOST_SECTIONS} sections at most")
    return sections


def _as_read(title: str) -> str:
    """What a reader tells titles apart by."""
    return " ".join(title.casefold().split())[:SHOWN_OF_TITLE]
