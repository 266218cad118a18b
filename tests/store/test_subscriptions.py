"""Who reads which source, and what that means for a source that several read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from sqlalchemy import func, select

from morningdeck.errors import ConflictError, NotFoundError
from morningdeck.model.kinds import SourceType
from morningdeck.model.wanting import NewSource
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.stages import PARKED
from morningdeck.store.tables.briefs import briefing_subscriptions
from morningdeck.store.tables.news import items, sources
from morningdeck.store.tables.news import subscriptions as rows
from morningdeck.store.views.items import Items
from morningdeck.store.views.subscriptions import Subscriptions
from tests.conftest import NOW
from tests.factories import Stock

URL = "https://example.org/feed"


# ---- joining


def test_a_new_source_is_wanted_and_due(
    subscriptions: Subscriptions, stock: Stock, ada: int
) -> None:
    new_source = NewSource(URL, title="Harbour news", tags=("sea",), topics=("ports",))

    view = subscriptions.subscribe(ada, new_source, now=NOW)

    assert (view.type, view.url, view.name) == ("rss", URL, "Harbour news")
    assert (view.status, view.paused, view.health, view.items) == ("IDLE", False, "active", 0)
    assert (view.next_fetch_at, view.tags, view.topics) == (NOW, ("sea",), ("ports",))
    assert stock.wanted(view.id)


def test_two_readers_share_one_source_under_names_of_their_own(
    subscriptions: Subscriptions, ada: int, bob: int
) -> None:
    first = subscriptions.subscribe(ada, NewSource(URL, name="Ada's"), now=NOW)
    second = subscriptions.subscribe(bob, NewSource(URL), now=NOW)

    assert first.id == second.id
    assert (first.name, second.name) == ("Ada's", urlsplit(URL).netloc)


def test_a_source_is_subscribed_to_once(subscriptions: Subscriptions, ada: int) -> None:
    view = subscriptions.subscribe(ada, NewSource(URL), now=NOW)

    with pytest.raises(ConflictError, match=f"already subscribed to it: it is source {view.id}"):
        subscriptions.subscribe(ada, NewSource(URL), now=NOW)


def test_pages_with_other_prompts_are_other_sources(subscriptions: Subscriptions, ada: int) -> None:
    ids = {
        subscriptions.subscribe(ada, NewSource(URL, SourceType.WEB, prompt=prompt), now=NOW).id
        for prompt in ("jobs", "papers")
    }

    assert len(ids) == 2


def test_a_list_adds_what_is_new_and_names_nothing_twice(
    subscriptions: Subscriptions, ada: int
) -> None:
    new_sources = [NewSource(f"https://example.org/{number}") for number in range(250)]

    assert subscriptions.subscribe_all(ada, new_sources[:120], now=NOW) == 120
    assert subscriptions.subscribe_all(ada, new_sources, now=NOW) == 130
    assert len(subscriptions.list(ada, limit=1000)) == 250


def test_many_who_subscribe_at_once_end_up_with_one_source(
    subscriptions: Subscriptions, database: Database, stock: Stock
) -> None:
    readers = [stock.user(f"u{number}@example.org") for number in range(8)]

    def join(user_id: int) -> int:
        return subscriptions.subscribe(user_id, NewSource(URL), now=NOW).id

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(join, readers))) == 1
    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(rows)) == 8


def test_a_source_can_be_given_to_a_briefing_of_ones_own_only(
    subscriptions: Subscriptions, database: Database, stock: Stock, ada: int, bob: int
) -> None:
    mine, his = stock.briefing(ada), stock.briefing(bob)

    subscriptions.subscribe(ada, NewSource(URL), now=NOW, briefing_ids=(mine,))
    with pytest.raises(NotFoundError, match=f"no briefing {his}"):
        subscriptions.subscribe(ada, NewSource(URL + "2"), now=NOW, briefing_ids=(his,))

    with database.read() as connection:
        assert connection.scalars(select(briefing_subscriptions.c.briefing_id)).all() == [mine]
    assert [view.url for view in subscriptions.list(ada)] == [URL]


def test_a_new_reader_gets_scores_for_what_is_enriched_and_recent_only(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    recent = stock.item(source)
    running = stock.item(source, status="PROCESSING", enriched_by=None)
    old = stock.item(source, first_seen_at=NOW - timedelta(days=11))
    only_stored = stock.item(source, enriched_by=None)

    subscriptions.subscribe(bob, NewSource(URL), now=NOW)

    marks = {one: stock.row(items, one).rescore for one in (recent, running, old, only_stored)}
    assert marks == {recent: True, running: True, old: False, only_stored: False}


# ---- pausing


def test_a_source_is_wanted_while_one_reader_is_awake(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    stock.source(bob)

    subscriptions.pause(ada, source)
    assert stock.wanted(source)
    assert (subscriptions.show(ada, source).paused, subscriptions.show(bob, source).paused) == (
        True,
        False,
    )

    subscriptions.pause(bob, source)
    assert not stock.wanted(source)

    subscriptions.resume(ada, source, now=NOW)
    assert stock.wanted(source)


def test_what_waits_of_a_paused_source_leaves_the_line_and_comes_back_to_its_end(
    subscriptions: Subscriptions, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    parked = [stock.item(source, status="NEW", turn=turn) for turn in range(3)]
    taken = stock.item(source, status="PENDING", turn=3)

    subscriptions.pause(ada, source)
    assert {stock.row(items, one).due_at for one in parked} == {PARKED}
    assert stock.row(items, taken).due_at is None

    came_meanwhile = stock.item(source, status="NEW", turn=0)
    subscriptions.resume(ada, source, now=NOW)

    line = [(row.turn, row.due_at) for row in (stock.row(items, one) for one in parked)]
    assert line == [(1, None), (2, None), (3, None)]
    assert stock.row(items, came_meanwhile).turn == 0


def test_an_item_that_failed_stays_away_until_its_time_when_its_source_is_resumed(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    stock.source(bob)
    later = NOW + timedelta(minutes=5)
    item = stock.item(source, status="NEW", due_at=later)

    subscriptions.pause(bob, source)
    subscriptions.resume(bob, source, now=NOW)

    assert stock.row(items, item).due_at == later


# ---- intervals


def test_the_shortest_interval_of_those_who_are_awake_counts(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    source = stock.source(ada, refresh=timedelta(minutes=5))
    stock.source(bob, refresh=timedelta(hours=1))
    assert stock.row(sources, source).refresh_seconds == 300

    subscriptions.pause(ada, source)
    assert stock.row(sources, source).refresh_seconds == 3600

    subscriptions.pause(bob, source)
    assert stock.row(sources, source).refresh_seconds == 900


# ---- leaving


def test_the_last_to_leave_gives_up_what_waits_but_not_what_he_saved(
    subscriptions: Subscriptions, database: Database, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    waits, taken = stock.item(source, status="NEW"), stock.item(source, status="PENDING")
    saved, other = stock.item(source), stock.item(source)
    Items(database).mark_saved(ada, saved, NOW)

    subscriptions.remove(ada, source)

    assert (stock.status(waits), stock.status(taken)) == ("CANCELLED", "PENDING")
    assert not stock.wanted(source)
    assert subscriptions.list(ada) == ()
    assert [view.id for view in Items(database).list(ada)] == [saved]
    with pytest.raises(NotFoundError):
        Items(database).show(ada, other)


def test_while_others_read_on_nothing_is_given_up(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    stock.source(bob)
    item = stock.item(source, status="NEW")

    subscriptions.remove(ada, source)

    assert (stock.status(item), stock.wanted(source)) == ("NEW", True)


def test_all_who_leave_at_once_leave_a_source_that_nobody_wants(
    subscriptions: Subscriptions, stock: Stock
) -> None:
    readers = [stock.user(f"u{number}@example.org") for number in range(8)]
    (source,) = {stock.source(user_id) for user_id in readers}

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda user_id: subscriptions.remove(user_id, source), readers))

    assert not stock.wanted(source)


def test_who_comes_back_finds_the_recent_items_in_line_again(
    subscriptions: Subscriptions, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    recent = stock.item(source, status="NEW", enriched_by=None)
    old = stock.item(source, status="NEW", first_seen_at=NOW - timedelta(days=30))
    subscriptions.remove(ada, source)

    subscriptions.subscribe(ada, NewSource(URL), now=NOW)

    assert (stock.status(recent), stock.status(old)) == ("NEW", "CANCELLED")


def test_tags_are_a_readers_own(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    one = stock.source(ada, "https://a.example", tags=("Sea", "Ships"))
    two = stock.source(ada, "https://b.example", tags=("Sea",))
    stock.source(bob, "https://b.example", tags=("Sea",))

    assert subscriptions.retag(ada, "Sea", "Ships") == 2
    assert {view.id: view.tags for view in subscriptions.followed(ada)} == {
        one: ("Ships",),
        two: ("Ships",),
    }
    assert subscriptions.retag(ada, "Ships", None) == 2
    assert {view.tags for view in subscriptions.followed(ada)} == {()}
    assert [view.tags for view in subscriptions.followed(bob)] == [("Sea",)]
