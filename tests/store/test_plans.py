"""Queries for which SQLite once walked through all there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.rows.profiles import SqlProfileRows
from morningdeck.store.rows.themes import SqlThemeRows
from morningdeck.store.tables.briefs import topic_clusters, topic_members, topic_runs
from morningdeck.store.tables.news import item_likenesses, items, stories
from morningdeck.store.views.items import Items
from morningdeck.store.views.similar import SimilarItems
from morningdeck.store.views.streams import Streams
from morningdeck.store.views.themes import TopicTable
from morningdeck.store.views.told_stories import ToldStories
from tests.conftest import NOW
from tests.factories import make, make_item, make_items, make_source, make_subscription, make_user
from tests.store.plans import plan_of

MANY = range(1, 1001)
LOOKED_AT_EACH: dict[str, tuple[Callable[[Database], object], str]] = {
    "items by their ids": (lambda of: Items(of).some(1, MANY), "items.id IN"),
    "items to mark": (lambda of: Items(of).mark_these_read(1, MANY, at=NOW), "items.id IN"),
    "bodies": (lambda of: Streams(of).bodies(1, MANY), "items.id IN"),
    "what is like another": (
        lambda of: SimilarItems(of).shown(1, [(one, 0.5) for one in MANY]),
        "items.id IN",
    ),
    "what may be like it": (lambda of: list(SimilarItems(of).slices(1)), "BETWEEN"),
    "what topics are made of": (lambda of: list(SqlThemeRows(of).slices(1, NOW, NOW)), "BETWEEN"),
    "texts of a topic": (lambda of: SqlThemeRows(of).texts(1, MANY), "items.id IN"),
}


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    with closing(open_database(sqlite_url)) as found:
        yield found


@pytest.mark.parametrize("stories", [1, 500])
def test_who_tells_stories_is_found_by_the_stories(database: Database, stories: int) -> None:
    rows = SqlBriefingRows(database)

    plan = plan_of(database, lambda: rows.tellers(1, range(1, stories + 1)), "told")

    assert plan[1] == "SEARCH items USING INDEX ix_items_story (story_id=?)"
    assert not [step for step in plan[2:] if step.split()[1] == "items"]


def test_what_readers_have_rated_is_found_by_an_index_of_its_own(database: Database) -> None:
    plan = plan_of(database, SqlProfileRows(database).rated, "feedback")

    assert plan[0] == "SCAN item_scores USING INDEX ix_item_scores_rated"


def test_what_a_briefing_waits_for_is_found_by_what_waits(database: Database) -> None:
    rows = SqlProfileRows(database)

    plan = plan_of(database, lambda: rows.waits(1), "section_of")

    assert plan[0] == "SCAN item_profiles USING INDEX ix_item_profiles_marked"
    (look_up,) = [step for step in plan if step.startswith("SEARCH item_scores")]
    assert "item_id=?" in look_up


@pytest.mark.parametrize("what", LOOKED_AT_EACH)
def test_what_is_found_by_other_means_is_not_looked_for_in_all_the_reader_sees(
    database: Database, what: str
) -> None:
    """Of a million items `more like this` took 2.1 s so, and the topics of each reader 9.9 s."""
    item, story = make_item(database, make_source(database)), make(database, stories)
    of = {"item_id": item, "story_id": story, "first_seen_at": NOW, "vector": b""}
    make(database, item_likenesses, **of)
    ask, holds = LOOKED_AT_EACH[what]

    plan = plan_of(database, lambda: ask(database), holds)

    assert any(step.startswith("SEARCH item") for step in plan)
    assert "MULTI-INDEX OR" not in plan


def test_what_topics_and_stories_tell_is_found_by_their_ids(database: Database) -> None:
    """Of a million items `/stories` took 90 ms so."""
    user, source = make_user(database), make_source(database)
    make_subscription(database, user, source)
    ids = make_items(database, source, len(MANY))
    told = {"run": 1, "user_id": user}
    topic = make(database, topic_clusters, label="Harbour", **told)
    with database.write() as connection:
        connection.execute(topic_runs.insert().values(**told))
        members = [{"cluster_id": topic, "item_id": one} for one in ids]
        connection.execute(topic_members.insert(), members)
        connection.execute(stories.insert(), [{"id": one, "label": str(one)} for one in ids])
        connection.execute(items.update().values(story_id=items.c.id))

    of_topic = plan_of(database, lambda: TopicTable(database).list(user), "items.id IN")
    of_stories = plan_of(
        database, lambda: ToldStories(database).list(user, len(MANY)), "items.story_id IN"
    )

    assert "SEARCH items USING INTEGER PRIMARY KEY (rowid=?)" in of_topic
    assert "SEARCH items USING INDEX ix_items_story (story_id=?)" in of_stories
    assert "MULTI-INDEX OR" not in [*of_topic, *of_stories]
