"""Queries for which SQLite once walked through all there is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.rows.profiles import SqlProfileRows
from tests.store.plans import plan_of


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
