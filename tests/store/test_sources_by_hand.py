"""What people do to sources by hand, and what they see of them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.errors import ConflictError, NotFoundError
from morningdeck.model.wanting import NewSource, SourceChanges
from morningdeck.store.tables.news import sources
from morningdeck.store.views.subscriptions import Subscriptions
from tests.conftest import NOW
from tests.factories import Stock

URL = "https://example.org/feed"


def test_a_refresh_makes_it_due_now_and_touches_nothing_else(
    subscriptions: Subscriptions, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    stock.set(sources, source, due_at=NOW + timedelta(hours=9), failures=3, etag="x")

    view = subscriptions.refresh(ada, source, now=NOW)

    assert (view.next_fetch_at, view.consecutive_failures, view.etag) == (NOW, 3, "x")


def test_a_reset_forgets_failures_and_validators(
    subscriptions: Subscriptions, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    stock.set(sources, source, failures=7, health="gone", etag="x", last_modified="y", wanted=False)

    view = subscriptions.reset(ada, source, now=NOW)

    assert (view.health, view.consecutive_failures, view.next_fetch_at) == ("active", 0, NOW)
    assert (view.etag, view.last_modified) == (None, None)
    assert stock.wanted(source)


def test_what_is_not_fetched_cannot_be_refreshed(
    subscriptions: Subscriptions, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)

    subscriptions.pause(ada, source)
    with pytest.raises(ConflictError, match=f"source resume {source}"):
        subscriptions.refresh(ada, source, now=NOW)

    subscriptions.resume(ada, source, now=NOW)
    assert subscriptions.deactivate(ada, source).health == "inactive"
    assert not stock.wanted(source)
    with pytest.raises(ConflictError, match=f"source reset {source}"):
        subscriptions.refresh(ada, source, now=NOW)


def test_nobody_switches_off_what_others_read(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    stock.source(bob)

    with pytest.raises(ConflictError, match=f"source pause {source}"):
        subscriptions.deactivate(ada, source)


def test_why_a_source_was_switched_off_is_shown_until_it_is_on_again(
    subscriptions: Subscriptions, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    stock.set(sources, source, last_error="timed out")

    assert subscriptions.deactivate(ada, source, "paywall").last_error == "paywall"
    stock.set(sources, source, last_error=None)  # a fetch that was under way has ended
    assert subscriptions.show(ada, source).last_error == "paywall"

    view = subscriptions.resume(ada, source, now=NOW)
    assert (view.health, view.last_error, view.next_fetch_at) == ("active", None, NOW)
    assert stock.wanted(source)


def test_a_reset_of_all_begins_anew_with_each_of_theirs_and_with_no_other(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    own = [stock.source(ada, f"{URL}{number}") for number in range(3)]
    other = stock.source(bob, URL)
    for source in (*own, other):
        stock.set(sources, source, failures=7, losses=2, etag="x", health="gone", wanted=False)
    stock.set(
        sources, own[0], health="active", wanted=True, to_ask=("y",), moved_to="z", moved_times=2
    )

    assert subscriptions.reset_all(ada, now=NOW) == 3

    for source in own:
        row = stock.row(sources, source)
        assert (row.health, row.failures, row.losses, row.etag) == ("active", 0, 0, None)
        assert (row.to_ask, row.moved_to, row.due_at, row.wanted) == ((), None, NOW, True)
    assert stock.row(sources, other).health == "gone"


def test_a_refresh_of_all_leaves_those_that_are_not_asked(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    later = NOW + timedelta(hours=9)
    awake, paused, off = (stock.source(ada, f"{URL}{number}") for number in range(3))
    others = stock.source(bob, URL)
    subscriptions.pause(ada, paused)
    subscriptions.deactivate(ada, off)
    for source in (awake, paused, off, others):
        stock.set(sources, source, due_at=later, failures=3)

    assert subscriptions.refresh_all(ada, now=NOW) == 1

    due = [stock.row(sources, source).due_at for source in (awake, paused, off, others)]
    assert due == [NOW, later, later, later]


def test_a_new_reader_wakes_a_source_that_was_given_up(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    subscriptions.deactivate(ada, source)

    view = subscriptions.subscribe(bob, NewSource(URL), now=NOW)

    assert (view.health, stock.wanted(source)) == ("active", True)


def test_a_change_never_touches_what_the_engine_holds(
    subscriptions: Subscriptions, stock: Stock, ada: int
) -> None:
    source = stock.source(ada)
    lease = NOW + timedelta(seconds=90)
    held = {"status": "FETCHING", "claimed_by": "a/0:1", "lease_until": lease, "attempts": 4}
    stock.set(sources, source, **held)

    subscriptions.pause(ada, source)
    subscriptions.reset(ada, source, now=NOW)
    subscriptions.resume(ada, source, now=NOW)

    row = stock.row(sources, source)
    assert {name: getattr(row, name) for name in held} == held


def test_the_sources_of_others_are_not_there(
    subscriptions: Subscriptions, stock: Stock, ada: int, bob: int
) -> None:
    source = stock.source(ada)
    calls = (
        lambda: subscriptions.show(bob, source),
        lambda: subscriptions.pause(bob, source),
        lambda: subscriptions.resume(bob, source, now=NOW),
        lambda: subscriptions.refresh(bob, source, now=NOW),
        lambda: subscriptions.reset(bob, source, now=NOW),
        lambda: subscriptions.deactivate(bob, source),
        lambda: subscriptions.edit(bob, source, SourceChanges(topics=("a",)), now=NOW),
        lambda: subscriptions.remove(bob, source),
    )

    for call in calls:
        with pytest.raises(NotFoundError, match=f"no source {source}"):
            call()
    assert subscriptions.list(bob) == ()


def test_a_list_counts_the_items_of_each(
    subscriptions: Subscriptions, stock: Stock, ada: int
) -> None:
    one, two = stock.source(ada), stock.source(ada, URL + "2")
    for _ in range(3):
        stock.item(one)

    assert [(view.id, view.items) for view in subscriptions.list(ada)] == [(two, 0), (one, 3)]
