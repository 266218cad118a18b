"""Which rows a reader may see: every query for a reader starts from one of these conditions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    bindparam,
    case,
    exists,
    false,
    func,
    or_,
    select,
    true,
)

from morningdeck.errors import NotFoundError
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.columns import BigInt
from morningdeck.store.tables.news import item_states, items, sources, subscriptions

Reader = int | BindParameter[int]
READER: BindParameter[int] = bindparam("reader", type_=BigInt)
THIS: BindParameter[int] = bindparam("this", type_=BigInt)
THESE: BindParameter[Any] = bindparam("these", type_=BigInt, expanding=True)
"""Who asks, and for which item or items, in statements that are made once for all who ask."""
FEW_OF_ALL = 150
"""Who reads less than one in so many of all sources reads few: of a million items it takes as long
then to collect theirs as to go through all until a page is full.
"""


def sources_of_reader(user_id: Reader) -> Select[int]:
    return select(subscriptions.c.source_id).where(subscriptions.c.user_id == user_id)


def subscribes(user_id: Reader, source_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    """The condition for this reader's subscription to this source."""
    return and_(subscriptions.c.source_id == source_id, subscriptions.c.user_id == user_id)


def saved_by_reader(user_id: Reader) -> Select[int]:
    return select(item_states.c.item_id).where(
        item_states.c.user_id == user_id, item_states.c.saved_at.is_not(None)
    )


def briefings_of_reader(user_id: Reader) -> Select[int]:
    """And their sections, which have scores too."""
    return select(briefings.c.id).where(briefings.c.user_id == user_id)


def visible(user_id: Reader, those: FromClause = items) -> ColumnElement[bool]:
    """Items of the reader's sources, and those saved before the reader left their source; `those`
    are items under another name.
    """
    saved = those.c.id.in_(saved_by_reader(user_id))
    return or_(those.c.source_id.in_(sources_of_reader(user_id)), saved)


def visible_each(user_id: Reader) -> ColumnElement[bool]:
    """As `visible`, of items that are found by other means, each looked at by itself: for `visible`
    a database may collect all that the reader sees.
    """
    read = select(subscriptions.c.id).where(subscribes(user_id, items.c.source_id))
    saved = saved_by_reader(user_id).where(item_states.c.item_id == items.c.id)
    # whoever asks may have the same tables beside the items
    return or_(exists(read.correlate(items)), exists(saved.correlate(items)))


def visible_newest_first(
    database: Database, connection: Connection, user_id: int
) -> ColumnElement[bool]:
    """As `visible`, for the newest few items. Without statistics a database would collect all items
    of the reader's sources first, which is right only where those are few among many.
    """
    of_reader = sources_of_reader(user_id).subquery()
    reads_few = select(
        select(func.count()).select_from(of_reader).scalar_subquery() * FEW_OF_ALL
        < select(func.count()).select_from(sources).scalar_subquery()
    )
    if database.plans_by_statistics or connection.scalar(reads_few):
        return visible(user_id)
    return case((visible(user_id), true()), else_=false())  # no index looks into a CASE


def check_source(connection: Connection, user_id: int, source_id: int) -> None:
    one = select(subscriptions.c.id).where(subscribes(user_id, source_id))
    _check(connection, one, f"there is no source {source_id}")


def check_briefing(connection: Connection, user_id: int, briefing_id: int) -> None:
    one = briefings_of_reader(user_id).where(
        briefings.c.id == briefing_id, briefings.c.section_of.is_(None), ~briefings.c.at_once
    )
    _check(connection, one, f"there is no briefing {briefing_id}")


def check_wish(connection: Connection, user_id: int, briefing_id: int) -> None:
    """A briefing or a section of one."""
    one = briefings_of_reader(user_id).where(briefings.c.id == briefing_id)
    _check(connection, one, f"there is no briefing {briefing_id}")


def check_item(connection: Connection, user_id: int, item_id: int) -> None:
    one = select(items.c.id).where(items.c.id == item_id, visible(user_id))
    _check(connection, one, f"there is no item {item_id}")


def _check(connection: Connection, one: Select[int], otherwise: str) -> None:
    if not connection.scalar(select(exists(one))):
        raise NotFoundError(otherwise)
