"""Eight o'clock: two hundred briefings are due in the same minute."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import func, insert, literal, select, true

from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import briefings, deliveries, item_scores
from morningdeck.store.tables.news import items, sources, subscriptions
from morningdeck.store.tables.people import users
from tests.factories import make_items, make_source
from tests.faults.daemon import Daemon

READERS, SOURCES, NEWS = 200, 20, 300
DUE_IN = timedelta(seconds=5)
MINUTE = timedelta(minutes=1)
SUMMARY = "The mayor opened the new harbour on Monday. It cost 12 million, twice what was planned."


def two_hundred_readers(database: Database, due_at: datetime) -> None:
    """Each reads all sources, and has a score for all that they brought today."""
    done = {"status": "DONE", "enriched_by": "offline", "summary": SUMMARY}
    seen_at = due_at - timedelta(hours=2)
    for number in range(SOURCES):
        source = make_source(database, title=f"Paper {number}", wanted=False)
        make_items(database, source, NEWS // SOURCES, first_seen_at=seen_at, **done)
    readers = [{"email": f"reader-{number}@example.org"} for number in range(READERS)]
    planned = (literal("Morning"), literal("ships"), literal(due_at), literal(due_at))
    everything = select(users.c.id, sources.c.id).select_from(users.join(sources, true()))
    score = (items.c.id * 7 + briefings.c.id) % 101
    every_score = select(items.c.id, briefings.c.id, score).select_from(
        items.join(briefings, true())
    )
    with database.write() as connection:
        connection.execute(insert(users), readers)
        rows = {"user_id": users.c.id, "channels": literal(["folder"], briefings.c.channels.type)}
        names = ["title", "criteria", "due_at", "next_run_at", *rows]
        connection.execute(insert(briefings).from_select(names, select(*planned, *rows.values())))
        connection.execute(insert(subscriptions).from_select(["user_id", "source_id"], everything))
        columns = ["item_id", "briefing_id", "score"]
        connection.execute(insert(item_scores).from_select(columns, every_score))


def sent(database: Database) -> int:
    query = select(func.count()).where(deliveries.c.status == "SENT")
    with database.read() as connection:
        return connection.scalar(query) or 0


def test_two_hundred_briefings_that_are_due_at_once_are_delivered_within_the_minute(
    database: Database,
    database_url: str,
    tmp_path: Path,
    daemon: Callable[..., Daemon],
    tell: Callable[[object], None],
) -> None:
    due_at = datetime.now(UTC) + DUE_IN
    two_hundred_readers(database, due_at)
    one = daemon(tmp_path, database_url).start()

    one.wait_for(lambda: sent(database) == READERS, pause_seconds=0.1)

    took = datetime.now(UTC) - due_at
    tell(f"{READERS} briefings delivered {took.total_seconds():.1f} s after they were due")
    assert took < MINUTE
    assert len(list((tmp_path / "outbox").glob("*.eml"))) == READERS
