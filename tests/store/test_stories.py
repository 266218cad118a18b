"""Stories: found once, led by one item, and never without a leader who can lead."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from sqlalchemy import delete, func, select, update

from morningdeck.errors import PermanentError
from morningdeck.model.making import Likeness, StoryRole
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.rows.stories import READ_AT_ONCE, SqlStoryRows
from morningdeck.store.tables.news import item_likenesses, items, stories
from tests.conftest import NOW
from tests.factories import make_items, make_source, row_of, rows_of
from tests.fakes import TitleWindow


def a_table(database: Database) -> SqlStoryRows:
    """As each process has its own."""
    window = TitleWindow()
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


def test_all_that_others_have_placed_is_known_however_much_it_is(
    database: Database, table: SqlStoryRows, three: tuple[int, ...]
) -> None:
    last = table.assign(three[0], telling("harbour"), NOW)
    (row,) = rows_of(database, item_likenesses)
    more = make_items(database, make_source(database), READ_AT_ONCE)
    place = {name: value for name, value in row._mapping.items() if name != "id"}
    told = [{**place, "item_id": item, "title": f"no. {item}"} for item in more]
    with database.write() as connection:
        connection.execute(delete(item_likenesses))
        connection.execute(item_likenesses.insert(), [*told, place])

    assert a_table(database).assign(three[1], telling("harbour"), NOW) == last


def test_an_item_without_a_story_stands_nowhere(table: SqlStoryRows, item: int) -> None:
    assert table.role(item) is None


def test_a_story_is_settled_once_its_leader_is_enriched(
    database: Database, table: SqlStoryRows, told: StoryRole, three: tuple[int, ...]
) -> None:
    set_item(database, three[0], status="DONE", enriched_by="offline")

    assert table.role(three[1]) == StoryRole(told.story_id, three[0], enriched=True)


@pytest.mark.parametrize(
    ("leader", "rescores"),
    [
        ({"status": "DONE", "rescore": True}, True),
        ({"status": "PENDING"}, True),
        ({"status": "PROCESSING"}, True),
        ({"status": "DONE"}, False),
        ({"status": "DONE", "rescore": True, "due_at": NOW}, False),
    ],
)
def test_a_role_says_whether_the_leader_is_about_to_be_scored_anew(
    database: Database,
    table: SqlStoryRows,
    told: StoryRole,
    three: tuple[int, ...],
    leader: dict[str, object],
    rescores: bool,
) -> None:
    set_item(database, three[0], enriched_by="gpt", **leader)

    assert table.role(three[1]) == StoryRole(told.story_id, three[0], True, rescores)


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


# ---- two that become one


@pytest.fixture
def one(table: SqlStoryRows, three: tuple[int, ...]) -> StoryRole:
    """Of two stories; the third item tells both."""
    older = table.assign(three[0], telling("harbour"), NOW)
    younger = table.assign(three[1], telling("ferry"), NOW)
    assert older.story_id != younger.story_id
    return table.assign(three[2], telling("harbour ferry"), NOW)


def test_two_stories_become_one_when_an_item_tells_both(
    database: Database, one: StoryRole, three: tuple[int, ...]
) -> None:
    assert {row_of(database, items, item).story_id for item in three} == {one.story_id}
    assert [row.id for row in rows_of(database, stories)] == [one.story_id]
    assert one.leader == three[0]


def test_who_led_the_younger_follows_now(
    table: SqlStoryRows, one: StoryRole, three: tuple[int, ...]
) -> None:
    assert table.role(three[1]) == one


def test_other_processes_hear_of_it(
    database: Database, table: SqlStoryRows, source: int, three: tuple[int, ...]
) -> None:
    other, after = a_table(database), make_items(database, source, 1)[0]
    table.assign(three[0], telling("harbour"), NOW)
    other.assign(three[1], telling("ferry"), NOW)
    one = table.assign(three[2], telling("harbour ferry"), NOW)

    assert other.assign(after, telling("ferry"), NOW).story_id == one.story_id


def test_a_process_that_starts_later_finds_one_story(
    database: Database, source: int, one: StoryRole
) -> None:
    after = make_items(database, source, 1)[0]

    assert a_table(database).assign(after, telling("ferry"), NOW).story_id == one.story_id


def test_nothing_is_left_of_a_place_that_was_not_stored(
    database: Database, table: SqlStoryRows, three: tuple[int, ...]
) -> None:
    table.assign(three[0], telling("harbour"), NOW)
    with database.write() as connection:
        connection.execute(delete(items).where(items.c.id == three[1]))
    with pytest.raises(PermanentError, match="gone"):
        table.assign(three[1], telling("ferry"), NOW)

    assert table.assign(three[2], telling("ferry"), NOW).leader == three[2]


# ---- what is private


@pytest.fixture
def private(database: Database) -> tuple[int, ...]:
    """Items of a mailbox."""
    return make_items(database, make_source(database, type="EMAIL"), 2)


def test_a_private_item_leads_nobody(
    database: Database, table: SqlStoryRows, private: tuple[int, ...]
) -> None:
    roles = [table.assign(item, telling("harbour"), NOW, may_lead=False) for item in private]

    assert [role.leader for role in roles] == [None, None]
    assert [row.label for row in rows_of(database, stories)] == [""]


def test_the_first_that_others_may_read_leads_and_names_the_story(
    database: Database, table: SqlStoryRows, private: tuple[int, ...], three: tuple[int, ...]
) -> None:
    mail = table.assign(private[0], telling("harbour"), NOW, may_lead=False)

    public = table.assign(three[0], telling("harbour"), NOW)

    assert public == StoryRole(mail.story_id, three[0], enriched=False)
    assert row_of(database, stories, mail.story_id).label == "Item 0"
    assert table.role(private[0]) == public


def test_a_private_item_does_not_replace_a_leader_that_cannot_lead(
    database: Database, table: SqlStoryRows, told: StoryRole, private: tuple[int, ...]
) -> None:
    table.assign(private[0], telling("harbour"), NOW, may_lead=False)
    set_item(database, told.leader or 0, status="ERROR")

    role = table.role(private[0])

    assert role is not None
    assert role.leader == told.leader


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
