"""What a saved search finds is told once, whoever is killed, and however many look."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from secrets import token_hex

import pytest
from sqlalchemy import func, select

from morningdeck.app import system_clock
from morningdeck.model.wanting import NewSearch
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.tables.briefs import deliveries, report_items, reports
from morningdeck.store.tables.news import items
from morningdeck.store.tables.searches import search_hits
from morningdeck.store.views.saved_searches import SavedSearches
from morningdeck.store.views.users import Users
from tests.factories import (
    make_briefing,
    make_item,
    make_source,
    make_subscription,
    row_of,
    rows_of,
)
from tests.faults import alerter
from tests.faults.daemon import Daemon

PROGRAM = (sys.executable, "-P", alerter.__file__)
ONCE = ("run", "--once", "--no-web")
POINTS = (
    *(f"{when} {what}" for what in ("save", "ask", "open_at_once") for when in ("before", "after")),
    "body:kill",
)
LATER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Watch:
    """A reader with a saved search, and those who work for it."""

    folder: Path
    database: Database
    make_daemon: Callable[..., Daemon]
    user: int
    source: int

    def news(self, count: int = 1) -> tuple[int, ...]:
        """Items that wait in line; each is a story of its own."""
        now, known = system_clock(), len(rows_of(self.database, items))
        row = {"first_seen_at": now, "search_mark": 1}
        titles = [f"Harbour {known + n} opens {token_hex(4)} {token_hex(4)}" for n in range(count)]
        return tuple(make_item(self.database, self.source, title=one, **row) for one in titles)

    def save(self, **alert: object) -> None:
        where = {"recipients": ("reader@example.org",), "channels": ("postbox",)}
        wanted = NewSearch("Ports", "harbour", **alert, **where)  # type: ignore[arg-type]
        SavedSearches(self.database).save(self.user, wanted, now=system_clock())

    def daemon(self, fault: str = "", folder: str = "", **settings: object) -> Daemon:
        url = self.database.url.render_as_string(hide_password=False)
        settings = {"retry__schedule_minutes": [0.001], "search__alerts_per_day": 1000, **settings}
        made = self.make_daemon(self.folder / folder, url, program=PROGRAM, **settings)
        at_mail = fault if ":" in fault else ""
        made.environment |= {
            "POSTBOX": str(self.folder),
            "POSTBOX_FAULT": at_mail,
            "ALERTER_FAULT": "" if at_mail else fault,
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        return made

    def mails(self) -> list[str]:
        mails = self.folder / "mails"
        return mails.read_text().splitlines() if mails.exists() else []

    def told(self) -> Counter[int]:
        """How often each item has stood in a report."""
        return Counter(row.item_id for row in rows_of(self.database, report_items))


@pytest.fixture
def watch(database: Database, tmp_path: Path, daemon: Callable[..., Daemon]) -> Watch:
    return begin(database, tmp_path, daemon)


def begin(database: Database, folder: Path, daemon: Callable[..., Daemon]) -> Watch:
    now = system_clock()
    user = Users(database).ensure_first(now).id
    source = make_source(database, due_at=now + LATER)
    make_subscription(database, user, source)
    return Watch(folder, database, daemon, user, source)


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_any_point_an_alert_goes_out_once(watch: Watch, point: str) -> None:
    watch.save(at_once=True)
    (item,) = watch.news()
    killed = watch.daemon(point).begin_command(*ONCE)
    killed.communicate(timeout=100)
    before = watch.mails()

    watch.daemon().command(*ONCE)
    watch.daemon().command(*ONCE)

    assert (killed.returncode, before) == (-9, [])
    assert (len(watch.mails()), watch.told()) == (1, {item: 1})
    assert [row.status for row in rows_of(watch.database, reports)] == ["GENERATED"]
    assert [row.status for row in rows_of(watch.database, deliveries)] == ["SENT"]


@pytest.mark.parametrize("point", ["before save", "after save"])
def test_killed_while_it_looks_a_briefing_tells_it_once(watch: Watch, point: str) -> None:
    briefing = make_briefing(
        watch.database,
        watch.user,
        due_at=system_clock() + LATER,
        next_run_at=system_clock() + LATER,
        recipients=("reader@example.org",),
        channels=("postbox",),
        min_score=100,
    )
    watch.save(briefing_id=briefing)
    (item,) = watch.news()
    killed = watch.daemon(point).begin_command(*ONCE)
    killed.communicate(timeout=100)

    first = watch.daemon().command("briefing", "run", str(briefing))
    second = watch.daemon().command("briefing", "run", str(briefing))

    assert killed.returncode == -9
    assert (first["items"], second["items"], watch.told()) == (1, 0, {item: 1})
    assert len(watch.mails()) == 1


def test_two_daemons_tell_everything_once(
    postgres_url: str, tmp_path: Path, daemon: Callable[..., Daemon]
) -> None:
    database = open_database(postgres_url)
    watch = begin(database, tmp_path, daemon)
    watch.save(at_once=True)
    both = [watch.daemon(folder=name).start() for name in ("one", "two")]
    for one in both:
        one.wait_for_event("started")
    ids: list[int] = []
    for _ in range(8):
        ids += watch.news(25)
        wait_until_weighed(both[0], database, len(ids) - 20)
    wait_until_weighed(both[0], database, len(ids))
    both[0].wait_for(lambda: not unsent(database))
    for one in both:
        one.stop()
    mails, told, hits = watch.mails(), watch.told(), rows_of(database, search_hits)
    database.close()

    assert len(mails) == len(set(mails))
    assert max(told.values()) == 1
    assert told.keys() <= set(ids)
    assert {row.item_id for row in hits} == set(ids)


def wait_until_weighed(daemon: Daemon, database: Database, count: int) -> None:
    daemon.wait_for(lambda: found(database) >= count)


def found(database: Database) -> int:
    """So many have been weighed by a report."""
    query = select(func.count()).where(search_hits.c.report_id.is_not(None))
    with database.read() as connection:
        return connection.scalar(query) or 0


def unsent(database: Database) -> int:
    query = select(func.count()).where(deliveries.c.status != "SENT")
    with database.read() as connection:
        return connection.scalar(query) or 0


def test_what_is_refused_for_good_is_not_sent_again_by_itself(watch: Watch) -> None:
    """Its report stays open: whoever puts things right sends it again."""
    watch.save(at_once=True)
    watch.news()
    watch.daemon("body:refuse").command(*ONCE)
    watch.daemon().command(*ONCE)
    refused = [row.status for row in rows_of(watch.database, deliveries)]
    (report,) = rows_of(watch.database, reports)

    watch.daemon().command("report", "send", str(report.id))

    assert (refused, report.closed_at) == (["REFUSED"], None)
    assert len(watch.mails()) == 1
    assert row_of(watch.database, reports, report.id).status == "GENERATED"
