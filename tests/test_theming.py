"""When themes are found, what continues what, and whose they are: real parts on both databases."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest

from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.enrichers.theme_labels import ThemeLabels
from morningdeck.errors import NotFoundError
from morningdeck.model.themes import NamedTheme
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.stories import SqlStoryRows
from morningdeck.store.rows.themes import SqlThemeRows
from morningdeck.store.tables.briefs import topic_clusters, topic_members
from morningdeck.store.tables.news import items
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.store.views.themes import TopicTable
from morningdeck.stories.likeness import likeness
from morningdeck.stories.themes import ThemeFinder
from morningdeck.stories.window import RecentStories
from morningdeck.theming import Theming
from morningdeck.views.reading import TopicView
from tests.conftest import NOW, ManualClock
from tests.factories import Stock, rows_of

DAY = timedelta(days=1)
EMBEDDER = WordEmbedder()
COFFEE = tuple(
    f"{place} {does} coffee {what}"
    for place, does, what in (
        ("Brazil", "expects a larger", "harvest"),
        ("Colombia", "exports fewer", "beans"),
        ("Vietnam", "sells more robusta", "abroad"),
        ("Kenya", "opens a", "exchange for growers"),
        ("Uganda", "taxes", "exporters"),
    )
)
CHESS = (
    "Carlsen wins a chess tournament in Oslo",
    "Chess federation bans two grandmasters from its tournament",
    "Berlin hosts the chess tournament of candidates",
    "Grandmasters play chess for children",
)
OTHERS = (
    "Museum returns bronzes to Benin",
    "Glacier retreats by sixty metres",
    "Orchestra strikes over unpaid tours",
    "Railway tunnel under the fjord dug",
)


class Newsroom:
    """A reader whose items are placed in stories as processing does it."""

    def __init__(self, database: Database, clock: ManualClock) -> None:
        self.stock, self.clock = Stock(database), clock
        self.rows, self.table = SqlThemeRows(database), TopicTable(database)
        self._stories = SqlStoryRows(database, partial(RecentStories, dimensions=DIMENSIONS))
        self.ada = self.stock.user("ada@example.org")
        self.source = self.stock.source(self.ada)
        self.busy = False

    def read(self, *titles: str, source: int | None = None, **values: Any) -> list[int]:
        at = values.pop("first_seen_at", self.clock() - timedelta(hours=1))
        made = []
        for title in titles:
            topics = [word for word in ("coffee", "chess") if word in title.lower()]
            row = {"title": title, "first_seen_at": at, "tags": {"topics": topics}, **values}
            item = self.stock.item(source or self.source, **row)
            (vector,) = EMBEDDER.embed((title,))
            self._stories.assign(item, likeness(title, "", None, vector), at)
            made.append(item)
        return made

    def theming(self, *, saved: int = 3) -> Theming:
        finder = partial(ThemeFinder, dimensions=DIMENSIONS)
        busy = lambda: self.busy  # noqa: E731
        return Theming(self.rows, finder, ThemeLabels, saved=saved, busy=busy, clock=self.clock)

    def found(self, reader: int | None = None) -> dict[str, TopicView]:
        self.theming().find(reader or self.ada)
        return self.shown(reader)

    def shown(self, reader: int | None = None) -> dict[str, TopicView]:
        return {view.label.split()[0]: view for view in self.table.list(reader or self.ada)}


@pytest.fixture
def newsroom(database: Database, clock: ManualClock) -> Newsroom:
    return Newsroom(database, clock)


# ---- what is found


def test_what_several_stories_turn_around_is_a_topic_with_a_name(newsroom: Newsroom) -> None:
    coffee = newsroom.read(*COFFEE)
    newsroom.read(*CHESS, *OTHERS)

    found = newsroom.found()

    assert set(found) == {"Coffee", "Chess"}
    assert (found["Coffee"].items, found["Coffee"].this_week) == (5, 5)
    assert {story.id for story in found["Coffee"].newest} == set(coffee[-3:])
    shown = newsroom.table.show(newsroom.ada, found["Coffee"].id)
    assert {story.id for story in shown.newest} == set(coffee)


def test_stories_are_counted_against_the_week_before(newsroom: Newsroom) -> None:
    newsroom.read(*COFFEE[:2], first_seen_at=NOW - 11 * DAY)
    newsroom.read(*COFFEE[2:])
    newsroom.read("Brazil and coffee long ago", first_seen_at=NOW - 20 * DAY)

    coffee = newsroom.found()["Coffee"]

    assert (coffee.this_week, coffee.week_before, coffee.moved) == (3, 2, 1)
    assert coffee.items == 5


def test_who_has_not_read_so_long_has_no_week_before(newsroom: Newsroom) -> None:
    newsroom.read(*COFFEE[:1], first_seen_at=NOW - 8 * DAY)
    newsroom.read(*COFFEE[1:])

    coffee = newsroom.found()["Coffee"]

    assert (coffee.this_week, coffee.week_before, coffee.moved) == (4, None, None)


def test_what_was_published_earlier_counts_for_its_own_week(newsroom: Newsroom) -> None:
    newsroom.read(*COFFEE[:3], published_at=NOW - 10 * DAY - timedelta(hours=1))
    newsroom.read(*COFFEE[3:])

    coffee = newsroom.found()["Coffee"]

    assert (coffee.this_week, coffee.week_before, coffee.moved) == (2, 3, -1)


def test_a_story_that_many_tell_is_one(newsroom: Newsroom) -> None:
    for number in range(3):
        other = newsroom.stock.source(newsroom.ada, f"https://{number}.example/")
        newsroom.read(COFFEE[0], source=other)
    newsroom.read(*COFFEE[1:3])

    coffee = newsroom.found()["Coffee"]

    assert (coffee.items, coffee.this_week, len(coffee.newest)) == (5, 3, 3)


def test_nobody_sees_what_others_read(newsroom: Newsroom) -> None:
    bob = newsroom.stock.user("bob@example.org")
    newsroom.read(*COFFEE)
    newsroom.read(*CHESS, source=newsroom.stock.source(bob, "https://his.example/"))

    hers, his = newsroom.found(), newsroom.found(bob)

    assert (set(hers), set(his)) == ({"Coffee"}, {"Chess"})
    with pytest.raises(NotFoundError, match="there is no topic"):
        newsroom.table.show(bob, hers["Coffee"].id)


def test_what_is_no_longer_read_is_not_named(newsroom: Newsroom) -> None:
    newsroom.read(*COFFEE)
    assert newsroom.found()["Coffee"].newest
    Subscriptions(newsroom.stock.database).remove(newsroom.ada, newsroom.source)

    assert newsroom.shown()["Coffee"].newest == ()


def test_nothing_read_is_nothing_found(newsroom: Newsroom) -> None:
    assert newsroom.found() == {}


# ---- from night to night


def test_a_topic_continues_that_of_the_night_before(newsroom: Newsroom) -> None:
    newsroom.read(*COFFEE[:3], *CHESS)
    before = newsroom.found()
    newsroom.clock.pass_(days=1)
    newsroom.read(*COFFEE[3:])

    after = newsroom.found()

    coffee = after["Coffee"]
    assert coffee.continues_id == before["Coffee"].id
    assert (coffee.since, coffee.period) == ("2026-11-18", "2026-11-19")
    assert (before["Coffee"].this_week, coffee.this_week) == (3, 5)
    assert len(after) == 2


def test_another_run_on_the_same_day_takes_the_place_of_the_first(
    newsroom: Newsroom, database: Database
) -> None:
    newsroom.read(*COFFEE)
    newsroom.found()
    newsroom.clock.pass_(days=1)
    first = newsroom.found()["Coffee"]

    again = newsroom.found()["Coffee"]

    assert again.id != first.id
    assert again.continues_id == first.continues_id is not None
    assert (again.since, again.period) == (first.since, first.period)
    assert [row.period for row in rows_of(database, topic_clusters)] == ["2026-11-18", "2026-11-19"]
    assert {row.cluster_id for row in rows_of(database, topic_members)} == {again.id}


def test_history_is_kept_for_sixty_days(newsroom: Newsroom, database: Database) -> None:
    newsroom.read(*COFFEE)
    newsroom.found()
    newsroom.clock.pass_(days=30)
    newsroom.read(*COFFEE)
    newsroom.found()
    newsroom.clock.pass_(days=31)
    newsroom.found()

    assert [row.period for row in rows_of(database, topic_clusters)] == ["2026-12-18"]
    assert newsroom.shown() == {}


def test_a_run_that_was_cut_short_shows_nothing_and_leaves_nothing(
    newsroom: Newsroom, database: Database
) -> None:
    newsroom.read(*COFFEE)
    before = newsroom.found()
    with database.write() as connection:  # as if the process had died before the last statement
        row = {"user_id": newsroom.ada, "label": "Half", "run": 2, "period": "2026-11-18"}
        connection.execute(topic_clusters.insert().values(row))

    assert newsroom.shown() == before
    newsroom.found()
    assert {row.label for row in rows_of(database, topic_clusters)} == {"Coffee"}


def test_items_that_have_gone_meanwhile_are_left_out(
    newsroom: Newsroom, database: Database
) -> None:
    there, gone = newsroom.read(*COFFEE[:2])
    with database.write() as connection:
        connection.execute(items.delete().where(items.c.id == gone))

    theme = NamedTheme("Coffee", (there, gone), 2, 2, None)
    newsroom.rows.save(newsroom.ada, [theme], date(2026, 11, 18), NOW)

    (known,) = newsroom.rows.before(newsroom.ada)
    assert known.items == {there}
