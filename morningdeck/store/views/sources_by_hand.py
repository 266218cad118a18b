"""What a reader does to a source itself, or to all of theirs: it changes for all who read it.

Anybody who reads a source may have it read anew. To switch it off takes away from
others, so only its last awake reader may; the others pause it for themselves.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, exists, select, update
from sqlalchemy.exc import IntegrityError

from morningdeck.errors import ConfigError, ConflictError
from morningdeck.model import SourceType
from morningdeck.store.expressions.visibility import check_source, sources_of_reader
from morningdeck.store.notices.telling import tell_source_is_well
from morningdeck.store.tables.news import sources, subscriptions
from morningdeck.store.views.shared_sources import ACTIVE, FETCHED, INACTIVE, tend

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


def refresh_all(connection: Connection, user_id: int, now: datetime) -> int:
    """Make all of the reader's sources due now that are fetched at all; returns how many."""
    awake = sources_of_reader(user_id).where(~subscriptions.c.paused)
    chosen = and_(_fetchable(sources.c.id.in_(awake)), sources.c.health.in_(FETCHED))
    _lock(connection, chosen)
    return connection.execute(update(sources).where(chosen).values(due_at=now)).rowcount


def reset_all(connection: Connection, user_id: int, now: datetime, *, every_seconds: int) -> int:
    """Reset all of the reader's sources, also those that are gone or switched off."""
    chosen = _fetchable(sources.c.id.in_(sources_of_reader(user_id)))
    _lock(connection, chosen)
    ill = connection.scalars(
        select(sources.c.id).where(chosen, sources.c.health != ACTIVE).order_by(sources.c.id)
    ).all()
    count = connection.execute(update(sources).where(chosen).values(**ANEW, due_at=now)).rowcount
    for source_id in ill:
        tell_source_is_well(connection, source_id, now)
        tend(connection, source_id, every_seconds=every_seconds)
    return count


def switch_off(connection: Connection, user_id: int, source_id: int, reason: str) -> None:
    """Stop fetching the source; refused while others read it."""
    check_source(connection, user_id, source_id)
    _lock(
        connection, sources.c.id == source_id
    )  # whoever subscribes now waits, and switches it on again
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
    off = {"health": INACTIVE, "inactive_reason": reason or None}
    connection.execute(update(sources).where(sources.c.id == source_id).values(**off))


def switch_on(connection: Connection, source_id: int, now: datetime) -> None:
    """Fetch it again, now, if somebody had switched it off."""
    off = and_(sources.c.id == source_id, sources.c.health == INACTIVE)
    on = {"health": ACTIVE, "inactive_reason": None, "due_at": now}
    connection.execute(update(sources).where(off).values(**on))


def set_prompt(
    connection: Connection, user_id: int, source_id: int, prompt: str, now: datetime
) -> None:
    """Look at the page by other words, now; a page that others read stays as they know it."""
    this = sources.c.id == source_id
    _lock(connection, this)
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
    waits = update(sources).where(this, sources.c.status == "IDLE")
    try:
        changed = connection.execute(waits.values(**anew)).rowcount
    except IntegrityError as error:
        raise ConflictError("that page with that prompt is a source already") from error
    if not changed:  # what is under way would be kept as if it were read by the new prompt
        raise ConflictError(f"source {source_id} is being read just now, try again")


def due_by(connection: Connection, source_id: int, time: datetime) -> None:
    """Make the source due by that time, unless it waits after a failure."""
    late = and_(sources.c.due_at > time, sources.c.failures == 0, sources.c.status == "IDLE")
    connection.execute(update(sources).where(sources.c.id == source_id, late).values(due_at=time))


def _fetchable(which: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(which, sources.c.type != SourceType.SAVED.value)


def _lock(connection: Connection, which: ColumnElement[bool]) -> None:
    """Lock in the order of ids, so that two changes of the same sources never deadlock."""
    query = select(sources.c.id).where(which).order_by(sources.c.id)
    connection.execute(query.with_for_update(key_share=True)).all()
