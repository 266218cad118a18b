"""Items as a reader sees them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from morningdeck.errors import ConflictError, NotFoundError
from morningdeck.model.finding import ItemFilter
from morningdeck.model.query import InLanguage
from morningdeck.store.database.bulk import change
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.tables.news import item_likenesses, stories
from morningdeck.store.tables.news import items as rows
from morningdeck.store.views.items import LOOKED_AT_FIRST, Items
from tests.conftest import NOW
from tests.factories import Stock, make_item, make_items, make_subscription, make_user
from tests.store.plans import plan_of


@pytest.fixture
def items(database: Database) -> Items:
    return Items(database)


@pytest.fixture
def source(stock: Stock, ada: int) -> int:
    return stock.source(ada, title="Harbour news")


def test_an_item_is_shown_with_all_that_is_known_of_it(
    items: Items, stock: Stock, ada: int, source: int
) -> None:
    tags = {"topics": ["ports"], "people": ["Ada"], "sentiment": "positive"}
    item = stock.item(source, url="https://x.example/1", summary="It opens.", tags=tags)
    briefing = stock.briefing(ada)
    stock.score(item, briefing, 71)

    view = items.show(ada, item)

    assert (view.id, view.source_id, view.source) == (item, source, "Harbour news")
    assert (view.title, view.summary, view.status) == ("Harbour opens", "It opens.", "DONE")
    assert (view.tags.topics, view.tags.people, view.tags.sentiment) == (
        ("ports",),
        ("Ada",),
        "positive",
    )
    (score,) = view.scores
    assert (score.briefing_id, score.score, score.reason, score.by) == (
        briefing,
        71,
        "ships",
        "offline",
    )
    assert (view.read, view.saved, view.also_in) == (False, False, 0)


def test_scores_of_other_peoples_briefings_stay_theirs(
    items: Items, stock: Stock, ada: int, bob: int, source: int
) -> None:
    stock.source(bob)
    item = stock.item(source)
    stock.score(item, stock.briefing(bob), 99)

    assert items.show(ada, item).scores == ()
    assert len(items.show(bob, item).scores) == 1


def test_a_story_is_counted_in_the_readers_own_sources(
    items: Items, stock: Stock, database: Database, ada: int, bob: int, source: int
) -> None:
    with database.write() as connection:
        story = connection.scalars(insert(stories).values(label="x").returning(stories.c.id)).one()
    hers = stock.source(ada, "https://b.example/")
    his = stock.source(bob, "https://c.example/")
    first, second, third = (stock.item(one, story_id=story) for one in (source, hers, his))

    assert items.show(ada, first).also_in == 1
    assert items.show(ada, second).also_in == 1
    assert items.show(bob, third).also_in == 0


def test_other_stories_on_the_subject_are_named_if_the_reader_may_see_them(
    items: Items, stock: Stock, database: Database, ada: int, bob: int, source: int
) -> None:
    his = stock.source(bob, "https://c.example/")
    told = [stock.item(one) for one in (source, source, source, source, his)]
    with database.write() as connection:
        made = insert(stories).returning(stories.c.id)
        one, other, elsewhere = (connection.scalars(made.values(label="x")).one() for _ in range(3))
        placed = zip(told, (one, other, other, elsewhere, other), (7, 7, 7, 8, 7), strict=True)
        for item, story, subject in placed:
            change(connection, rows, rows.c.id == item, story_id=story)
            row = {"item_id": item, "story_id": story, "subject_id": subject, "first_seen_at": NOW}
            connection.execute(insert(item_likenesses).values(row))

    assert [related.id for related in items.show(ada, told[0]).see_also] == [told[2]]
    assert [related.id for related in items.show(ada, told[1]).see_also] == [told[0]]
    assert items.show(bob, told[4]).see_also == ()


@pytest.fixture
def shelf(items: Items, stock: Stock, ada: int, source: int) -> dict[str, int]:
    """One item for each thing that can be asked for."""
    other = stock.source(ada, "https://other.example/")
    found = {
        "old": stock.item(source, first_seen_at=NOW - timedelta(days=5)),
        "waits": stock.item(source, status="NEW"),
        "read": stock.item(source),
        "saved": stock.item(source),
        "good": stock.item(source),
        "weak": stock.item(source),
        "elsewhere": stock.item(other),
    }
    briefing = found["briefing"] = stock.briefing(ada)
    found["other source"] = other
    stock.score(found["good"], briefing, 80)
    stock.score(found["weak"], briefing, 20)
    items.mark_read(ada, found["read"], NOW)
    items.mark_saved(ada, found["saved"], NOW)
    return found


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"since": NOW - timedelta(days=1), "unread": True, "status": "NEW"}, ["waits"]),
        ({"status": "NEW"}, ["waits"]),
        ({"saved": True}, ["saved"]),
        ({"min_score": 50}, ["good"]),
        ({"briefing_id": "briefing"}, ["weak", "good"]),
        ({"briefing_id": "briefing", "min_score": 50}, ["good"]),
        ({"source_id": "other source"}, ["elsewhere"]),
        ({"unread": True}, ["elsewhere", "weak", "good", "saved", "waits", "old"]),
        (
            {"since": NOW - timedelta(days=1)},
            ["elsewhere", "weak", "good", "saved", "read", "waits"],
        ),
    ],
)
def test_filters_compose(
    items: Items, ada: int, shelf: dict[str, int], asked: dict[str, Any], names: list[str]
) -> None:
    wanted = {
        key: shelf.get(value, value) if key.endswith("_id") else value
        for key, value in asked.items()
    }

    found = items.list(ada, ItemFilter(**wanted))

    assert [view.id for view in found] == [shelf[name] for name in names]


def test_the_newest_come_first_and_no_more_than_asked_for(
    items: Items, stock: Stock, ada: int, source: int
) -> None:
    ids = [stock.item(source, first_seen_at=NOW - timedelta(hours=n)) for n in range(3)]

    assert [view.id for view in items.list(ada, limit=2)] == ids[:2]


def test_the_newest_are_those_published_last_but_never_in_the_future(
    items: Items, stock: Stock, ada: int, source: int
) -> None:
    ages = {"week": -168, "future": +24, "hours": -3, "undated": None, "day": -24}
    made = {}
    for name, hours in ages.items():
        published = None if hours is None else NOW + timedelta(hours=hours)
        made[name] = stock.item(source, published_at=published)

    names = ["undated", "future", "hours", "day", "week"]
    assert [view.id for view in items.list(ada)] == [made[name] for name in names]
    recent = ItemFilter(since=NOW - timedelta(hours=4))
    assert [view.id for view in items.list(ada, recent)] == [made[name] for name in names[:3]]


@pytest.mark.parametrize("others", [0, 200])
def test_the_newest_are_read_off_an_index_however_many_there_are(
    sqlite_url: str, others: int
) -> None:
    """However many others read them, too. PostgreSQL decides by what is there: at a million items
    it takes the index, too.
    """
    database = open_database(sqlite_url)
    stock = Stock(database)
    reader = stock.user()
    source = stock.source(reader)
    stock.item(source)
    for _ in range(others):
        make_subscription(database, make_user(database), source)
    plan = plan_of(database, lambda: Items(database).list(reader), "LIMIT")
    database.close()

    assert plan[0] == "SCAN items USING INDEX ix_items_date"


def test_a_list_can_be_longer_than_one_statement_holds(
    items: Items, stock: Stock, database: Database, ada: int, source: int
) -> None:
    many = [
        {"source_id": source, "guid": str(number), "first_seen_at": NOW} for number in range(1200)
    ]
    with database.write() as connection:
        connection.execute(insert(rows), many)

    assert len({view.id for view in items.list(ada, limit=5000)}) == 1200


def test_marks_are_set_and_taken_back_one_by_one(
    items: Items, stock: Stock, ada: int, source: int
) -> None:
    item = stock.item(source)

    assert items.mark_read(ada, item, NOW).read
    assert items.mark_saved(ada, item, NOW).saved
    view = items.show(ada, item)
    assert (view.read, view.saved) == (True, True)

    assert not items.mark_read(ada, item, None).read
    view = items.show(ada, item)
    assert (view.read, view.saved) == (False, True)


def test_marks_belong_to_one_reader(
    items: Items, stock: Stock, ada: int, bob: int, source: int
) -> None:
    stock.source(bob)
    item = stock.item(source)

    items.mark_read(ada, item, NOW)

    assert not items.show(bob, item).read


def test_a_thumb_counts_for_ones_own_briefings(
    items: Items, stock: Stock, ada: int, bob: int, source: int
) -> None:
    stock.source(bob)
    item = stock.item(source)
    stock.score(item, stock.briefing(ada), 50)
    stock.score(item, stock.briefing(bob), 50)

    assert [score.feedback for score in items.rate(ada, item, -1).scores] == [-1]
    assert [score.feedback for score in items.show(bob, item).scores] == [0]


def test_what_nobody_scored_cannot_be_rated(
    items: Items, stock: Stock, ada: int, source: int
) -> None:
    item = stock.item(source)

    with pytest.raises(ConflictError, match="scored"):
        items.rate(ada, item, 1)


def test_a_dead_letter_waits_again_at_the_end_of_its_sources_line(
    items: Items, stock: Stock, ada: int, source: int
) -> None:
    stock.item(source, status="NEW", turn=4)
    dead = stock.item(source, status="ERROR", failures=4, losses=1, attempts=9, enriched_by=None)

    view = items.retry(ada, dead)

    assert (view.status, view.failures, view.attempts) == ("NEW", 0, 9)
    row = stock.row(rows, dead)
    assert (row.turn, row.due_at, row.losses) == (5, None, 0)


@pytest.mark.parametrize("status", ["NEW", "PENDING", "PROCESSING", "DONE", "CANCELLED"])
def test_only_dead_letters_are_retried(
    items: Items, stock: Stock, ada: int, source: int, status: str
) -> None:
    item = stock.item(source, status=status)

    with pytest.raises(ConflictError, match="no dead letter"):
        items.retry(ada, item)

    assert stock.status(item) == status


def test_the_items_of_others_are_not_there(
    items: Items, stock: Stock, ada: int, bob: int, source: int
) -> None:
    item = stock.item(source, status="ERROR")
    calls = (
        lambda: items.show(bob, item),
        lambda: items.mark_read(bob, item, NOW),
        lambda: items.mark_saved(bob, item, NOW),
        lambda: items.rate(bob, item, 1),
        lambda: items.retry(bob, item),
        lambda: items.list(bob, ItemFilter(source_id=source)),
        lambda: items.list(bob, ItemFilter(briefing_id=stock.briefing(ada))),
    )

    for call in calls:
        with pytest.raises(NotFoundError):
            call()
    assert items.list(bob) == ()
    assert stock.status(item) == "ERROR"


def test_what_only_an_old_item_has_is_found_behind_thousands(
    items: Items, database: Database, ada: int, source: int
) -> None:
    old = make_item(database, source, first_seen_at=NOW - timedelta(days=1), language="de-AT")
    other = make_item(database, source, language="de")
    make_items(
        database, source, LOOKED_AT_FIRST, first_seen_at=NOW + timedelta(hours=1), language="en"
    )

    german = items.list(ada, asks=InLanguage("de"))

    assert [one.id for one in german] == [other, old]
    assert len(items.list(ada, asks=InLanguage("en"), limit=3)) == 3
