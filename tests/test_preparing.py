"""Translations are there when a briefing's time comes."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta

import pytest

from morningdeck.model.sending import Report
from morningdeck.preparing import BEFORE_ITS_SLOT, Preparing
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.tables.briefs import briefings
from tests.conftest import NOW, ManualClock
from tests.factories import Stock

SOON = BEFORE_ITS_SLOT - timedelta(seconds=30)


@pytest.fixture
def stock(database: Database) -> Stock:
    return Stock(database)


class Translated:
    """Whoever translates, and what they were given."""

    def __init__(self) -> None:
        self.reports: list[Report] = []

    def __call__(self, report: Report) -> Report:
        self.reports.append(report)
        return report

    @property
    def ids(self) -> list[int]:
        return [report.briefing_id for report in self.reports]


@pytest.fixture
def translated() -> Translated:
    return Translated()


@pytest.fixture
def preparing(database: Database, translated: Translated, clock: ManualClock) -> Preparing:
    return Preparing(SqlBriefingRows(database), translated, clock)


def coming(stock: Stock, after: timedelta = SOON, **values: object) -> int:
    """A briefing for a user who has an item for it."""
    user = stock.user(f"ada{after.total_seconds()}@example.org")
    item = stock.item(stock.source(user, f"https://example.org/{after.total_seconds()}"))
    briefing = stock.briefing(user)
    stock.score(item, briefing, 90)
    stock.set(briefings, briefing, next_run_at=NOW + after, **values)
    return briefing


def test_what_a_briefing_will_show_is_translated_before_its_slot(
    stock: Stock, preparing: Preparing, translated: Translated, clock: ManualClock
) -> None:
    briefing = coming(stock)

    assert not preparing.round()
    clock.pass_(seconds=30)
    assert not preparing.round()
    assert translated.ids == [briefing]
    clock.pass_(seconds=30)
    preparing.round()

    assert translated.ids == [briefing, briefing], "something may have come since"
    assert [item.title for item in translated.reports[0].items] == ["Harbour opens"]


def test_nobody_prepares_what_is_far_over_or_paused(
    stock: Stock, preparing: Preparing, translated: Translated, clock: ManualClock
) -> None:
    far = coming(stock, BEFORE_ITS_SLOT + timedelta(minutes=1))
    coming(stock, timedelta(seconds=-5))
    coming(stock, timedelta(seconds=20), paused=True)
    preparing.round()
    assert translated.ids == []

    clock.pass_(minutes=2)
    preparing.round()
    assert translated.ids == [far]


def test_each_slot_is_prepared_for_itself(
    stock: Stock, preparing: Preparing, translated: Translated, clock: ManualClock
) -> None:
    briefing = coming(stock)
    preparing.round()

    clock.pass_(days=1)
    stock.set(briefings, briefing, next_run_at=NOW + SOON + timedelta(days=1))
    preparing.round()

    assert translated.ids == [briefing, briefing]


def test_nothing_is_marked_or_stored(stock: Stock, preparing: Preparing) -> None:
    briefing = coming(stock)
    before = stock.row(briefings, briefing)

    preparing.round()

    assert stock.row(briefings, briefing) == before
    rows = SqlBriefingRows(stock.database)
    loaded = rows.load(briefing)
    assert loaded is not None
    assert len(rows.candidates(loaded, NOW - timedelta(days=7))) == 1


def test_one_process_prepares_while_another_is_at_it(
    postgres_url: str, translated: Translated, clock: ManualClock
) -> None:
    """Two daemons share a database on PostgreSQL alone."""
    with closing(open_database(postgres_url)) as one, closing(open_database(postgres_url)) as other:
        briefing = coming(Stock(one))
        preparing = Preparing(SqlBriefingRows(one), translated, clock)
        with SqlBriefingRows(other).prepared_alone() as alone:
            assert alone
            preparing.round()
        assert translated.ids == []

        preparing.round()
        assert translated.ids == [briefing]
