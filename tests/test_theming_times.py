"""When themes are found: at first, each night, after pages that were saved, one at a time."""

from __future__ import annotations

from contextlib import closing
from datetime import date, datetime, timedelta
from functools import partial

import pytest

from morningdeck.enrichers.embedding import DIMENSIONS
from morningdeck.enrichers.theme_labels import ThemeLabels
from morningdeck.errors import ConflictError
from morningdeck.model.themes import NamedTheme
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.themes import SqlThemeRows
from morningdeck.store.tables.people import users
from morningdeck.stories.themes import ThemeFinder
from morningdeck.theming import Theming
from tests.conftest import NOW, ManualClock
from tests.test_theming import CHESS, COFFEE, Newsroom


@pytest.fixture
def newsroom(database: Database, clock: ManualClock) -> Newsroom:
    return Newsroom(database, clock)


def many(newsroom: Newsroom) -> None:
    newsroom.read(*(f"{title} {number}" for number in range(10) for title in COFFEE[:3]))


def test_the_first_time_is_as_soon_as_enough_was_read(newsroom: Newsroom) -> None:
    theming = newsroom.theming()
    newsroom.read(*COFFEE)
    assert not theming.waits()

    many(newsroom)
    newsroom.busy = True
    assert not theming.waits()
    newsroom.busy = False
    assert theming.waits()

    assert not theming.round()
    assert newsroom.shown()
    assert not theming.waits()


@pytest.mark.parametrize(
    ("zone", "begins"),
    [
        ("UTC", datetime(2026, 11, 19, 3, 0, tzinfo=NOW.tzinfo)),
        ("Asia/Tokyo", datetime(2026, 11, 18, 18, 0, tzinfo=NOW.tzinfo)),
        ("Lost/Zone", datetime(2026, 11, 19, 3, 0, tzinfo=NOW.tzinfo)),
    ],
)
def test_then_each_night_where_the_reader_lives(
    newsroom: Newsroom, zone: str, begins: datetime
) -> None:
    newsroom.stock.set(users, newsroom.ada, timezone=zone)
    newsroom.read(*COFFEE)
    newsroom.found()
    theming = newsroom.theming()

    newsroom.clock.now = begins - timedelta(seconds=1)
    assert not theming.waits()
    newsroom.clock.now = begins
    assert theming.waits()
    theming.round()
    newsroom.clock.now = begins - timedelta(hours=1)  # the clock was set back
    assert not theming.waits()


def test_and_after_so_many_pages_that_were_saved_and_read(newsroom: Newsroom) -> None:
    newsroom.read(*COFFEE)
    newsroom.found()
    saved = newsroom.stock.source(newsroom.ada, f"saved:{newsroom.ada}", type="SAVED")
    newsroom.clock.pass_(minutes=5)
    at = newsroom.clock()

    newsroom.read(*CHESS[:2], source=saved, first_seen_at=at)
    newsroom.stock.item(saved, status="NEW", enriched_by=None, first_seen_at=at)
    assert not newsroom.theming().waits()
    newsroom.read(CHESS[2], source=saved, first_seen_at=at)
    assert not newsroom.theming(saved=0).waits()

    theming = newsroom.theming()
    assert theming.waits()
    newsroom.clock.pass_(minutes=1)
    theming.round()
    assert not theming.waits()
    assert set(newsroom.shown()) == {"Coffee", "Chess"}


def test_a_disabled_reader_is_left_alone(newsroom: Newsroom) -> None:
    many(newsroom)
    newsroom.stock.set(users, newsroom.ada, enabled=False)

    assert not newsroom.theming().waits()


def test_what_fails_for_one_reader_is_tried_again_the_next_night(newsroom: Newsroom) -> None:
    many(newsroom)

    def broken(*_: object) -> ThemeLabels:
        raise ValueError("a bug")

    finder = partial(ThemeFinder, dimensions=DIMENSIONS)
    theming = Theming(
        newsroom.rows, finder, broken, saved=3, busy=lambda: False, clock=newsroom.clock
    )
    with pytest.raises(ValueError, match="a bug"):
        theming.round()

    assert not theming.waits()
    newsroom.clock.pass_(days=1)
    assert theming.waits()


def test_one_process_at_a_time_where_there_may_be_several(
    postgres_url: str, clock: ManualClock
) -> None:
    with (
        closing(open_database(postgres_url)) as here,
        closing(open_database(postgres_url)) as there,
    ):
        newsroom = Newsroom(here, clock)
        many(newsroom)
        theming = newsroom.theming()

        with SqlThemeRows(there).alone() as alone:
            assert alone
            assert theming.round()
            with pytest.raises(ConflictError, match="are being found just now"):
                theming.find(newsroom.ada)
        assert newsroom.shown() == {}


def test_of_two_runs_at_a_time_the_last_that_began_is_shown_whole(newsroom: Newsroom) -> None:
    newsroom.read(*COFFEE, *CHESS)
    (first, *_) = ids = [story.id for story in newsroom.found()["Chess"].newest]

    class Slow(SqlThemeRows):
        """Another run begins and ends between two of its themes."""

        def _begin(self, user_id: int) -> int:
            run = super()._begin(user_id)
            theme = NamedTheme("Later", tuple(ids), len(ids), 1, None)
            newsroom.rows.save(user_id, [theme], date(2026, 11, 18), NOW)
            return run

    slow = Slow(newsroom.stock.database)
    slow.save(newsroom.ada, [NamedTheme("Earlier", (first,), 1, 1, None)], date(2026, 11, 18), NOW)

    assert set(newsroom.shown()) == {"Later"}
    assert len(newsroom.shown()["Later"].newest) == len(ids)
