"""A source shared by all its readers: fetched once for them, as often as the keenest wants.

Whoever changes a subscription calls `tend` in the same transaction: it decides whether the
source is fetched at all, how often, and whether its waiting items stay in line.

What a reader does to the source itself changes for all who read it. Anybody may have it read
anew. To switch it off takes away from others, so only its last awake reader may; the others
pause it for themselves.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    and_,
    case,
    exists,
    false,
    func,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.exc import IntegrityError

from morningdeck.errors import ConfigError, ConflictError
from morningdeck.hosts import host_of
from morningdeck.model.kinds import Health, SourceType
from morningdeck.model.wanting import NewSource
from morningdeck.selection import WEEKLY_WINDOW
from morningdeck.store.database.bulk import change, insert_new
from morningdeck.store.expressions.indexed import index_items
from morningdeck.store.expressions.search_marks import mark_for_search
from morningdeck.store.notices.telling import tell_source_is_well
from morningdeck.store.queue.line import ask_for_scores, line_up
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.tables.news import items, sources, subscriptions
from morningdeck.store.tables.people import users

ACTIVE = Health.ACTIVE.value
INACTIVE = Health.INACTIVE.value
FETCHED = (ACTIVE, Health.DEGRADED.value)
"""In these states of health a source is asked for news."""
ANEW: dict[str, Any] = {
    "health": ACTIVE,
    "failures": 0,
    "losses": 0,
    "last_error": None,
    "inactive_reason": None,
    "etag": None,
    "last_modified": None,
    "rhythm_seconds": None,
    "moved_to": None,
    "moved_times": 0,
    "to_ask": (),
}
"""The columns of a source that was never fetched."""


def find_or_make(connection: Connection, wanted: NewSource, now: datetime) -> int:
    """The id of that source, existing or new and due now."""
    same = {"type": str(wanted.type), "url": wanted.url, "prompt": wanted.prompt}
    new = {**same, "title": wanted.title, "topics": wanted.topics, "due_at": now}
    new["host"] = host_of(wanted.url)
    insert_new(connection, sources, [new], tuple(same))
    source_id: int = connection.scalars(select(sources.c.id).filter_by(**same)).one()
    return source_id


def keep_private(connection: Connection, source_id: int, user_id: int) -> None:
    """A mailbox belongs to whoever added it first, even after leaving it."""
    owner = sources.c.mailbox
    mine = and_(sources.c.id == source_id, or_(owner.is_(None), owner == str(user_id)))
    if not change(connection, sources, mine, mailbox=str(user_id)):
        raise ConflictError("that mailbox is somebody else's source already")


def welcome(connection: Connection, source_id: int, *, every_seconds: int, now: datetime) -> None:
    """For a new reader: a source that nobody read is fetched again, its late items count again."""
    given_up = sources.c.health.not_in(FETCHED)
    wakes = and_(sources.c.id == source_id, ~sources.c.wanted)
    if change(connection, sources, wakes, given_up, health=ACTIVE):
        tell_source_is_well(connection, source_id, now)
    change(connection, sources, wakes, due_at=now)
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
    lock_sources(connection, this)
    everybody, awake, shortest = _readers(connection, source_id, every_seconds)
    fetched = and_(sources.c.health.in_(FETCHED), sources.c.type != SourceType.SAVED.value)
    wanted = fetched if awake else false()
    change(connection, sources, this, wanted=wanted, refresh_seconds=shortest)
    waiting = and_(items.c.source_id == source_id, items.c.status == "NEW")
    if not everybody:
        change(connection, items, waiting, status="CANCELLED", due_at=None)
    elif not awake:
        not_parked = or_(items.c.due_at.is_(None), items.c.due_at < PARKED)
        change(connection, items, waiting, not_parked, due_at=PARKED)
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


# ---- by hand


def switch_off(connection: Connection, user_id: int, source_id: int, reason: str) -> None:
    """Stop fetching the source; refused while others read it."""
    # whoever subscribes now waits, and switches it on again
    lock_sources(connection, sources.c.id == source_id)
    others = select(subscriptions.c.id).where(
        subscriptions.c.source_id == source_id,
        subscriptions.c.user_id != user_id,
        ~subscriptions.c.paused,
    )
    if connection.scalar(select(exists(others))):
        raise ConflictError(
            f"others read source {source_id} too, pause it for yourself instead:"
            f" morningdeck source pause {source_id}"
        )
    this, why = sources.c.id == source_id, reason or None
    change(connection, sources, this, health=INACTIVE, inactive_reason=why)


def switch_on(connection: Connection, source_id: int, now: datetime) -> None:
    """Fetch it again, now, if somebody had switched it off."""
    off = and_(sources.c.id == source_id, sources.c.health == INACTIVE)
    change(connection, sources, off, health=ACTIVE, inactive_reason=None, due_at=now)


def set_prompt(
    connection: Connection, user_id: int, source_id: int, prompt: str, now: datetime
) -> None:
    """Look at the page by other words, now; a page that others read stays as they know it."""
    this = sources.c.id == source_id
    lock_sources(connection, this)
    row = connection.execute(select(sources.c.type, sources.c.prompt).where(this)).one()
    if row.type != SourceType.WEB.value:
        raise ConfigError("only a page (--type web) is read by a prompt")
    if row.prompt == prompt:
        return
    others = select(subscriptions.c.id).where(
        subscriptions.c.source_id == source_id, subscriptions.c.user_id != user_id
    )
    if connection.scalar(select(exists(others))):
        raise ConflictError(
            f"others read source {source_id} too: leave it to them (source remove) and add the"
            " page with your own --prompt"
        )
    anew = {"prompt": prompt, "due_at": now, "etag": None, "last_modified": None}
    try:
        changed = change(connection, sources, this, sources.c.status == "IDLE", **anew)
    except IntegrityError as error:
        raise ConflictError("that page with that prompt is a source already") from error
    if not changed:  # what is under way would be kept as if it were read by the new prompt
        raise ConflictError(f"source {source_id} is being read just now, try again")


def due_by(connection: Connection, source_id: int, time: datetime) -> None:
    """Make the source due by that time, unless it waits after a failure."""
    late = and_(sources.c.due_at > time, sources.c.failures == 0, sources.c.status == "IDLE")
    change(connection, sources, sources.c.id == source_id, late, due_at=time)


def lock_sources(connection: Connection, which: ColumnElement[bool]) -> None:
    """Lock in the order of ids, so that two changes of the same sources never deadlock."""
    query = select(sources.c.id).where(which).order_by(sources.c.id)
    connection.execute(query.with_for_update(key_share=True)).all()


def set_topics(connection: Connection, source_id: int, topics: tuple[str, ...]) -> None:
    """What its items are about until they have topics of their own; a search finds them by it."""
    change(connection, sources, sources.c.id == source_id, topics=topics)
    own = type_coerce(items.c.tags, JSON)["topics"][0].as_string()
    without = and_(items.c.source_id == source_id, own.is_(None))
    index_items(connection, mark_for_search(connection, without))
