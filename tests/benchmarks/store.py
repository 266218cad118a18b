"""What a fetch leaves behind: the settlement of a feed with many new entries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from morningdeck.model.reading import Entry, Fetched, Reading
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.results import SAVERS
from morningdeck.store.tables.news import items
from morningdeck.work import Job, Settlement, Stage
from tests.benchmarks.grounds import KINDS, Bare, bare, fresh_database
from tests.benchmarks.report import Report
from tests.benchmarks.timing import medians, seconds
from tests.factories import make_source

LIMITS = {100: 0.5, 500: 1.0}
OWNER = "bench:1"
TEXT = "The harbour opens again after the storm, and the first ships are in. " * 30
COLUMNS = (
    "source_id",
    "guid",
    "url",
    "canonical_url",
    "title",
    "first_seen_at",
    "content_hash",
    "priority",
    "turn",
    "search_mark",
)


def run(report: Report) -> None:
    rounds = 2 if report.quick else 9
    for kind in KINDS:
        with fresh_database(kind) as database, bare(database) as driver:
            for count, limit in LIMITS.items():
                ours, loop = medians(
                    rounds,
                    partial(_ours, database, count),
                    partial(_loop, driver, database, count),
                )
                what = f"store {count} new items, {kind}"
                report.time(what, ours, below=limit, beside=loop, name="bare driver, row by row")


def _entries(count: int) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            guid=f"guid-{number}",
            url=f"https://news.example/{number}",
            title=f"Ships, part {number}",
            text=TEXT,
            html=f"<p>{TEXT}</p>",
            canonical_url=f"https://news.example/{number}",
            content_hash=f"hash-{number}",
        )
        for number in range(count)
    )


def _ours(database: Database, count: int) -> float:
    work = SqlJobStore(database, SAVERS, lease=timedelta(seconds=90))
    now = datetime.now(UTC)
    job = _started(work, make_source(database), now)
    result = Fetched(Reading(entries=_entries(count), title="Ships"))
    settlement = Settlement("IDLE", now + timedelta(minutes=15), 0, 0, result=result)
    return seconds(lambda: work.settle(job, OWNER, settlement, now))


def _started(work: SqlJobStore, source_id: int, now: datetime) -> Job:
    assert work.claim_one(Stage.FETCH, source_id, OWNER, now)
    job = work.start(Stage.FETCH, source_id, OWNER, now)
    assert job is not None
    return job


def _loop(driver: Bare, database: Database, count: int) -> float:
    """The same rows as simply as it goes: one INSERT each, in one transaction."""
    source_id, now = make_source(database), str(datetime.now(UTC))
    rows = [_row(source_id, turn, entry, now) for turn, entry in enumerate(_entries(count))]
    mark = "?" if database.exclusive else "%s"
    item = (
        f"INSERT INTO items ({', '.join(COLUMNS)}) "
        f"VALUES ({', '.join(mark for _ in COLUMNS)}) RETURNING id"
    )
    text = (
        "INSERT INTO item_texts (item_id, raw_content, clean_content) "
        f"VALUES ({mark}, {mark}, {mark})"
    )
    settle = f"UPDATE sources SET last_fetched_at = {mark}, title = {mark} WHERE id = {mark}"

    def work() -> None:
        with driver.transaction() as cursor:
            cursor.execute(settle, (now, "Ships", source_id))
            for row in rows:
                cursor.execute(item, row)
                cursor.execute(text, (cursor.fetchone()[0], f"<p>{TEXT}</p>", TEXT))

    taken = seconds(work)
    _check(database, source_id, count)
    return taken


def _row(source_id: int, turn: int, entry: Entry, now: str) -> tuple[Any, ...]:
    known = (entry.guid, entry.url, entry.canonical_url, entry.title, now, entry.content_hash)
    return (source_id, *known, 0, turn, 1)


def _check(database: Database, source_id: int, count: int) -> None:
    with database.read() as connection:
        ids = connection.execute(items.select().where(items.c.source_id == source_id)).all()
    assert len(ids) == count
