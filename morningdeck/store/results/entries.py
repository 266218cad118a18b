"""Saves the entries of a source as items: new ones, changed ones, and which are to be enriched.

Saving is set-based: a handful of statements whatever the number of entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    insert,
    literal,
    or_,
    select,
    update,
)

from morningdeck.model.reading import Entry, Fetched
from morningdeck.store.database.bulk import in_chunks, insert_into
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.database.several import Several, open_rows
from morningdeck.store.expressions.alerts import looked_at_again
from morningdeck.store.expressions.indexed import index_items, index_new
from morningdeck.store.queue.line import line_up, next_turn_of
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.columns import storable
from morningdeck.store.tables.news import (
    in_line,
    item_texts,
    items,
    next_search_mark,
    seen_guids,
    subscriptions,
)

FRESH = ((timedelta(hours=24), 10), (timedelta(hours=72), 5))
"""Priority by how lately an item was published."""
MATERIAL = 0.1
"""The share of its words that must have changed before a text is enriched again."""
TOLD = ("url", "canonical_url", "title", "author", "image_url", "content_hash")
"""The columns that an entry brings, also when it has changed."""
STORED = (
    *("source_id", "guid", *TOLD, "published_at", "first_seen_at", "language"),
    *("priority", "turn", "status", "processed_at", "search_mark"),
)
TEXT_COLUMNS = ("item_id", "raw_content", "clean_content")

# built once, as every fetch that brings news needs them
_SOURCE: BindParameter[int] = bindparam("source")
_READERS = select(subscriptions.c.id).where(subscriptions.c.source_id == _SOURCE)
_IS_PAUSED = Prepared(
    select(literal(1)).where(exists(_READERS), ~exists(_READERS.where(~subscriptions.c.paused)))
)
_PARKING = Prepared(
    update(items).where(items.c.source_id == _SOURCE, in_line).values(due_at=PARKED)
)
_KEEPING_TEXTS = Several(
    TEXT_COLUMNS,
    lambda count: Prepared(insert(item_texts).values(open_rows(item_texts, TEXT_COLUMNS, count))),
)


@cache
def _inserting(kind: str) -> Several:
    """Returns only what is new."""

    def made(count: int) -> Prepared:
        added = insert_into(items, kind).values(open_rows(items, STORED, count))
        new = added.on_conflict_do_nothing(index_elements=("source_id", "guid"))
        return Prepared(new.returning(items.c.id, items.c.guid))

    return Several(STORED, made)


def save_entries(connection: Connection, source_id: int, fetched: Fetched, now: datetime) -> int:
    """Returns how many are new."""
    entries = _each_once(fetched.reading.entries)
    if fetched.import_limit is not None:  # nothing is stored yet to compare with
        return _insert(connection, source_id, entries, fetched, now)
    known = _known(connection, source_id, entries)
    fresh = [entry for entry in entries if entry.guid not in known]
    changed = [
        (row.id, entry)
        for entry in entries
        if (row := known.get(entry.guid)) and row.content_hash != entry.content_hash
    ]
    if changed:
        _update(connection, changed)
    if not fresh:
        return 0
    unseen = _without_seen(connection, source_id, fresh)
    return _insert(connection, source_id, unseen, fetched, now)


def _each_once(entries: Sequence[Entry]) -> list[Entry]:
    """Each guid once, spelled as the database will give it back."""
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
    for chunk in in_chunks(entries):
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
    """The entries without those whose items retention has removed."""
    seen: set[str] = set()
    for chunk in in_chunks(entries):
        guids = [entry.guid for entry in chunk]
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
) -> int:
    enriched = fetched.to_enrich(entries)
    turn = next_turn_of(connection, source_id)
    rows = []
    for entry in entries:
        waits = entry.guid in enriched
        rows.append(_row(source_id, entry, now, turn if waits else None))
        turn += waits
    ids = _inserting(connection.dialect.name).within(connection, rows)
    by_guid = {guid: item_id for item_id, guid in ids}
    new = [(by_guid[entry.guid], entry) for entry in entries if entry.guid in by_guid]
    if new:
        texts = [
            {"item_id": item_id, "raw_content": entry.html, "clean_content": entry.text}
            for item_id, entry in new
        ]
        _KEEPING_TEXTS.within(connection, texts)
        index_new(connection, source_id, new, enriched)
    this = {"source": source_id}
    if enriched and _IS_PAUSED.within(connection, this):  # by its last reader, during the fetch
        _PARKING.within(connection, this)
    return len(ids)


def _told(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in TOLD}


def _row(source_id: int, entry: Entry, now: datetime, turn: int | None) -> dict[str, Any]:
    return {
        "source_id": source_id,
        "guid": entry.guid,
        **_told(entry),
        "published_at": entry.published_at,
        "first_seen_at": now,
        "language": entry.language,
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
    """Items that changed materially wait again, but not those being worked on (their settlement
    sees the new hash) and dead letters that nobody has retried.
    """
    anew = _materially(connection, changed)
    rows = [{"of": item_id, **_told(entry)} for item_id, entry in changed]
    texts = [
        # the stored page is probably outdated too
        {"of": item_id, "raw_content": entry.html, "clean_content": entry.text, "web_content": ""}
        for item_id, entry in changed
    ]
    marked = update(items).values(search_mark=next_search_mark, **looked_at_again())
    connection.execute(marked.where(items.c.id == bindparam("of")), rows)
    connection.execute(update(item_texts).where(item_texts.c.item_id == bindparam("of")), texts)
    for these in in_chunks(anew):
        unseen = (item_scores.c.item_id.in_(these), item_scores.c.considered_in.is_(None))
        connection.execute(delete(item_scores).where(*unseen))
        enriched = and_(
            items.c.id.in_(these), items.c.status == "DONE", items.c.enriched_by.is_not(None)
        )
        line_up(connection, enriched, processed_at=None, rescore=False, failures=0)
    index_items(connection, [item_id for item_id, _ in changed])


def _materially(connection: Connection, changed: Sequence[tuple[int, Entry]]) -> list[int]:
    """The items with another title or many other words; a corrected typo does not count."""
    anew = []
    for chunk in map(dict, in_chunks(changed)):
        stored = (
            select(items.c.id, items.c.title, item_texts.c.clean_content)
            .join(item_texts)
            .where(items.c.id.in_(chunk))
        )
        for item_id, title, text in connection.execute(stored):
            entry = chunk[item_id]
            if title != storable(entry.title) or _words_differ(text, entry.text):
                anew.append(item_id)
    return anew


def _words_differ(before: str, after: str) -> bool:
    old, new = set(before.casefold().split()), set(after.casefold().split())
    return len(old ^ new) > MATERIAL * len(old | new)
