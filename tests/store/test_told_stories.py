"""Stories as a reader sees them: of what the reader's sources tell, nothing of anybody else's."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.errors import NotFoundError
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import stories
from morningdeck.store.views.told_stories import ToldStories
from tests.conftest import NOW
from tests.factories import Stock, make

HOUR = timedelta(hours=1)


@pytest.fixture
def told(database: Database) -> ToldStories:
    return ToldStories(database)


class Town:
    """Two papers of Ada's and one of Bob's."""

    def __init__(self, stock: Stock, ada: int, bob: int) -> None:
        self.stock = stock
        self.news = stock.source(ada, "https://news.example/feed", name="News")
        self.post = stock.source(ada, "https://post.example/feed", name="Post")
        self.bobs = stock.source(bob, "https://bob.example/feed", name="Bob's")

    def story(self, *tellers: int, hours: int = 1, title: str = "Fire") -> tuple[int, list[int]]:
        """Told by these sources, an hour apart, the last of them so many hours ago."""
        story = make(self.stock.database, stories, label="secret of whoever leads")
        told = [
            self.stock.item(
                source,
                story_id=story,
                title=f"{title} {number}",
                summary=f"summary {number}",
                first_seen_at=NOW - (hours + len(tellers) - number) * HOUR,
            )
            for number, source in enumerate(tellers, 1)
        ]
        self.stock.set(stories, story, representative_id=told[0])
        return story, told


@pytest.fixture
def town(stock: Stock, ada: int, bob: int) -> Town:
    return Town(stock, ada, bob)


def test_a_story_has_a_place_of_its_own_by_the_newest_that_tells_it(
    told: ToldStories, town: Town, ada: int
) -> None:
    long, items = town.story(town.news, town.post, town.news, hours=1)
    short, _ = town.story(town.post, hours=2)

    first, second = told.list(ada)

    assert (first.id, second.id) == (long, short)
    assert [one.id for one in first.told_by] == items[::-1]
    assert (first.items, first.sources, first.newest_at) == (3, 2, NOW - HOUR)
    assert (first.title, first.summary) == ("Fire 1", "summary 1")
    assert [one.source for one in first.told_by] == ["News", "Post", "News"]


def test_nothing_is_shown_of_what_others_read(
    told: ToldStories, town: Town, ada: int, bob: int
) -> None:
    story, (of_bob, of_ada) = town.story(town.bobs, town.news)
    only_bobs, _ = town.story(town.bobs)

    (seen,) = told.list(ada)

    assert (seen.id, seen.title, seen.summary, seen.items) == (story, "Fire 2", "summary 2", 1)
    assert [one.id for one in seen.told_by] == [of_ada]
    assert {view.id for view in told.list(bob)} == {story, only_bobs}
    assert [one.id for one in told.show(bob, story).told_by] == [of_bob]
    with pytest.raises(NotFoundError, match=f"no story {only_bobs}"):
        told.show(ada, only_bobs)


def test_a_newer_teller_of_somebody_elses_moves_no_story(
    told: ToldStories, town: Town, ada: int
) -> None:
    town.story(town.news, town.bobs, hours=1)

    (seen,) = told.list(ada)

    assert seen.newest_at == NOW - 2 * HOUR


def test_those_that_several_sources_tell(told: ToldStories, town: Town, ada: int) -> None:
    both, _ = town.story(town.news, town.post, hours=5)
    town.story(town.news, town.news)
    town.story(town.news, town.bobs)

    assert [view.id for view in told.list(ada, shared=True)] == [both]


def test_stories_of_a_time(told: ToldStories, town: Town, ada: int) -> None:
    new, _ = town.story(town.news, hours=1)
    town.story(town.news, hours=9)

    assert [view.id for view in told.list(ada, since=NOW - 5 * HOUR)] == [new]


def test_pages_go_on_where_the_one_before_ended(told: ToldStories, town: Town, ada: int) -> None:
    made = [town.story(town.news, town.post, hours=2 + number // 2)[0] for number in range(6)]
    whole = [view.id for view in told.list(ada)]

    seen, before = [], None
    while views := told.list(ada, 2, before=before):
        seen += [view.id for view in views]
        before = views[-1].newest_at, views[-1].told_by[0].id
        town.story(town.news, hours=0)

    assert sorted(whole) == made
    assert seen == whole


def test_what_belongs_to_no_story_yet_is_in_none(told: ToldStories, town: Town, ada: int) -> None:
    town.stock.item(town.news)

    assert told.list(ada) == ()


def test_a_list_names_a_few_who_tell_a_story_and_the_story_all(
    told: ToldStories, town: Town, ada: int
) -> None:
    story, items = town.story(*[town.news] * 7)

    (listed,) = told.list(ada)

    assert (listed.items, len(listed.told_by)) == (7, 5)
    assert len(told.show(ada, story).told_by) == len(items)
