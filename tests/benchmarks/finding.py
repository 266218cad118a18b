"""What a reader waits for: a briefing written from many candidates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import exists, insert, literal, select, update

from morningdeck import brief
from morningdeck.delivery import addressed
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import NewBriefing
from morningdeck.outgoing_mail import MailWriter
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.news import items, sources, stories, subscriptions
from morningdeck.store.views.briefings import Briefings
from morningdeck.work import Done, Job, Stage
from tests.benchmarks import crowd
from tests.benchmarks.grounds import KINDS, Bare, bare, fresh_database, recorded, replay
from tests.benchmarks.report import Report
from tests.benchmarks.timing import medians, seconds
from tests.factories import make_user

CANDIDATES, TELLERS = 10_000, 3
"""Every story is told three times."""
DRIVER = "bare driver, same SQL"


def run(report: Report) -> None:
    for kind in KINDS:
        with fresh_database(kind) as database, bare(database) as driver:
            user_id = _reader(database, 2_000 if report.quick else CANDIDATES)
            _briefing(report, database, driver, user_id)


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
        tell = select(items.c.id).where(items.c.id % TELLERS == 0)
        connection.execute(insert(stories).from_select(["id"], tell))
        story = items.c.id - items.c.id % TELLERS
        told = exists().where(stories.c.id == story)
        connection.execute(update(items).where(told).values(story_id=story))
        soon = now - timedelta(minutes=1)
        connection.execute(update(briefings).values(next_run_at=soon, due_at=soon))
    return briefing_id
