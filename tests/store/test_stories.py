"""Stories: found once, led by one item, and never without a leader who can lead."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from sqlalchemy import delete, func, select, update

from morningdeck.model.making import Likeness, StoryRole
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.rows.stories import SqlStoryRows
from morningdeck.store.tables.news import items, stories
from morningdeck.stories.similar import StorySimilarity
from morningdeck.stories.window import RecentStories
from tests.conftest import NOW
from tests.factories import make_items, row_of


def a_table(database: Database) -> SqlStoryRows:
    """As each process has its own."""
    window = RecentStories(StorySimilarity(), dimensions=2, near=0.9, near_bits=3)
    return SqlStoryRows(database, lambda: window)


def telling(text: str) -> Likeness:
    return Likeness(None, title=text, text_hash=text, simhash=0)


@pytest.fixture
def table(database: Database) -> SqlStoryRows:
    return a_table(database)


@pytest.fixture
def three(database: Database, source: int) -> tuple[int, ...]:
    return make_items(database, source, 3)


@pytest.fixture
def told(table: SqlStoryRows, three: tuple[int, ...]) -> StoryRole:
    """One story that three items tell; the first leads."""
    roles = [table.assign(item, telling("harbour"), NOW) for item in three]
    return roles[0]


def set_item(database: Database, item: int, **values: object) -> None:
    with database.write() as connection:
        connection.execute(update(items).where(items.c.id == item).values(**values))


def test_the_first_item_founds_a_story_and_leads_it(
    database: Database, table: SqlStoryRows, three: tuple[int, ...]
) -> None:
    role = table.assign(three[0], telling("harbour"), NOW)

    assert (role.leader, role.enriched) == (three[0], False)
    assert row_of(database, items, three[0]).story_id == role.story_id
    assert row_of(database, stories, role.story_id).label == "harbour"


def test_the_next_joins_it_and_another_story_is_another(
    table: SqlStoryRows, three: tuple[int, ...]
) -> None:
    one, two, three_ = (
        table.assign(item, telling(text), NOW)
        for item, text in zip(three, ("harbour", "harbour", "budget"), strict=True)
    )
    assert two == one
    assert three_.story_id != one.story_id
    assert three_.leader == three[2]


def test_an_item_without_a_story_stands_nowhere(table: SqlStoryRows, item: int) -> None:
    assert table.role(item) is None


def test_a_story_is_settled_once_its_leader_is_enriched(
    database: Database, table: SqlStoryRows, told: StoryRole, three: tuple[int, ...]
) -> None:
    set_item(database, three[0], status="DONE", enriched_by="offline")

    assert table.role(three[1]) == StoryRole(told.story_id, three[0], enriched=True)


@pytest.mark.parametrize(
    "fate", [{"status": "ERROR"}, {"status": "CANCELLED"}, {"due_at": PARKED}], ids=str
)
def test_the_next_leads_when_the_leader_cannot(
    database: Database,
    table: SqlStoryRows,
    told: StoryRole,
    three: tuple[int, ...],
    fate: dict[str, object],
) -> None:
    set_item(database, three[0], **fate)

    assert table.role(three[1]) == StoryRole(told.story_id, three[1], enriched=False)
    assert table.role(three[2]) == StoryRole(told.story_id, three[1], enriched=False)


@pytest.mark.usefixtures("told")
def test_the_next_leads_when_the_leader_is_gone(
    database: Database, table: SqlStoryRows, three: tuple[int, ...]
) -> None:
    with database.write() as connection:
        connection.execute(delete(items).where(items.c.id == three[0]))

    role = table.role(three[2])
    assert role is not None
    assert role.leader == three[2]


@pytest.mark.usefixtures("told")
def test_a_leader_that_only_waits_for_a_retry_goes_on_leading(
    database: Database, table: SqlStoryRows, three: tuple[int, ...]
) -> None:
    set_item(database, three[0], due_at=NOW + timedelta(minutes=5), failures=1)

    role = table.role(three[1])
    assert role is not None
    assert role.leader == three[0]


@pytest.mark.usefixtures("told")
def test_a_leader_that_was_parked_after_its_enrichment_goes_on_leading(
    database: Database, table: SqlStoryRows, three: tuple[int, ...]
) -> None:
    set_item(database, three[0], status="NEW", due_at=PARKED, enriched_by="offline")

    role = table.role(three[1])
    assert role is not None
    assert (role.leader, role.enriched) == (three[0], True)


def test_one_process_finds_the_stories_of_another(
    database: Database, table: SqlStoryRows, three: tuple[int, ...]
) -> None:
    other = a_table(database)
    mine = table.assign(three[0], telling("harbour"), NOW)
    his = other.assign(three[1], telling("harbour"), NOW)

    assert his == mine == table.assign(three[2], telling("harbour"), NOW)


def test_what_is_older_than_three_days_is_no_part_of_new_stories(
    database: Database, table: SqlStoryRows, three: tuple[int, ...]
) -> None:
    old = table.assign(three[0], telling("harbour"), NOW)
    fresh = a_table(database).assign(three[1], telling("harbour"), NOW + timedelta(hours=73))

    assert fresh.story_id != old.story_id


def test_being_assigned_twice_changes_nothing(
    database: Database, table: SqlStoryRows, told: StoryRole, three: tuple[int, ...]
) -> None:
    assert table.assign(three[0], telling("harbour"), NOW) == told
    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(stories)) == 1


def at_once(*calls: Callable[[], StoryRole]) -> list[StoryRole]:
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], StoryRole]) -> StoryRole:
        barrier.wait(10)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_two_halves_of_a_story_never_meet(database: Database, source: int) -> None:
    """Eight workers of two processes with one story: whoever comes first founds it."""
    tables = [a_table(database), a_table(database)]

    def assigning(number: int, item: int, now: datetime = NOW) -> Callable[[], StoryRole]:
        return lambda: tables[number % 2].assign(item, telling("harbour"), now)

    found = at_once(*(assigning(n, item) for n, item in enumerate(make_items(database, source, 8))))

    assert len({role.story_id for role in found}) == 1
    assert len({role.leader for role in found}) == 1
