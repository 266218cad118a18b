"""Dead letters: seen, brought back, purged."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items, seen_guids, sources
from morningdeck.store.views.dead_letters import DeadLetters
from morningdeck.store.views.items import Items
from morningdeck.store.views.retention import Retention
from morningdeck.work import Stage
from tests.conftest import NOW
from tests.factories import Stock

LONG_AGO = NOW - timedelta(days=30)


@pytest.fixture
def letters(database: Database) -> DeadLetters:
    return DeadLetters(database)


@pytest.fixture
def source(stock: Stock, ada: int) -> int:
    return stock.source(ada)


def test_a_list_says_why(letters: DeadLetters, stock: Stock, source: int) -> None:
    stock.item(source)
    dead = stock.item(source, status="ERROR", last_error="404", failures=1)

    (letter,) = letters.list()

    assert (letter.stage, letter.id, letter.error, letter.failures) == (
        "processing",
        dead,
        "404",
        1,
    )


def test_all_or_some_get_in_line_one_behind_the_other(
    letters: DeadLetters, stock: Stock, source: int
) -> None:
    dead = [stock.item(source, status="ERROR") for _ in range(4)]
    done = stock.item(source)

    assert letters.retry([dead[0], done]) == 1
    assert letters.retry() == 3

    assert [stock.row(items, one).turn for one in dead] == [0, 1, 2, 3]
    assert stock.status(done) == "DONE"
    assert letters.list() == ()


def test_sources_that_wait_for_another_try_can_be_hurried(
    letters: DeadLetters, stock: Stock, ada: int, source: int
) -> None:
    well, deadly = (stock.source(ada, f"https://{name}.example/") for name in ("well", "deadly"))
    later = NOW + timedelta(hours=1)
    stock.set(sources, source, failures=2, due_at=later)
    stock.set(sources, deadly, last_error="its worker was lost 3 times in a row", due_at=later)
    stock.set(sources, well, due_at=later)

    assert letters.hurry(Stage.FETCH, NOW) == 2

    due = [stock.row(sources, one).due_at for one in (source, deadly, well)]
    assert due == [NOW, NOW, later]


def test_a_purge_takes_the_old_ones_and_they_do_not_come_back_as_news(
    stock: Stock, database: Database, ada: int, source: int
) -> None:
    old = stock.item(source, status="ERROR", guid="old", started_at=LONG_AGO)
    recent = stock.item(source, status="ERROR", first_seen_at=LONG_AGO, started_at=NOW)
    saved = stock.item(source, status="ERROR", started_at=LONG_AGO)
    alive = stock.item(source, started_at=LONG_AGO)
    Items(database).mark_saved(ada, saved, NOW)

    assert Retention(database).purge_dead_letters(timedelta(days=14), NOW) == 1

    left = {view.id for view in Items(database).list(ada)}
    assert (old in left, left >= {recent, saved, alive}) == (False, True)
    with database.read() as connection:
        assert connection.execute(select(seen_guids)).all() == [(source, "old")]
