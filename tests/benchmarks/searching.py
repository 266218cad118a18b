"""A search in a large deck: words, filters and facets, beside the database asked by hand.

By hand means the least that finds the same words: the driver, one table, one statement for the
first 20 and one for how many there are, nobody asked whose they are, nothing told of them. It
only prints with 1,000,000 items (`MILLION=1` in the environment), and of words that nearly all
items have. `ON=postgresql` has it run on one database alone.
"""

from __future__ import annotations

import os
import random
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import bindparam, insert, literal, select, text, update

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import ItemFilter, SearchQuery
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.indexed import index_items
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.news import item_states, item_texts, items, sources, subscriptions
from morningdeck.store.views.search_index import FulltextIndex
from tests.benchmarks import crowd
from tests.benchmarks.grounds import KINDS, Bare, bare, fresh_database
from tests.benchmarks.report import Report
from tests.benchmarks.timing import percentile, seconds
from tests.factories import make_briefing, make_user

DOCUMENTS, MANY = 100_000, 1_000_000
WORDS, TITLE = 120, 8
VOCABULARY = 30_000
ASKED = 100
AT_ONCE = 2_000
TOPICS = ("energy", "ports", "chess", "rail", "space", "health")
LIMIT = 0.050

_TITLING = (
    update(items)
    .where(items.c.id == bindparam("of"))
    .values(title=bindparam("t"), tags=bindparam("g"), published_at=bindparam("p"))
)
BY_HAND = {
    "sqlite": (
        "SELECT rowid FROM item_search WHERE item_search MATCH ? ORDER BY rank LIMIT 20",
        "SELECT count(*) FROM item_search WHERE item_search MATCH ?",
    ),
    "postgresql": (
        "SELECT item_id FROM item_search WHERE document @@ CAST(%s AS tsquery)"
        " ORDER BY ts_rank(document, CAST(%s AS tsquery)) DESC LIMIT 20",
        "SELECT count(*) FROM item_search WHERE document @@ CAST(%s AS tsquery)",
    ),
}


def run(report: Report) -> None:
    count = MANY if os.environ.get("MILLION") else 2_000 if report.quick else DOCUMENTS
    for kind in (os.environ.get("ON", "") or " ".join(KINDS)).split():
        with fresh_database(kind) as database, bare(database) as driver:
            deck = Deck(database, count)
            asked = deck.queries(5 if report.quick else ASKED)
            for what, queries in asked.items():
                _measure(report, deck, driver, what, queries, count)


def _measure(
    report: Report,
    deck: Deck,
    driver: Bare,
    what: str,
    queries: list[tuple[str, dict[str, Any]]],
    count: int,
) -> None:
    index = FulltextIndex(deck.database)
    ours, theirs = [], []
    for words, only in queries:
        query = SearchQuery(deck.user_id, parse_query(f"{words} "), ItemFilter(**only))
        ours.append(seconds(partial(index.search, query)))
        theirs.append(seconds(partial(_by_hand, deck.database.kind, driver, words)))
    named = f"search {count:,} items, {what}, {deck.database.kind}"
    half, hand = percentile(ours, 50), percentile(theirs, 50)
    most, hand_most = percentile(ours, 95), percentile(theirs, 95)
    report.say(f"{named}: p50 {half * 1000:.1f} ms, by hand {hand * 1000:.1f} ms")
    if count == MANY or "common" in what:
        report.say(f"{named}: p95 {most * 1000:.1f} ms, by hand {hand_most * 1000:.1f} ms")
    else:
        report.time(f"{named}, p95", most, below=LIMIT, beside=hand_most, name="asked by hand")


def _by_hand(kind: str, driver: Bare, words: str) -> None:
    best, how_many = BY_HAND[kind]
    asked = words if kind == "sqlite" else " & ".join(words.split())
    with driver.transaction() as cursor:
        cursor.execute(best, (asked,) * best.count("tsquery") or (asked,))
        cursor.fetchall()
        cursor.execute(how_many, (asked,))
        cursor.fetchall()


class Deck:
    """Somebody who reads everything, in words as common as those of a language."""

    def __init__(self, database: Database, count: int) -> None:
        self.database = database
        self._chance = random.Random(7)
        self._vocabulary = [_word(self._chance) for _ in range(VOCABULARY)]
        crowd.fill(database, count, status="DONE", enriched_by="offline", language="en")
        self.user_id = make_user(database)
        self.briefing_id = make_briefing(database, self.user_id)
        self._write(count)
        self._read(count)
        if not database.exclusive:
            crowd.settle_down(database)
            with database.read() as connection:
                connection.execute(text("VACUUM ANALYZE item_search"))

    def queries(self, count: int) -> dict[str, list[tuple[str, dict[str, Any]]]]:
        """Ordinary words are in one item of 10 to 300, the most common in nearly half of them."""
        chance, known = self._chance, self._vocabulary
        ordinary = [known[chance.randrange(50, 2_000)] for _ in range(2 * count)]
        recent = {"since": datetime.now(UTC) - timedelta(days=9)}
        filters: list[dict[str, Any]] = [
            {"unread": True},
            {"min_score": 60, "briefing_id": self.briefing_id},
            recent,
            {"saved": True},
        ]
        return {
            "one word": [(word, {}) for word in ordinary[:count]],
            "two words": [(" ".join(ordinary[n : n + 2]), {}) for n in range(count)],
            "a most common word": [(known[n % 40], {}) for n in range(count)],
            "filtered": [(word, filters[n % 4]) for n, word in enumerate(ordinary[:count])],
            "a most common word, filtered": [(known[n % 40], filters[n % 4]) for n in range(count)],
        }

    def _write(self, count: int) -> None:
        with self.database.read() as connection:
            ids = list(connection.scalars(select(items.c.id).order_by(items.c.id)))
        assert len(ids) == count
        for start in range(0, count, AT_ONCE):
            self._write_some(ids[start : start + AT_ONCE])

    def _write_some(self, ids: list[int]) -> None:
        now, titles, texts = datetime.now(UTC), [], []
        for item_id in ids:
            words = [self._any() for _ in range(WORDS)]
            published = now - timedelta(minutes=item_id % 43_200)
            tags = {"topics": [self._chance.choice(TOPICS)], "sentiment": "neutral"}
            title = " ".join(words[:TITLE])
            titles.append({"of": item_id, "t": title, "g": tags, "p": published})
            texts.append({"item_id": item_id, "clean_content": " ".join(words[TITLE:])})
        with self.database.write() as connection:
            connection.execute(_TITLING, titles)
            connection.execute(item_texts.insert(), texts)
            index_items(connection, ids)

    def _read(self, count: int) -> None:
        """A third is read, one in 200 saved, all scored."""
        everything = select(literal(self.user_id), sources.c.id)
        now = datetime.now(UTC)
        read = select(literal(self.user_id), items.c.id, literal(now)).where(items.c.id % 3 == 0)
        saved = select(literal(self.user_id), items.c.id, literal(now)).where(items.c.id % 200 == 1)
        scored = select(items.c.id, literal(self.briefing_id), items.c.id % 100, literal("ships"))
        with self.database.write() as connection:
            for table, columns, chosen in (
                (subscriptions, ["user_id", "source_id"], everything),
                (item_states, ["user_id", "item_id", "read_at"], read),
                (item_states, ["user_id", "item_id", "saved_at"], saved.where(items.c.id % 3 != 0)),
                (item_scores, ["item_id", "briefing_id", "score", "reason"], scored),
            ):
                connection.execute(insert(table).from_select(columns, chosen))

    def _any(self) -> str:
        """The n-th word is n times rarer than the first."""
        return self._vocabulary[int(VOCABULARY ** self._chance.random()) - 1]


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bdfgklmnprst") + chance.choice("aeiou") for _ in range(3))
