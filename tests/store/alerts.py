"""A reader with saved searches, and news that is done now; what has been told of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import update

from morningdeck.actions.search import push
from morningdeck.alerting import Alerting
from morningdeck.brief import brief
from morningdeck.model.making import Enriched
from morningdeck.model.sending import Report, Written
from morningdeck.model.wanting import NewSearch
from morningdeck.store.database.connect import Database
from morningdeck.store.notices.troubles import follow_up
from morningdeck.store.results.enriched import save_enriched
from morningdeck.store.results.written import save_written
from morningdeck.store.rows.alerts import SqlAlertRows
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.briefs import briefings, deliveries
from morningdeck.store.tables.news import item_texts, items
from morningdeck.store.tables.searches import search_hits
from morningdeck.store.views.saved_searches import SavedSearches
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.views.sent import SavedSearchView
from morningdeck.work import Done, Job, Outcome, Stage
from tests.conftest import NOW
from tests.factories import (
    change,
    make_briefing,
    make_item,
    make_source,
    make_subscription,
    make_user,
    rows_of,
)
from tests.store.desk import PlainWriter
from tests.store.working import ENRICHED


def indexed(database: Database) -> None:
    while push(SearchOutbox(database), FulltextIndex(database)):
        pass


class Watcher:
    """Somebody with a source, who has saved searches."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.user = make_user(database)
        self.source = make_source(database)
        self.subscription = make_subscription(database, self.user, self.source)
        self.searches = SavedSearches(database)
        self.rows = SqlBriefingRows(database)
        self.woken = 0
        index = FulltextIndex(database)
        self.alerting = Alerting(
            SqlAlertRows(database), index.matching, self._wake, clock=lambda: NOW
        )

    def _wake(self) -> None:
        self.woken += 1

    # ---- what it has

    def save(self, name: str, query: str, **alert: Any) -> SavedSearchView:
        wanted = NewSearch(name, query, channels=("folder",), **alert)
        return self.searches.save(self.user, wanted, now=NOW)

    def at_once(self, name: str, query: str, **where: Any) -> int:
        """The briefing that tells what it finds."""
        self.save(name, query, at_once=True, **where)
        (row,) = rows_of(self.database, briefings, briefings.c.title == name, briefings.c.at_once)
        return int(row.id)

    def briefing(self, **values: Any) -> int:
        return make_briefing(self.database, self.user, **{"local_time": "07:00", **values})

    # ---- what comes

    def waiting(self, title: str, text: str = "", *, source: int = 0, **values: Any) -> int:
        """Fetched and in the index, as a fetch leaves it."""
        seen = NOW - timedelta(hours=1)
        row = {"title": title, "first_seen_at": seen, "search_mark": 1, **values}
        item = make_item(self.database, source or self.source, **row)
        with self.database.write() as connection:
            this = update(item_texts).where(item_texts.c.item_id == item)
            connection.execute(this.values(clean_content=text))
        indexed(self.database)
        return item

    def done(self, item: int) -> None:
        """As its processing settles it."""
        change(self.database, items, item, status="DONE")
        with self.database.write() as connection:
            job = Job(Stage.PROCESSING, item, 1)
            save_enriched(connection, job, Enriched(ENRICHED, "hash"), NOW)
        indexed(self.database)

    def news(self, title: str, text: str = "", **values: Any) -> int:
        item = self.waiting(title, text, **values)
        self.done(item)
        return item

    # ---- what is told

    def look(self) -> None:
        while self.alerting.round():
            pass

    def hits(self) -> list[int]:
        """What was found at all, told or not."""
        return [row.item_id for row in rows_of(self.database, search_hits)]

    def outcome(
        self,
        briefing: int,
        now: datetime = NOW,
        *,
        quiet: Callable[[datetime, str], bool] = lambda at, timezone: False,
        most: int = 10,
    ) -> Outcome:
        return brief(
            Job(Stage.BRIEFING, briefing, 1),
            briefings=self.rows,
            writer=PlainWriter(),
            clock=lambda: now,
            quiet=quiet,
            most_at_once=most,
        )

    def run(self, briefing: int, now: datetime = NOW, **how: Any) -> Report | None:
        """Write and store it; what it says, if anything."""
        outcome = self.outcome(briefing, now, **how)
        assert isinstance(outcome, Done)
        assert isinstance(outcome.result, Written)
        with self.database.write() as connection:
            job = Job(Stage.BRIEFING, briefing, 1)
            save_written(connection, job, outcome.result, now)
        return outcome.result.report

    def told(self, briefing: int, now: datetime = NOW, **how: Any) -> list[int]:
        report = self.run(briefing, now, **how)
        return [] if report is None else [place.item_id for place in report.items]

    def asked(self, briefing: int) -> bool:
        (row,) = rows_of(self.database, briefings, briefings.c.id == briefing)
        return row.run_requested_at is not None

    def refuse_all(self) -> None:
        """As the settlement of deliveries that nobody takes."""
        for row in rows_of(self.database, deliveries):
            change(self.database, deliveries, row.id, status="REFUSED", last_error="550 no")
            with self.database.write() as connection:
                follow_up(connection, Stage.DELIVERY, row.id, NOW)
