"""Sources as the fetch verb sees them, and what a fetch leaves behind.

Saving is set-based: a handful of statements whatever the number of entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, bindparam, case, exists, func, or_, select, update

from morningdeck.model import Entry, Fetched, FetchTrouble, Health, Source, SourceType, Spaced
from morningdeck.store.columns import storable
from morningdeck.store.connect import Database
from morningdeck.store.line import line_up
from morningdeck.store.mail import forget_mails
from morningdeck.store.notices import source_trouble, tell_end, tell_readers
from morningdeck.store.pace import host_of, space_out
from morningdeck.store.stages import PARKED
from morningdeck.store.tables import (
    in_line,
    item_texts,
    items,
    seen_guids,
    sources,
    subscriptions,
)
from morningdeck.store.upsert import insert_new
from morningdeck.work import Job

FRESH = ((timedelta(hours=24), 10), (timedelta(hours=72), 5))
"""Priority by how lately an item was published."""
CHUNK = 500
MOVES_BELIEVED = 3


class SourceTable:
    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, source_id: int) -> Source | None:
        with self._database.read() as connection:
            row = connection.execute(select(sources).where(sources.c.id == source_id)).one_or_none()
        if row is None:
            return None
        return Source(
            id=row.id,
            type=SourceType(row.type),
            url=row.url,
            title=row.title,
            topics=row.topics,
            prompt=row.prompt or None,
            etag=row.etag,
            last_modified=row.last_modified,
            refresh=timedelta(seconds=row.refresh_seconds),
            first_import=row.last_success_at is None,
            health=Health(row.health),
            rhythm=_length(row.rhythm_seconds),
        )


def save_fetched(connection: Connection, job: Job, fetched: Fetched, now: datetime) -> None:
    """The new and changed entries, the validators, and that the source is well."""
    reading = fetched.reading
    values: dict[str, Any] = {
        "last_fetched_at": now,
        "last_success_at": now,
        "rhythm_seconds": fetched.rhythm and round(fetched.rhythm.total_seconds()),
    }
    if not reading.unchanged:
        values["warnings"] = reading.warnings
        if reading.title:
            values["title"] = reading.title
    values["etag"] = reading.validators.etag
    values["last_modified"] = reading.validators.last_modified
    healthy = update(sources).where(sources.c.id == job.id)
    connection.execute(healthy.values(**values))
    recovered = healthy.where(sources.c.health == Health.DEGRADED).values(health=Health.ACTIVE)
    if connection.execute(recovered).rowcount:
        tell_end(connection, source_trouble(Health.DEGRADED), str(job.id), now)
    if reading.feed_url is not None:
        _move(connection, job.id, reading.feed_url)
    _follow(connection, job.id, reading.moved_to)
    space_out(connection, job.id, fetched.apart)
    if reading.entries:
        save_entries(connection, job.id, fetched, now)
    if reading.raw_mails:
        forget_mails(connection, reading.raw_mails)


def _length(seconds: int | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)


def _follow(connection: Connection, source_id: int, moved_to: str | None) -> None:
    """A permanent redirect is believed when it was seen three times in a row."""
    this = update(sources).where(sources.c.id == source_id)
    if moved_to is None:
        moved = or_(sources.c.moved_times > 0, sources.c.moved_to.is_not(None))
        connection.execute(this.where(moved).values(moved_to=None, moved_times=0))
        return
    again = case((sources.c.moved_to == moved_to, sources.c.moved_times + 1), else_=1)
    seen = connection.execute(
        this.values(moved_to=moved_to, moved_times=again).returning(sources.c.moved_times)
    ).scalar_one()
    if seen >= MOVES_BELIEVED:
        _move(connection, source_id, moved_to)
        connection.execute(this.values(moved_to=None, moved_times=0))


def _move(connection: Connection, source_id: int, url: str) -> None:
    """Unless another source is there already: then both stay as they are."""
    other = sources.alias("other")
    taken = select(other.c.id).where(other.c.type == sources.c.type, other.c.url == url)
    connection.execute(
        update(sources)
        .where(sources.c.id == source_id, ~exists(taken))
        .values(url=url, host=host_of(url))
    )


def save_trouble(connection: Connection, job: Job, trouble: FetchTrouble, now: datetime) -> None:
    values: dict[str, Any] = {"last_fetched_at": now, "health": trouble.health}
    if trouble.health == Health.GONE:
        values["wanted"] = False
    connection.execute(
        update(sources)
        .where(sources.c.id == job.id, sources.c.health != Health.INACTIVE)
        .values(**values)
    )
    space_out(connection, job.id, trouble.apart)
    if trouble.tell is not None:
        tell_readers(connection, job.id, source_trouble(trouble.health), trouble.tell)


def save_spaced(connection: Connection, job: Job, spaced: Spaced, _now: datetime) -> None:
    space_out(connection, job.id, spaced.apart)


def save_entries(connection: Connection, source_id: int, fetched: Fetched, now: datetime) -> None:
    entries = _each_once(fetched.reading.entries)
    known = _known(connection, source_id, entries)
    fresh = [entry for entry in entries if entry.guid not in known]
    changed = [
        (row.id, entry)
        for entry in entries
        if (row := known.get(entry.guid)) and row.content_hash != entry.content_hash
    ]
    if changed:
        _update(connection, changed)
    if fresh:
        _insert(connection, source_id, _without_seen(connection, source_id, fresh), fetched, now)


def _each_once(entries: Sequence[Entry]) -> list[Entry]:
    """Under the guid that the database will give back."""
    once: dict[str, Entry] = {}
    for entry in entries:
        guid = storable(entry.guid)
        once.setdefault(guid, entry if guid == entry.guid else replace(entry, guid=guid))
    return list(once.values())


def _known(connection: Connection, source_id: int, entries: Sequence[Entry]) -> dict[str, Any]:
    """The stored items of these entries, by guid.

    A new guid at a known address is known too, unless several share that address.
    """
    rows: dict[int, Any] = {}
    columns = (items.c.id, items.c.guid, items.c.canonical_url, items.c.content_hash)
    for start in range(0, len(entries), CHUNK):
        chunk = entries[start : start + CHUNK]
        same = or_(
            items.c.guid.in_([entry.guid for entry in chunk]),
            items.c.canonical_url.in_([e.canonical_url for e in chunk if e.canonical_url]),
        )
        query = select(*columns).where(items.c.source_id == source_id, same)
        rows.update((row.id, row) for row in connection.execute(query))
    by_guid = {row.guid: row for row in rows.values()}
    stored = Counter(row.canonical_url for row in rows.values())
    told = Counter(entry.canonical_url for entry in entries)
    by_url = {
        row.canonical_url: row
        for row in rows.values()
        if row.canonical_url and stored[row.canonical_url] == told[row.canonical_url] == 1
    }
    found = {
        entry.guid: by_guid.get(entry.guid) or by_url.get(entry.canonical_url) for entry in entries
    }
    return {guid: row for guid, row in found.items() if row is not None}


def _without_seen(connection: Connection, source_id: int, entries: Sequence[Entry]) -> list[Entry]:
    """Not those that retention has removed: their guids stay behind."""
    seen: set[str] = set()
    for start in range(0, len(entries), CHUNK):
        guids = [entry.guid for entry in entries[start : start + CHUNK]]
        query = select(seen_guids.c.guid).where(
            seen_guids.c.source_id == source_id, seen_guids.c.guid.in_(guids)
        )
        seen.update(connection.scalars(query))
    return [entry for entry in entries if entry.guid not in seen]


def _insert(
    connection: Connection,
    source_id: int,
    entries: Sequence[Entry],
    fetched: Fetched,
    now: datetime,
) -> None:
    enriched = _to_enrich(entries, fetched)
    turn = next_turn(connection, source_id)
    rows = []
    for entry in entries:
        waits = entry.guid in enriched
        rows.append(_row(source_id, entry, now, turn if waits else None))
        turn += waits
    ids = insert_new(connection, items, rows, ("source_id", "guid"), ("id", "guid"))
    by_guid = {row.guid: row.id for row in ids}
    texts = [
        {"item_id": by_guid[entry.guid], "raw_content": entry.html, "clean_content": entry.text}
        for entry in entries
        if entry.guid in by_guid
    ]
    if texts:
        connection.execute(item_texts.insert(), texts)
    _park_if_paused(connection, source_id)


def _park_if_paused(connection: Connection, source_id: int) -> None:
    """Its last reader paused it while it was fetched."""
    readers = select(subscriptions.c.id).where(subscriptions.c.source_id == source_id)
    connection.execute(
        update(items)
        .where(
            items.c.source_id == source_id,
            in_line,
            exists(readers),
            ~exists(readers.where(~subscriptions.c.paused)),
        )
        .values(due_at=PARKED)
    )


def _to_enrich(entries: Sequence[Entry], fetched: Fetched) -> frozenset[str]:
    """All of them, but on a first import only the newest few of the last days."""
    if fetched.import_limit is None:
        return frozenset(entry.guid for entry in entries)
    since = fetched.import_since
    recent = [
        (entry.published_at is not None, entry.published_at, -position, entry.guid)
        for position, entry in enumerate(entries)
        if entry.published_at is None or since is None or entry.published_at >= since
    ]
    dated = sorted((one for one in recent if one[0]), key=lambda one: one[1:3], reverse=True)
    undated = [one for one in recent if not one[0]]
    return frozenset(one[3] for one in [*dated, *undated][: fetched.import_limit])


def next_turn(connection: Connection, source_id: int) -> int:
    """The place after the last that waits in the source's line."""
    last = connection.scalar(
        select(func.max(items.c.turn)).where(
            items.c.source_id == source_id, items.c.status == "NEW", items.c.due_at.is_(None)
        )
    )
    return 0 if last is None else last + 1


def _row(source_id: int, entry: Entry, now: datetime, turn: int | None) -> dict[str, Any]:
    return {
        "source_id": source_id,
        "guid": entry.guid,
        "url": entry.url,
        "canonical_url": entry.canonical_url,
        "title": entry.title,
        "author": entry.author,
        "image_url": entry.image_url,
        "published_at": entry.published_at,
        "first_seen_at": now,
        "content_hash": entry.content_hash,
        "priority": _priority(entry, now),
        "turn": turn or 0,
        "status": "DONE" if turn is None else "NEW",
        "processed_at": now if turn is None else None,
        "search_mark": 1,
    }


def _priority(entry: Entry, now: datetime) -> int:
    if entry.published_at is None:
        return 0
    age = now - entry.published_at
    return next((priority for limit, priority in FRESH if age <= limit), 0)


def _update(connection: Connection, changed: Sequence[tuple[int, Entry]]) -> None:
    """The text changed: the item waits again, unless it is being worked on (its settlement
    sees the new hash) or a dead letter that nobody has retried.
    """
    rows = [
        {
            "of": item_id,
            "title": entry.title,
            "url": entry.url,
            "canonical_url": entry.canonical_url,
            "author": entry.author,
            "image_url": entry.image_url,
            "content_hash": entry.content_hash,
        }
        for item_id, entry in changed
    ]
    texts = [
        # its page has changed too, as likely as not
        {"of": item_id, "raw_content": entry.html, "clean_content": entry.text, "web_content": ""}
        for item_id, entry in changed
    ]
    marked = update(items).values(search_mark=items.c.search_mark + 1)
    connection.execute(marked.where(items.c.id == bindparam("of")), rows)
    connection.execute(update(item_texts).where(item_texts.c.item_id == bindparam("of")), texts)
    for start in range(0, len(changed), CHUNK):
        enriched = and_(
            items.c.id.in_([item_id for item_id, _ in changed[start : start + CHUNK]]),
            items.c.status == "DONE",
            items.c.enriched_by.is_not(None),
        )
        line_up(connection, enriched, processed_at=None, rescore=False, failures=0)
