"""Saves what a fetch has found: news, validators, health, a new address, the next due time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    Connection,
    Update,
    and_,
    bindparam,
    case,
    delete,
    exists,
    or_,
    select,
    update,
)

from morningdeck import notice_texts
from morningdeck.hosts import host_of
from morningdeck.model.kinds import Health
from morningdeck.model.reading import Fetched, FetchTrouble, Spaced
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.recent import sign_of, told_better
from morningdeck.store.expressions.texts import source_title
from morningdeck.store.notices.telling import (
    SOURCE_MOVED,
    source_trouble,
    tell_end,
    tell_readers,
    tell_source_is_well,
)
from morningdeck.store.results.entries import save_entries
from morningdeck.store.tables.news import raw_emails, sources
from morningdeck.work import Job

MOVES_BELIEVED = 3
LOOKED_AHEAD = 8
"""So many due times are looked at; where more are close, the host's waiting list sorts them out."""

_THIS = select(sources.c.host, sources.c.due_at).where(sources.c.id == bindparam("source_id"))
_NEIGHBOURS = (
    select(sources.c.due_at)
    .where(
        sources.c.host == bindparam("host"),
        sources.c.id != bindparam("source_id"),
        sources.c.wanted,
        sources.c.due_at > bindparam("from"),
    )
    .order_by(sources.c.due_at)
    .limit(LOOKED_AHEAD)
)


@cache
def _keeping(names: tuple[str, ...]) -> Update:
    """Built once for each set of columns, as every fetch that brings news needs one."""
    kept: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
    if "recent" in kept:
        kept["recent"] = told_better(sources.c.recent, kept["recent"])
    return update(sources).where(sources.c.id == bindparam("source")).values(**kept)


def save_fetched(connection: Connection, job: Job, fetched: Fetched, now: datetime) -> None:
    """After a success: new and changed entries and validators; the source is healthy again."""
    reading = fetched.reading
    values: dict[str, Any] = {
        "rhythm_seconds": fetched.rhythm and round(fetched.rhythm.total_seconds()),
        "to_ask": reading.to_ask,
    }
    if not reading.unchanged:
        values["warnings"] = reading.warnings
        if reading.title:
            values["title"] = reading.title
    values["etag"] = reading.validators.etag
    values["last_modified"] = reading.validators.last_modified
    news = save_entries(connection, job.id, fetched, now) if reading.entries else 0
    if news and not reading.to_ask:  # else it is not over yet, and nothing is noted of it
        values["recent"] = sign_of(news)
    given = {f"new_{name}": value for name, value in values.items()}
    connection.execute(_keeping(tuple(values)), {"source": job.id, **given})
    if not fetched.steady and not reading.to_ask:  # the addresses that are left may still fail
        degraded = and_(sources.c.id == job.id, sources.c.health == Health.DEGRADED)
        if change(connection, sources, degraded, health=Health.ACTIVE):
            tell_source_is_well(connection, job.id, now)
        _note_redirect(connection, job.id, reading.moved_to)
    if reading.feed_url is not None:
        _move(connection, job.id, reading.feed_url)
    space_out(connection, job.id, fetched.apart)
    if reading.raw_mails:
        done = delete(raw_emails).where(raw_emails.c.id.in_(reading.raw_mails))
        connection.execute(done)


def _note_redirect(connection: Connection, source_id: int, moved_to: str | None) -> None:
    """A permanent redirect becomes the address once it was seen three times in a row."""
    this = sources.c.id == source_id
    if moved_to is None:
        moved = or_(sources.c.moved_times > 0, sources.c.moved_to.is_not(None))
        change(connection, sources, this, moved, moved_to=None, moved_times=0)
        return
    again = case((sources.c.moved_to == moved_to, sources.c.moved_times + 1), else_=1)
    noted = update(sources).where(this).values(moved_to=moved_to, moved_times=again)
    seen = connection.execute(noted.returning(sources.c.moved_times)).scalar_one()
    if seen >= MOVES_BELIEVED:
        known = select(source_title(), sources.c.url).where(this)
        name, old_url = connection.execute(known).one()
        if _move(connection, source_id, moved_to):
            _tell_move(connection, source_id, name, old_url, moved_to)
        change(connection, sources, this, moved_to=None, moved_times=0)


def _move(connection: Connection, source_id: int, url: str) -> bool:
    """Change the address, unless another source has it already; says whether it did."""
    other = sources.alias("other")
    taken = select(other.c.id).where(other.c.type == sources.c.type, other.c.url == url)
    free = and_(sources.c.id == source_id, ~exists(taken))
    return bool(change(connection, sources, free, url=url, host=host_of(url)))


def _tell_move(connection: Connection, source_id: int, name: str, old_url: str, url: str) -> None:
    """Readers need not know of a change from http to https."""
    if url.partition("://")[2] == old_url.partition("://")[2]:
        return
    text = notice_texts.source_moved(name, host_of(url))
    tell_readers(connection, source_id, SOURCE_MOVED, text, subject=f"{source_id}:{url}")


def save_trouble(connection: Connection, job: Job, trouble: FetchTrouble, now: datetime) -> None:
    # begin with the first address again: the ones left to ask came from a server that may be wrong
    values: dict[str, Any] = {"last_fetched_at": now, "health": trouble.health, "to_ask": ()}
    if trouble.health == Health.GONE:
        values["wanted"] = False
    on = and_(sources.c.id == job.id, sources.c.health != Health.INACTIVE)
    change(connection, sources, on, **values)
    space_out(connection, job.id, trouble.apart)
    if trouble.health == Health.GONE:
        tell_end(connection, source_trouble(Health.DEGRADED), str(job.id), now)
    if trouble.tell is not None:
        tell_readers(connection, job.id, source_trouble(trouble.health), trouble.tell)


def save_spaced(connection: Connection, job: Job, spaced: Spaced, _now: datetime) -> None:
    space_out(connection, job.id, spaced.apart)


def space_out(connection: Connection, source_id: int, apart: timedelta) -> None:
    """Move the source's due time to the first moment with no other source of its host near, so
    that no worker waits for the host.

    Only by a little: if all near moments are taken it stays, as the host may have time after all.
    """
    if not apart:
        return
    row = connection.execute(_THIS, {"source_id": source_id}).one()
    if not row.host or row.due_at is None:
        return
    where = {"source_id": source_id, "host": row.host, "from": row.due_at - apart}
    gap = _gap(connection.scalars(_NEIGHBOURS, where).all(), row.due_at, apart)
    if gap != row.due_at:
        change(connection, sources, sources.c.id == source_id, due_at=gap)


def _gap(near: Sequence[datetime], due_at: datetime, apart: timedelta) -> datetime:
    gap = due_at
    for taken in near:
        if taken - gap >= apart:
            return gap
        gap = max(gap, taken + apart)
    return gap if len(near) < LOOKED_AHEAD else due_at
