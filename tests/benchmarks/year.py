"""`python -m tests.benchmarks.year [ITEMS [OF_A_DAY]]`: a full deck on PostgreSQL, outside of CI.

Items of 365 days, nearly all done, with words to search, scores and readers. Ticks, briefings
and searches are timed; then a day goes by at once (`churn`), and they are timed again.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import median

from morningdeck.asked.indexed import index_words
from morningdeck.asked.parse import parse_query
from morningdeck.brief import preview_report
from morningdeck.engine.worker import StageRules, Worker, recover
from morningdeck.model.finding import ItemFilter, SearchQuery
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.views.overview import Overview
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.work import Done, RetryPolicy, Stage
from tests.benchmarks import churn
from tests.benchmarks.broker_worker import holder
from tests.benchmarks.churn import unhurried
from tests.benchmarks.grounds import fresh_database
from tests.benchmarks.size import TWO_MILLION
from tests.benchmarks.timing import percentile, seconds

SOURCES, READERS = 1_000, 20
WORDS, VOCABULARY = 16, 30_000
CHUNK = 100_000
ASKED = 40
STAGES = (Stage.FETCH, Stage.PROCESSING, Stage.BRIEFING)
PEOPLE = (
    "INSERT INTO sources (url, wanted, next_fetch_at, fetch_status) SELECT 'https://y.example/' ||"
    f" n, true, now() + n * interval '3 s', 'IDLE' FROM generate_series(1, {SOURCES}) AS n",
    # the last of them reads everything, the others a share each
    "INSERT INTO users (email) SELECT 'reader' || n || '@example.org'"
    f" FROM generate_series(0, {READERS}) AS n",
    f"INSERT INTO subscriptions (user_id, source_id) SELECT u.id, s.id FROM users u, sources s"
    f" WHERE u.email = 'reader{READERS}@example.org' OR"
    f" u.email = 'reader' || s.id % {READERS} || '@example.org'",
    "INSERT INTO briefings (user_id, title, next_run_at, due_at) SELECT id, 'Morning',"
    " now() + interval '1 hour', now() + interval '1 hour' FROM users",
    "INSERT INTO reports (briefing_id, slot, status) SELECT id, 'long ago', 'GENERATED'"
    " FROM briefings",
    "CREATE TABLE vocabulary (n int PRIMARY KEY, word text NOT NULL)",
)
KNOWN = "INSERT INTO vocabulary SELECT n, word FROM unnest(%s) WITH ORDINALITY AS of (word, n)"
ITEMS = (
    "INSERT INTO items (source_id, guid, title, summary, content_hash, first_seen_at,"
    " published_at, status, enriched_by, language, started_at, processed_at, queued_at, attempts)"
    f" SELECT n %% {SOURCES} + 1, 'year-' || n, 'Item ' || n, 'A short body. It ends here.',"
    " md5(n::text), at, at, 'DONE', 'offline', 'en', at, at, at, 1 FROM (SELECT n,"
    " now() - interval '365 days' * (1 - n::float / %(count)s) AS at"
    " FROM generate_series(%(first)s, %(last)s) AS n) AS numbered",
    "INSERT INTO item_texts (item_id, clean_content) SELECT id, summary FROM items"
    " WHERE id BETWEEN %(first)s AND %(last)s",
    # the n-th word is n times rarer than the first
    "INSERT INTO item_search (item_id, document) SELECT i.id, string_agg('''' || v.word || ''':' ||"
    " w || 'D', ' ')::tsvector FROM items i CROSS JOIN LATERAL (SELECT w,"
    f" power({VOCABULARY}, random())::int AS n FROM generate_series(1, {WORDS}) AS w WHERE i.id > 0"
    ") AS drawn JOIN vocabulary v USING (n)"
    " WHERE i.id BETWEEN %(first)s AND %(last)s GROUP BY i.id",
    "INSERT INTO item_scores (item_id, briefing_id, score, reason, criteria_version, considered_in)"
    " SELECT i.id, b.id, i.id %% 100, 'ships', 1, CASE WHEN i.first_seen_at < now() - interval"
    " '1 day' THEN r.id END FROM items i JOIN subscriptions s USING (source_id)"
    " JOIN briefings b ON b.user_id = s.user_id JOIN reports r ON r.briefing_id = b.id"
    " WHERE i.id BETWEEN %(first)s AND %(last)s",
)


def main(count: int = TWO_MILLION, of_a_day: int | None = None) -> None:
    """A day brings a tenth of all unless it is said."""
    with fresh_database("postgresql") as database:
        print(f"{count:,} items in {seconds(partial(fill, database, count)):.0f} s")
        year = Year(database)
        year.say()
        churn.say(database)
        for line in churn.day(database, of_a_day or count // 10):
            print(line)
        churn.say(database)
        year.say()


# ---- filling


def fill(database: Database, count: int) -> None:
    chance = random.Random(7)
    with unhurried(database) as cursor:
        for statement in PEOPLE:
            cursor.execute(statement)
        words = [index_words(_word(chance), "en")[0] for _ in range(VOCABULARY)]
        cursor.execute(KNOWN, (words,))
        for first in range(1, count + 1, CHUNK):
            last = min(first + CHUNK - 1, count)
            for statement in ITEMS:
                cursor.execute(statement, {"first": first, "last": last, "count": count})
        cursor.execute("VACUUM ANALYZE")


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bdfgklmnprst") + chance.choice("aou") for _ in range(4))


# ---- looking


class Year:
    def __init__(self, database: Database) -> None:
        self._jobs = SqlJobStore(database, {}, lease=timedelta(seconds=90))
        self._overview = Overview(database)
        self._briefings = SqlBriefingRows(database)
        self._index = FulltextIndex(database)
        self._retention = Retention(database)
        self._holder = holder(database.url.render_as_string(hide_password=False), "bench/tick:1")
        with unhurried(database) as cursor:
            cursor.execute("SELECT id FROM briefings ORDER BY id")
            self._ids = [row[0] for row in cursor.fetchall()]
            cursor.execute("SELECT user_id FROM briefings ORDER BY id DESC LIMIT 1")
            (self._everybody,) = cursor.fetchone()
            cursor.execute("SELECT word FROM vocabulary ORDER BY n")
            self._words = [row[0] for row in cursor.fetchall()]

    def say(self) -> None:
        for stage in STAGES:
            _say(f"a tick of {stage.value}", partial(self._tick, stage))
        _say("recovery, nothing lost", self._recover)
        _say("housekeeping, nothing old", self._clean_up)
        _say("claim and release 50 sources", self._claim)
        _say("a briefing of 50 sources drawn up", partial(self._brief, self._ids[0]))
        _say("a briefing of all sources drawn up", partial(self._brief, self._ids[-1]))
        for name, asked, only in self._queries():
            taken = [seconds(partial(self._search, words, only)) for words in asked]
            half, most = percentile(taken, 50) * 1000, percentile(taken, 95) * 1000
            print(f"search, {name}: p50 {half:.1f} ms, p95 {most:.1f} ms")

    def _queries(self) -> Iterator[tuple[str, list[str], ItemFilter]]:
        chance = random.Random(3)
        ordinary = [self._words[chance.randrange(50, 2_000)] for _ in range(2 * ASKED)]
        common, always = self._words[:ASKED], ItemFilter()
        recent = ItemFilter(since=datetime.now(UTC) - timedelta(days=9))
        yield "one word", ordinary[:ASKED], always
        yield "two words", [" ".join(ordinary[n : n + 2]) for n in range(ASKED)], always
        yield "one word, nine days", ordinary[:ASKED], recent
        yield "a most common word", common, always
        yield "a most common word, nine days", common, recent

    def _tick(self, stage: Stage) -> None:
        """A feeder that finds nothing due, and what the status keeps of the stage."""
        now = datetime.now(UTC)
        assert not self._jobs.claim(stage, 50, "bench:1", now - timedelta(days=900))
        self._jobs.next_due_at(stage, now)
        self._overview.queue(stage, now, capacity=100, workers=4)

    def _recover(self) -> None:
        rules = {stage: StageRules(stage, lambda job: Done(), RetryPolicy(())) for stage in STAGES}
        workers = {stage: Worker(rule, self._holder) for stage, rule in rules.items()}
        assert recover(self._holder, workers, lambda loop: None) == 0

    def _clean_up(self) -> None:
        kept = timedelta(days=400)
        self._retention.apply(Keep(kept, kept, kept, kept, kept), datetime.now(UTC))

    def _claim(self) -> None:
        later = datetime.now(UTC) + timedelta(days=1)
        ids = self._jobs.claim(Stage.FETCH, 50, "bench:1", later)
        assert self._jobs.release(Stage.FETCH, ids, "bench:1", later) == 50

    def _brief(self, briefing_id: int) -> None:
        briefing = self._briefings.load(briefing_id)
        assert briefing is not None
        report = preview_report(briefing, briefings=self._briefings, now=datetime.now(UTC))
        assert report.items

    def _search(self, words: str, only: ItemFilter) -> None:
        self._index.search(SearchQuery(self._everybody, parse_query(f"{words} "), only))


def _say(what: str, work: Callable[[], object]) -> None:
    taken = [seconds(work) * 1000 for _ in range(7)]
    print(f"{what}: {median(taken):.1f} ms, at most {max(taken):.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
