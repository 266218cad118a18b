"""A day of a large deck on PostgreSQL, at once: as many items come as go, and what they leave.

    50 items come --> claimed --> started --> settled with words and scores --> 50 old ones go
    50 sources claimed --> started --> settled      (as often)

The changes of rows are those of the row protocol, 50 in a statement. Autovacuum looks once a
second instead of once a minute, because the day takes minutes; all else of it is as migrated.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg2

from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.work import Stage
from tests.benchmarks.timing import percentile, seconds

TOGETHER = 50
OWNER = "bench:1"
HOT = ("items", "item_texts", "item_search", "item_scores", "sources")
COMING = (
    "INSERT INTO items (source_id, guid, title, content_hash, first_seen_at, turn)"
    " SELECT %(first)s * 7 %% 1000 + 1, 'day-' || n, 'Item ' || n, md5(n::text), now(),"
    " n - %(first)s FROM generate_series(%(first)s, %(last)s) AS n RETURNING id",
    "INSERT INTO item_texts (item_id, clean_content) SELECT unnest(%(ids)s), 'A body.'",
    "INSERT INTO item_search (item_id, document) SELECT new, document FROM"
    " unnest(%(ids)s, %(like)s) AS pair (new, old) JOIN item_search ON item_id = old",
)
DONE = (
    "UPDATE items SET status = 'PROCESSING', attempts = attempts + 1, started_at = now(),"
    " claimed_by = 'bench:2', lease_until = now() + interval '90 s' WHERE id = ANY(%(ids)s)",
    "UPDATE items SET status = 'DONE', claimed_by = NULL, lease_until = NULL, processed_at = now(),"
    " summary = 'A body.', enriched_by = 'offline', language = 'en', updated_at = now()"
    " WHERE id = ANY(%(ids)s)",
    # the words again, with those of the summary
    "UPDATE item_search SET document = document || 'summary:99B' WHERE item_id = ANY(%(ids)s)",
    "INSERT INTO item_scores (item_id, briefing_id, score, reason) SELECT i.id, b.id, i.id %% 100,"
    " 'ships' FROM items i JOIN subscriptions s USING (source_id) JOIN briefings b"
    " ON b.user_id = s.user_id WHERE i.id = ANY(%(ids)s)",
)
VISITED = (
    "UPDATE sources SET fetch_status = 'FETCHING', attempts = attempts + 1, started_at = now(),"
    " claimed_by = 'bench:2', lease_until = now() + interval '90 s' WHERE id = ANY(%(ids)s)",
    "UPDATE sources SET fetch_status = 'IDLE', claimed_by = NULL, lease_until = NULL,"
    " next_fetch_at = now() + interval '1 hour', last_fetched_at = now(), last_success_at = now(),"
    " updated_at = now() WHERE id = ANY(%(ids)s)",
)
SIZES = (
    "SELECT relname, pg_table_size(relid) >> 20, pg_indexes_size(relid) >> 20, n_live_tup,"
    " n_dead_tup, n_tup_upd, n_tup_hot_upd, autovacuum_count FROM pg_stat_user_tables"
    " WHERE relname = ANY(%(hot)s) ORDER BY relname"
)
INDEXES = (
    "SELECT indexrelname, pg_relation_size(indexrelid) >> 10 FROM pg_stat_user_indexes"
    " WHERE relname IN ('items', 'sources') ORDER BY 2 DESC"
)


@contextmanager
def unhurried(database: Database) -> Iterator[Any]:
    """The driver's cursor, every statement a transaction without our limits of time."""
    url = database.url
    connection = psycopg2.connect(
        host=url.host, port=url.port, user=url.username, dbname=url.database
    )
    connection.autocommit = True
    try:
        yield connection.cursor()
    finally:
        connection.close()


def day(database: Database, count: int) -> Iterator[str]:
    """`count` items come and go, a line about each tenth of it."""
    jobs = SqlJobStore(database, {}, lease=timedelta(seconds=90))
    with unhurried(database) as cursor:
        cursor.execute("ALTER SYSTEM SET autovacuum_naptime = '1s'")
        cursor.execute("SELECT pg_reload_conf()")
        cursor.execute("SELECT count(*), max(id), min(first_seen_at) FROM items")
        all_of_them, largest, oldest = cursor.fetchone()
        now = datetime.now(UTC)
        for tenth in range(10):
            began, claims = time.perf_counter(), list[float]()
            for at in range(tenth * count // 10, (tenth + 1) * count // 10, TOGETHER):
                claims.append(_come(cursor, jobs, largest, at))
                _visit(cursor, jobs)
            gone = (tenth + 1) * count / 10 / all_of_them
            keep = Keep(items=(now - oldest) * (1 - gone))
            removing = seconds(lambda: Retention(database).apply(keep, now))  # noqa: B023
            half, most = percentile(claims, 50) * 1000, percentile(claims, 95) * 1000
            yield (
                f"{(tenth + 1) * count // 10:,} came and went: {time.perf_counter() - began:.0f} s,"
                f" of it retention {removing:.0f}; a claim of {TOGETHER} p50 {half:.1f} ms,"
                f" p95 {most:.1f}"
            )


def _come(cursor: Any, jobs: SqlJobStore, largest: int, at: int) -> float:
    """How long the claim took."""
    values: dict[str, Any] = {"first": at, "last": at + TOGETHER - 1}
    cursor.execute(COMING[0], values)
    values["ids"] = [row[0] for row in cursor.fetchall()]
    values["like"] = [largest - at - number for number in range(TOGETHER)]
    for statement in COMING[1:]:
        cursor.execute(statement, values)
    claimed: list[int] = []
    now = datetime.now(UTC)
    taken = seconds(lambda: claimed.extend(jobs.claim(Stage.PROCESSING, TOGETHER, OWNER, now)))
    assert set(claimed) == set(values["ids"])
    for statement in DONE:
        cursor.execute(statement, values)
    return taken


def _visit(cursor: Any, jobs: SqlJobStore) -> None:
    ids = jobs.claim(Stage.FETCH, TOGETHER, OWNER, datetime.now(UTC) + timedelta(days=1))
    for statement in VISITED:
        cursor.execute(statement, {"ids": list(ids)})


def say(database: Database) -> None:
    """How large it is, and what of it is dead."""
    time.sleep(2)  # what is counted is told a second later
    with unhurried(database) as cursor:
        cursor.execute(SIZES, {"hot": list(HOT)})
        for name, table, indexes, live, dead, updated, hot, vacuums in cursor.fetchall():
            print(
                f"{name}: {table:,} MB, indexes {indexes:,} MB; {live:,} rows, {dead:,} dead;"
                f" {updated:,} updates, {hot:,} of them HOT; {vacuums} vacuums"
            )
        cursor.execute(INDEXES)
        print(", ".join(f"{name} {kilobytes:,} kB" for name, kilobytes in cursor.fetchall()))
