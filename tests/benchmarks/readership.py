"""Fifty readers of two thousand sources and all that pages show of them, made in bulk.

Items, marks, scores and stories are made inside the database, of a few thousand different texts:
a million items take some minutes. The first user of the deck reads all sources, the others a tenth
to four tenths of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Interval,
    MetaData,
    Table,
    Text,
    bindparam,
    case,
    cast,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)

from morningdeck.actions import accounts
from morningdeck.actions.tokens import digest
from morningdeck.app import App
from morningdeck.asked.indexed import index_names, index_words
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import NewBriefing
from morningdeck.store.database.connect import Database
from morningdeck.store.database.search_table import SECTIONS, TABLES_BY_KIND
from morningdeck.store.tables.briefs import (
    item_scores,
    report_items,
    reports,
    topic_clusters,
    topic_members,
    topic_runs,
)
from morningdeck.store.tables.columns import BigInt, Json, UtcTime
from morningdeck.store.tables.news import (
    item_likenesses,
    item_states,
    item_texts,
    items,
    sources,
    stories,
    subscriptions,
)
from morningdeck.store.views.briefings import Briefings
from tests.benchmarks.crowd import CHUNK, numbers, settle_down
from tests.benchmarks.site import Prose
from tests.factories import make_user

READERS, SOURCES, TEXTS = 50, 2_000, 5_000
SPAN, RECENT, COMPARED = timedelta(days=180), timedelta(days=14), timedelta(days=3)
LEAST_RECENT = 20_000
RARE_WORDS = 400
TOPICS = ("energy", "ports", "chess", "rail", "space", "health")
REPORTS, PLACES, THEMES, MEMBERS = 14, 12, 20, 30
TELLERS = 3
WISH = "What the harbour, its budget and the council are up to"
REASON = (
    "It is about the budget of a harbour, as you asked, and about nothing of what you left out."
)

texts = Table(
    "bench_texts",
    MetaData(),
    Column("id", BigInt, primary_key=True),
    Column("title", Text),
    Column("summary", Text),
    Column("article", Text),
    Column("tags", Json),
    *(Column(f"in_{section}", Text) for section in (*SECTIONS, "document")),
)


@dataclass(frozen=True)
class Reader:
    user_id: int
    briefing_id: int
    cookie: str


@dataclass(frozen=True)
class Readership:
    readers: tuple[Reader, ...]
    items: int
    reports: Mapping[int, int]
    """The newest of each user."""
    rare_words: tuple[str, ...]

    @property
    def first(self) -> Reader:
        return self.readers[0]


def fill(app: App, count: int) -> Readership:
    """Of a deck that has only its first user; `count` items, the last of which is from now."""
    database, now = app.store.database, datetime.now(UTC)
    filler = _Filler(database, count, now)
    filler.write_texts()
    filler.add_items()
    (first, *_) = app.store.users.list()
    ids = (first.id, *(make_user(database, timezone="Europe/Berlin") for _ in range(READERS - 1)))
    for number, user_id in enumerate(ids):
        filler.subscribe(user_id, number)
    settle_down(database, "items", "sources", "subscriptions")
    readers = tuple(filler.add_reader(user_id, number) for number, user_id in enumerate(ids))
    with database.write() as connection:  # nothing is left to do for whoever works here
        connection.execute(update(items).where(items.c.rescore).values(rescore=False))
    newest = {one.user_id: filler.add_reports(one) for one in readers}
    for one in readers:
        begin, told = app.store.sessions.begin, digest(one.cookie)
        begin(one.user_id, told, now=app.clock(), browser="Firefox on Linux", address="::1")
    with database.write() as connection:
        texts.drop(connection)
    settle_down(database, *TABLES)
    return Readership(readers, count, newest, filler.rare_words)


TABLES = ("items", "item_states", "item_scores", "item_search", "subscriptions", "report_items")


class _Filler:
    def __init__(self, database: Database, count: int, now: datetime) -> None:
        self._database = database
        self._count = count
        self._now = now
        self._chance = random.Random(14)
        self._each = SPAN / count
        self.rare_words = tuple(_word(self._chance) for _ in range(RARE_WORDS))

    # ---- what is read

    def write_texts(self) -> None:
        rows = [self._text(number) for number in range(TEXTS)]
        with self._database.write() as connection:
            texts.create(connection)
            connection.execute(insert(texts), rows)

    def _text(self, number: int) -> dict[str, Any]:
        prose, rare = Prose(f"reader {number}"), self._chance.choice(self.rare_words)
        title = f"{prose.clause()} {rare}".capitalize()
        summary = f"{prose.sentence()} {prose.sentence()}"
        tags = {"topics": [self._chance.choice(TOPICS)], "companies": ["Harbour & Sons"]}
        words = {
            "title": index_words(title, "en"),
            "summary": index_words(summary, "en"),
            "topics": index_names(tags["topics"], "en"),
            "names": index_names(tags["companies"]),
            "author": [],
            "content": [],
        }
        row = TABLES_BY_KIND[self._database.dialect.name].row(0, words)
        held = {name: row.get(name, "") for name in (*SECTIONS, "document")}
        article = " ".join(prose.sentence() for _ in range(30))
        told = {"title": title, "summary": summary, "article": article, "tags": tags}
        return {"id": number, **told, **{f"in_{name}": value for name, value in held.items()}}

    def add_items(self) -> None:
        with self._database.write() as connection:
            feeds = [_source(number, self._now) for number in range(SOURCES)]
            connection.execute(insert(sources), feeds)
        for start, end in _chunks(self._count // TELLERS + 1):
            with self._database.write() as connection:
                number = numbers(start, end)
                label = select(literal("Harbour and budget") + cast(number, Text))
                connection.execute(insert(stories).from_select(["label"], label))
        for start, end in _chunks(self._count):
            with self._database.write() as connection:
                self._add_items(connection, start, end)
        index = _indexing(self._database)
        for start, end in _chunks(self._count):
            with self._database.write() as connection:
                connection.execute(index, {"first": start + 1, "last": end})
        with self._database.write() as connection:
            self._compare(connection)

    def _add_items(self, connection: Connection, start: int, end: int) -> None:
        number = numbers(start, end)
        seen_at = self._ago(number)
        columns: dict[str, Any] = {
            "source_id": number % SOURCES + 1,
            "guid": cast(number, Text),
            "url": literal("https://news.example/") + cast(number, Text),
            "title": texts.c.title,
            "summary": texts.c.summary,
            "tags": texts.c.tags,
            "content_hash": cast(number, Text),
            "first_seen_at": seen_at,
            "published_at": seen_at,
            "processed_at": seen_at,
            "language": literal("en"),
            "status": literal("DONE"),
            "enriched_by": literal("offline"),
            "turn": number // SOURCES,
            "story_id": number // TELLERS + 1,
        }
        chosen = select(*columns.values()).join(texts, texts.c.id == number % TEXTS)
        connection.execute(insert(items).from_select(list(columns), chosen.order_by(number)))
        if end > self._recent:
            article = select(items.c.id, texts.c.article).join(
                texts, texts.c.id == (items.c.id - 1) % TEXTS
            )
            these = article.where(items.c.id.between(max(start, self._recent) + 1, end))
            names = ["item_id", "clean_content"]
            connection.execute(insert(item_texts).from_select(names, these))

    @property
    def _recent(self) -> int:
        """Items with a greater id came lately."""
        return max(0, self._count - max(int(RECENT / self._each), LEAST_RECENT))

    def _ago(self, number: ColumnElement[int]) -> ColumnElement[Any]:
        began = self._now - SPAN
        if self._database.kind == "postgresql":
            return literal(began, UtcTime) + cast(number, BigInt) * literal(self._each, Interval)
        seconds = literal(self._each.total_seconds()) * number
        told = cast(seconds, Text) + literal(" seconds")
        at = f"{began:%Y-%m-%d %H:%M:%S}"
        return func.strftime("%Y-%m-%d %H:%M:%f", at, told) + literal("000")

    def _compare(self, connection: Connection) -> None:
        """Neighbours are on one subject; what is new is left out, as it would be read into memory
        by who works.
        """
        last = self._count - int(COMPARED / self._each)
        columns = {
            "item_id": items.c.id,
            "story_id": items.c.story_id,
            "subject_id": items.c.story_id / 4,
            "first_seen_at": items.c.first_seen_at,
            "title": items.c.title,
            "text_hash": items.c.content_hash,
        }
        chosen = select(*columns.values()).where(items.c.id.between(self._recent, last))
        connection.execute(insert(item_likenesses).from_select(list(columns), chosen))

    # ---- who reads it

    def subscribe(self, user_id: int, number: int) -> None:
        share = 10 if number == 0 else 1 + number % 4
        chosen = select(literal(user_id), sources.c.id, literal(self._now, UtcTime)).where(
            (sources.c.id * 31 + number * 17) % 10 < share
        )
        with self._database.write() as connection:
            names = ["user_id", "source_id", "since"]
            connection.execute(insert(subscriptions).from_select(names, chosen))

    def add_reader(self, user_id: int, number: int) -> Reader:
        plan = Plan(7, 0, "Europe/Berlin")
        wish = NewBriefing("Harbour", WISH, plan, channels=("folder",))
        later = self._now + timedelta(days=1)
        add = Briefings(self._database).add
        briefing_id = add(user_id, wish, now=self._now, next_run_at=later).id
        with self._database.write() as connection:
            self._score_and_mark(connection, user_id, briefing_id, number)
        with self._database.write() as connection:
            self._find_themes(connection, user_id, number)
        return Reader(user_id, briefing_id, accounts.new_token())

    def _score_and_mark(
        self, connection: Connection, user_id: int, briefing_id: int, number: int
    ) -> None:
        """Six of ten that came lately are read, one in 200 is kept, nearly half are on the wish."""
        read, own = self._now - timedelta(hours=3), subscriptions.c.user_id == user_id
        lately = items.join(subscriptions, subscriptions.c.source_id == items.c.source_id)
        chance = (items.c.id * 37 + number * 11) % 101
        reason = literal(REASON)
        moment = literal(read, UtcTime)
        kept = items.c.id % 200 == number
        saved_at = case((kept, moment))
        marked = or_(chance % 10 < 6, kept)
        for table, columns, chosen, where in (
            (
                item_scores,
                ["item_id", "briefing_id", "score", "reason"],
                (items.c.id, literal(briefing_id), chance % 101, reason),
                chance >= 55,
            ),
            (
                item_states,
                ["user_id", "item_id", "read_at", "saved_at"],
                (literal(user_id), items.c.id, moment, saved_at),
                marked,
            ),
        ):
            found = select(*chosen).select_from(lately).where(own, items.c.id > self._recent, where)
            connection.execute(insert(table).from_select(columns, found))

    def _find_themes(self, connection: Connection, user_id: int, number: int) -> None:
        day = f"{self._now:%Y-%m-%d}"
        run = {"user_id": user_id, "begun": 1, "run": 1, "day": day, "ran_at": self._now}
        connection.execute(insert(topic_runs), run)
        rows = [
            {"user_id": user_id, "label": self._chance.choice(self.rare_words), "size": MEMBERS}
            | {"period": day, "since": day, "run": 1, "this_week": 5 + nth, "week_before": nth}
            for nth in range(THEMES)
        ]
        made = insert(topic_clusters).returning(topic_clusters.c.id)
        for nth, theme in enumerate(connection.scalars(made, rows).all()):
            first = self._recent + (nth * 997 + number * 13) % 50_000
            own = subscriptions.c.user_id == user_id
            members = (
                select(literal(theme), items.c.id)
                .join(subscriptions, subscriptions.c.source_id == items.c.source_id)
                .where(own, items.c.id > min(first, self._count - 5_000))
                .order_by(items.c.id)
                .limit(MEMBERS)
            )
            connection.execute(
                insert(topic_members).from_select(["cluster_id", "item_id"], members)
            )

    def add_reports(self, reader: Reader) -> int:
        """One a day; returns the last."""
        best = (
            select(items.c.id, items.c.title, items.c.url, items.c.summary, items.c.published_at)
            .join(item_scores, item_scores.c.item_id == items.c.id)
            .where(item_scores.c.briefing_id == reader.briefing_id)
            .order_by(items.c.id.desc())
            .limit(REPORTS * PLACES)
        )
        last = 0
        with self._database.write() as connection:
            told = iter(connection.execute(best).all())
            for ago in reversed(range(REPORTS)):
                at = self._now - timedelta(days=ago)
                row = {"briefing_id": reader.briefing_id, "slot": f"{at:%Y-%m-%d}", "weighed": 400}
                row |= {"status": "GENERATED", "subject": "Harbour", "generated_at": at}
                row |= {"closed_at": at, "left_out": {"no_place": 90}}
                made = insert(reports).values(row).returning(reports.c.id)
                last = connection.scalars(made).one()
                places = [_place(last, nth, one) for nth, one in enumerate(islice(told, PLACES))]
                connection.execute(insert(report_items), places)
        return last


def _place(report_id: int, position: int, item: Any) -> dict[str, Any]:
    """As it was told."""
    row = {"report_id": report_id, "position": position, "item_id": item.id, "score": 90 - position}
    told = {"title": item.title, "url": item.url, "summary": item.summary, "reason": REASON}
    source = {"source_title": "News of town", "topics": ("energy",), "told": True, "minutes": 2}
    return {**row, **told, **source, "published_at": item.published_at}


def _source(number: int, now: datetime) -> dict[str, Any]:
    return {
        "url": f"https://news-{number}.example/feed.xml",
        "title": f"News of town {number}",
        "host": f"news-{number}.example",
        "wanted": True,
        "due_at": now + timedelta(days=365),
        "last_fetched_at": now,
        "last_success_at": now,
    }


def _indexing(database: Database) -> Any:
    """Items in the search index, by the words that their texts have there."""
    into, read = "(item_id, document)", "CAST(t.in_document AS tsvector)"
    if database.kind == "sqlite":
        into, read = f"(rowid, {', '.join(SECTIONS)})", ", ".join(f"t.in_{one}" for one in SECTIONS)
    return text(
        f"INSERT INTO item_search {into} SELECT i.id, {read} FROM items i JOIN bench_texts t"
        f" ON t.id = (i.id - 1) % {TEXTS} WHERE i.id BETWEEN :first AND :last"
    ).bindparams(bindparam("first", type_=BigInt), bindparam("last", type_=BigInt))


def _chunks(count: int) -> Iterator[tuple[int, int]]:
    return ((start, min(start + CHUNK, count)) for start in range(0, count, CHUNK))


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bdfgklmnprst") + chance.choice("aeiou") for _ in range(4))
