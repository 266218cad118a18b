"""A reader with a briefing that is due, which is run on the real store."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select

from morningdeck.brief import brief
from morningdeck.model.sending import Briefing, Envelope, Rendered, Report, Written
from morningdeck.store.database.connect import Database
from morningdeck.store.results.written import save_written
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.tables.briefs import item_scores, reports
from morningdeck.work import Done, Job, Stage
from tests.conftest import NOW
from tests.factories import (
    make_briefing,
    make_item,
    make_score,
    make_source,
    make_subscription,
    make_user,
    rows_of,
)

DAY = timedelta(days=1)


class PlainWriter:
    """The port `ReportWriter`, with one line of text and one envelope."""

    def render(self, report: Report) -> Rendered:
        return Rendered(report.subject, "text", "page")

    def envelopes(
        self, briefing: Briefing, report: Report, rendered: Rendered
    ) -> tuple[Envelope, ...]:
        return (Envelope("folder", "folder", f"<{report.id}@x>", b"bytes", "stem"),)


class Reader:
    """Somebody with a source and a daily briefing that is due now."""

    def __init__(self, database: Database, **values: Any) -> None:
        self.database = database
        self.table = SqlBriefingRows(database)
        self.user = make_user(database)
        self.source = make_source(database, title="News")
        self.subscription = make_subscription(database, self.user, self.source)
        planned = {"local_time": "07:00", "criteria": "ships", **values}
        self.briefing = make_briefing(database, self.user, **planned)

    def item(self, score: int | None = 50, *, source: int | None = None, **values: Any) -> int:
        """Seen an hour ago, and scored for the briefing unless `score` is None."""
        row = {"status": "DONE", "first_seen_at": NOW - timedelta(hours=1), **values}
        item = make_item(self.database, source or self.source, **row)
        if score is not None:
            self.score(item, score)
        return item

    def score(self, item: int, score: int = 50) -> None:
        make_score(self.database, item, self.briefing, score)

    def outcome(self, now: datetime = NOW) -> Written:
        job = Job(Stage.BRIEFING, self.briefing, 1)
        outcome = brief(job, briefings=self.table, writer=PlainWriter(), clock=lambda: now)
        assert isinstance(outcome, Done)
        assert isinstance(outcome.result, Written)
        return outcome.result

    def run(self, now: datetime = NOW) -> list[int]:
        """Write what is due and return the items told."""
        result = self.outcome(now)
        with self.database.write() as connection:
            save_written(connection, Job(Stage.BRIEFING, self.briefing, 1), result, now)
        return [] if result.report is None else [item.item_id for item in result.report.items]

    def run_by_hand(self, now: datetime = NOW) -> list[int]:
        assert self.table.request_run(self.briefing, now)
        return self.run(now)

    def loaded(self) -> Briefing:
        briefing = self.table.load(self.briefing)
        assert briefing is not None
        return briefing

    def weighed(self) -> set[int]:
        query = select(item_scores.c.item_id).where(item_scores.c.considered_in.is_not(None))
        with self.database.read() as connection:
            return set(connection.scalars(query))

    def slots(self) -> dict[str, str]:
        mine = rows_of(self.database, reports, reports.c.briefing_id == self.briefing)
        return {row.slot: row.status for row in mine}
