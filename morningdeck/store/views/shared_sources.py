"""A source shared by all its readers: fetched once for them, as often as the keenest wants.

Whoever changes a subscription calls `tend` in the same transaction: it decides whether the
source is fetched at all, how often, and whether its waiting items stay in line.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, case, false, func, or_, select, update

from morningdeck.errors import ConflictError
from morningdeck.hosts import host_of
from morningdeck.model import Health, NewSource, SourceType
from morningdeck.selection import WEEKLY_WINDOW
from morningdeck.store.database.upsert import insert_new
from morningdeck.store.notices.telling import tell_source_is_well
from morningdeck.store.queue.line import line_up
from morningdeck.store.queue.rescoring import ask_for_scores
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.tables.news import items, sources, subscriptions
from morningdeck.store.tables.people import users

ACTIVE = Health.ACTIVE.value
INACTIVE = Health.INACTIVE.value
FETCHED = (ACTIVE, Health.DEGRADED.value)
"""In these states of health a source is asked for news."""


def find_or_make(connection: Connection, wanted: NewSource, due_at: datetime) -> int:
    """The id of that source, existing or new."""
    same = {"type": str(wanted.type), "url": wanted.url, "prompt": wanted.prompt}
    new = {**same, "title": wanted.title, "topics": wanted.topics, "due_at": due_at}
    new["host"] = host_of(wanted.url)
    insert_new(connection, sources, [new], tuple(same))
    source_id: int = connection.scalars(select(sources.c.id).filter_by(**same)).one()
    return source_id


def keep_private(connection: Connection, source_id: int, user_id: int) -> None:
    """A mailbox belongs to whoever added it first, even after leaving it."""
    owner = sources.c.mailbox
    mine = update(sources).where(
        sources.c.id == source_id, or_(owner.is_(None), owner == str(user_id))
    )
    if not connection.execute(mine.values(mailbox=str(user_id))).rowcount:
        raise ConflictError("that mailbox is somebody else's source already")


def welcome(
    connection: Connection, source_id: int, *, every_seconds: int, now: datetime, due_at: datetime
) -> None:
    """For a new reader: a source that nobody read is fetched again, its late items count again."""
    given_up = sources.c.health.not_in(FETCHED)
    wakes = update(sources).where(sources.c.id == source_id, ~sources.c.wanted)
    if connection.execute(wakes.where(given_up).values(health=ACTIVE)).rowcount:
        tell_source_is_well(connection, source_id, now)
    connection.execute(wakes.values(due_at=due_at))
    tend(connection, source_id, every_seconds=every_seconds)
    if not _has_items(connection, source_id):
        return
    cancelled = and_(
        items.c.source_id == source_id,
        items.c.status == "CANCELLED",
        items.c.first_seen_at >= now - WEEKLY_WINDOW,
    )
    line_up(connection, cancelled)
    ask_for_scores(connection, (source_id,), now)


def tend(connection: Connection, source_id: int, *, every_seconds: int) -> None:
    """`every_seconds` counts for readers who set no interval of their own."""
    # two transactions that change the readers of one source pass here one after the other, so
    # that the second counts what the first has done; a plain FOR UPDATE would deadlock with
    # the key lock that each holds for its new row
    this = sources.c.id == source_id
    connection.execute(select(sources.c.id).where(this).with_for_update(key_share=True))
    everybody, awake, shortest = _readers(connection, source_id, every_seconds)
    fetched = and_(sources.c.health.in_(FETCHED), sources.c.type != SourceType.SAVED.value)
    connection.execute(
        update(sources)
        .where(this)
        .values(wanted=fetched if awake else false(), refresh_seconds=shortest)
    )
    waiting = and_(items.c.source_id == source_id, items.c.status == "NEW")
    if not everybody:
        _cancel(connection, waiting)
    elif not awake:
        _park(connection, waiting)
    elif _has_items(connection, source_id):
        line_up(connection, and_(waiting, items.c.due_at == PARKED))


def _has_items(connection: Connection, source_id: int) -> bool:
    """Most sources of a long imported list are new: there is nothing to line up."""
    query = select(items.c.id).where(items.c.source_id == source_id).limit(1)
    return connection.execute(query).first() is not None


def _readers(connection: Connection, source_id: int, every_seconds: int) -> tuple[int, int, int]:
    """How many subscriptions there are, how many are awake, and the shortest interval of those."""
    awake = and_(~subscriptions.c.paused, users.c.enabled)
    interval = func.coalesce(subscriptions.c.refresh_seconds, every_seconds)
    query = (
        select(
            func.count(),
            func.count(case((awake, 1))),
            func.coalesce(func.min(case((awake, interval))), every_seconds),
        )
        .select_from(subscriptions.join(users))
        .where(subscriptions.c.source_id == source_id)
    )
    row = connection.execute(query).one()
    return row[0], row[1], row[2]


def _cancel(connection: Connection, waiting: ColumnElement[bool]) -> None:
    connection.execute(update(items).where(waiting).values(status="CANCELLED", due_at=None))


def _park(connection: Connection, waiting: ColumnElement[bool]) -> None:
    not_parked = or_(items.c.due_at.is_(None), items.c.due_at < PARKED)
    connection.execute(update(items).where(waiting, not_parked).values(due_at=PARKED))
