"""What a reader waits for: a briefing written from many candidates, and a search."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import insert, literal, select, update

from morningdeck import brief
from morningdeck.delivery import addressed
from morningdeck.model.finding import SearchDocument, SearchQuery
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import NewBriefing
from morningdeck.outgoing_mail import MailWriter
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.news import items, sources, subscriptions
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.work import Done, Job, Stage
from tests.benchmarks import crowd
from tests.benchmarks.grounds import KINDS, Bare, bare, fresh_database, recorded, replay
from tests.benchmarks.report import Report
from tests.benchmarks.timing import medians, percentile, seconds
from tests.factories import make_user

CANDIDATES = 10_000
DOCUMENTS = 100_000
WORDS = 60
PUT = 1_000
ASKED = range(200)
ORDINARY = slice(50, 2_000)
"""By rank: from words in every eighth item to words in 300 of them. The harsh half of the
queries takes one of the first 40 words, most of which an index would leave out as too common.
"""
DRIVER = "bare driver, same SQL"


def run(report: Report) -> None:
    for kind in KINDS:
        with fresh_database(kind) as database, bare(database) as driver:
            user_id = _reader(database, 2_000 if report.quick else CANDIDATES)
            _briefing(report, database, driver, user_id)
        with fresh_database(kind) as database, bare(database) as driver:
            user_id = _reader(database, 2_000 if report.quick else DOCUMENTS)
            _search(report, database, driver, user_id)


def _reader(database: Database, count: int) -> int:
    """Somebody who reads everything, and all of it is enriched."""
    crowd.fill(database, count, status="DONE", enriched_by="offline", summary="In short. " * 20)
    user_id = make_user(database)
    everything = select(literal(user_id), sources.c.id)
    with database.write() as connection:
        connection.execute(insert(subscriptions).from_select(["user_id", "source_id"], everything))
    return user_id


# ---- a briefing


def _briefing(report: Report, database: Database, driver: Bare, user_id: int) -> None:
    now = datetime.now(UTC)
    briefing_id = _owed(database, user_id, now)
    rows, writer = SqlBriefingRows(database), MailWriter("Deck <deck@example.org>", addressed)
    job = Job(Stage.BRIEFING, briefing_id, 1)

    def write() -> None:
        outcome = brief.brief(job, briefings=rows, writer=writer, clock=lambda: now)
        assert isinstance(outcome, Done)
        (envelope,) = outcome.result.envelopes  # type: ignore[attr-defined]  # it is a Written
        assert len(envelope.content) > 1_000

    with recorded() as sent:
        write()
    ours, theirs = medians(
        2 if report.quick else 7,
        partial(seconds, write),
        lambda: seconds(lambda: replay(driver, sent)),
    )
    what = f"briefing from 10,000 candidates to bytes, {database.kind}"
    report.time(what, ours, below=1.0, beside=theirs, name=DRIVER)


def _owed(database: Database, user_id: int, now: datetime) -> int:
    """A briefing that is due, with a score for every item."""
    plan = Plan(8, 0, "UTC")
    wanted = NewBriefing(title="Morning", criteria="ships", plan=plan, channels=("folder",))
    store = Briefings(database)
    briefing_id = store.add(user_id, wanted, now=now, next_run_at=now).id
    scores = select(items.c.id, literal(briefing_id), items.c.id % 100, literal("ships"))
    with database.write() as connection:
        columns = ["item_id", "briefing_id", "score", "reason"]
        connection.execute(insert(item_scores).from_select(columns, scores))
        soon = now - timedelta(minutes=1)
        connection.execute(update(briefings).values(next_run_at=soon, due_at=soon))
    return briefing_id


# ---- a search


def _search(report: Report, database: Database, driver: Bare, user_id: int) -> None:
    index, chance = FulltextIndex(database), random.Random(7)
    vocabulary = [_word(chance) for _ in range(20_000)]
    with database.read() as connection:
        ids = list(connection.scalars(select(items.c.id)))
    for start in range(0, len(ids), PUT):
        index.put([_document(one, vocabulary, chance) for one in ids[start : start + PUT]], ())
    if not database.exclusive:
        crowd.settle_down(database)
    asked = {
        "two ordinary words": [" ".join(chance.choices(vocabulary[ORDINARY], k=2)) for _ in ASKED],
        "with a most common word": [
            f"{vocabulary[20 + number]} {vocabulary[number % 40]}" for number in ASKED
        ],
    }
    for kind_of_words, texts in asked.items():
        queries = [SearchQuery(user_id, text) for text in texts[: 10 if report.quick else None]]
        measured = [_both(index, driver, query) for query in queries]
        ours, theirs = (percentile(column, 95) for column in zip(*measured, strict=True))
        what = f"search in 100,000 items, p95, {kind_of_words}, {database.kind}"
        report.time(what, ours, below=0.050, beside=theirs, name=DRIVER)


def _both(index: FulltextIndex, driver: Bare, query: SearchQuery) -> tuple[float, float]:
    with recorded() as sent:
        index.search(query)
    return seconds(partial(index.search, query)), seconds(partial(replay, driver, sent))


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bdfgklmnprst") + chance.choice("aeiou") for _ in range(3))


def _document(item_id: int, vocabulary: list[str], chance: random.Random) -> SearchDocument:
    """Words as common as in a language: the n-th is n times rarer than the first."""
    words = [vocabulary[int(len(vocabulary) ** chance.random()) - 1] for _ in range(WORDS)]
    text = " ".join(words)
    return SearchDocument(item_id, 1, 1, " ".join(words[:8]), " ".join(words[8:20]), text, "Ada")
