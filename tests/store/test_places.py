"""Lists that are read page by page, while others add to what they list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

import pytest

from morningdeck.model.spending import UsageOfDay
from morningdeck.store.database.connect import Database
from morningdeck.store.store import Store
from morningdeck.store.tables.briefs import reports, topic_clusters, topic_runs
from morningdeck.store.tables.running import usage
from morningdeck.stories.window import RecentStories
from tests.conftest import NOW
from tests.factories import Stock, make

HOUR = timedelta(hours=1)


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database, lease=HOUR, refresh=HOUR, window=lambda: RecentStories(dimensions=2))


def read(
    page: Callable[[Any], Sequence[Any]],
    place: Callable[[Any], Any],
    meanwhile: Callable[[], object] = lambda: None,
) -> list[int]:
    """The ids of all pages; something comes in between."""
    ids, before = [], None
    while views := page(before):
        ids += [view.id for view in views]
        assert len(ids) < 50, "it goes round in circles"
        before = place(views[-1])
        meanwhile()
    return ids


def test_items_that_arrive_move_nothing_that_is_still_to_be_seen(
    store: Store, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    for hours in (3, 1, 2, 2, 2, 1):
        stock.item(source, first_seen_at=NOW - hours * HOUR)
    whole = [view.id for view in store.items.list(ada)]

    ids = read(
        lambda before: store.items.list(ada, limit=2, before=before),
        lambda view: (view.first_seen_at, view.id),
        lambda: stock.item(source, first_seen_at=NOW),
    )

    assert ids == whole
    assert len(ids) == 6


def test_sources_that_began_together_come_once_each(store: Store, stock: Stock, ada: int) -> None:
    made = [stock.source(ada, f"https://example.org/{n}") for n in range(5)]
    urls = iter(range(5, 99))

    ids = read(
        lambda before: store.subscriptions.list(ada, 2, before=before),
        lambda view: (view.since, view.id),
        lambda: stock.source(ada, f"https://example.org/{next(urls)}"),
    )

    assert ids == made[::-1]


def test_briefings_go_on_below_the_last_that_was_seen(store: Store, stock: Stock, ada: int) -> None:
    made = [stock.briefing(ada) for _ in range(5)]

    ids = read(
        lambda before: store.briefings.list(ada, 2, before=before),
        lambda view: view.id,
        lambda: stock.briefing(ada),
    )

    assert ids == made[::-1]


def test_reports_go_on_whoever_has_set_their_time(store: Store, stock: Stock, ada: int) -> None:
    briefing = stock.briefing(ada)
    for hours in range(5):  # the database itself says when the others were made
        report = stock.report(briefing, f"2026-11-{10 + hours}")
        if hours % 2:
            stock.set(reports, report, generated_at=NOW - hours * HOUR)
    whole = [view.id for view in store.reports.list(ada)]

    ids = read(lambda before: store.reports.list(ada, limit=2, before=before), lambda view: view.id)

    assert ids == whole
    assert len(ids) == 5


def test_topics_go_on_below_the_last_that_was_seen(store: Store, ada: int) -> None:
    database = store.database
    make_run = topic_runs.insert().values(user_id=ada, begun=1, run=1, day="2026-11-18")
    with database.write() as connection:
        connection.execute(make_run)
    for told in (2, 5, 5, 5, 1):
        values = {"run": 1, "label": "Ports", "this_week": told, "size": 4}
        make(database, topic_clusters, user_id=ada, period="2026-11-18", **values)
    whole = [view.id for view in store.topics.list(ada)]

    ids = read(
        lambda before: store.topics.list(ada, 2, before=before),
        lambda view: (view.this_week, view.items, view.id),
    )

    assert ids == whole
    assert len(ids) == 5


def test_days_of_models_go_on_below_the_last_that_was_seen(store: Store) -> None:
    for day in (17, 18):
        for purpose in ("enrich", "overview"):
            for model in ("a", "b"):
                values = {"purpose": purpose, "model": model, "day": date(2026, 11, day)}
                make(store.database, usage, **values)
    since = NOW - 365 * 24 * HOUR
    whole = store.spending.days(since, 99)

    pages: list[UsageOfDay] = []
    before = None
    while page := store.spending.days(since, 3, before=before):
        pages += page
        before = (page[-1].day, page[-1].purpose, page[-1].model)

    assert tuple(pages) == whole
    assert len(pages) == 8
