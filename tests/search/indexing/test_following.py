"""The index on the server follows the database, and is built anew where it must be."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from morningdeck.model.finding import ItemFilter
from morningdeck.search.service import MeilisearchService
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.running import notices
from morningdeck.store.views.items import Items
from tests.conftest import NOW, ManualClock
from tests.factories import make_items, make_user, rows_of
from tests.search.desk import Desk, assert_true
from tests.search.indexing.filler import Filler, remove, touch
from tests.servers.search_proxy import SearchProxy, puts_documents, refusal
from tests.servers.web import Request

# ---- as things change


def test_an_index_that_is_missing_is_built_and_then_follows(
    database: Database, desk: Desk, filler: Filler, service: MeilisearchService
) -> None:
    one, two, *others = (desk.item(f"Harbour {number}") for number in range(20))
    assert desk.ask("harbour").degraded
    filler.work_off()
    assert_true(database, service)
    assert desk.search("harbour").total == 20

    touch(database, one, title="Chess")
    remove(database, two, *others[:3])
    new = desk.item("Harbour again")
    filler.work_off()

    assert_true(database, service)
    assert desk.found("chess") == [one]
    assert new in desk.found("harbour")


def test_what_changes_while_it_is_put_is_put_again(
    database: Database,
    desk: Desk,
    filler: Filler,
    service: MeilisearchService,
    proxy: SearchProxy,
) -> None:
    item = desk.item("Harbour")
    filler.work_off()
    touch(database, item, title="Chess")
    proxy.word = lambda request: touch(database, item, title="Trains")
    filler.indexing.round()
    proxy.word = lambda request: None
    assert filler.rows.waits()
    filler.work_off()

    assert_true(database, service)
    assert desk.found("trains") == [item]


def test_a_process_that_comes_too_late_overwrites_nothing_for_long(
    database: Database, desk: Desk, filler: Filler, service: MeilisearchService
) -> None:
    """Its lock was lost with its connection, it read before the other did, and put after it."""
    item = desk.item("Harbour")
    filler.work_off()
    touch(database, item, title="Old")
    late = filler.rows.documents(10)
    touch(database, item, title="New")
    filler.work_off()

    service.put(late)
    filler.rows.clear(late)
    assert filler.rows.waits()
    filler.work_off()

    assert_true(database, service)


def test_several_may_be_at_it_while_everything_changes(
    database: Database, desk: Desk, filler: Filler, service: MeilisearchService, clock: ManualClock
) -> None:
    ids = [desk.item(f"Harbour {number}") for number in range(30)]
    both = (filler, Filler(database, service, clock))

    def edit(number: int) -> None:
        touch(database, ids[number % 30], title=f"Harbour {number}")

    with ThreadPoolExecutor(3) as pool:
        edits = pool.map(edit, range(60))
        list(pool.map(lambda one: [one.indexing.round() for _ in range(12)], both))
        list(edits)
    filler.work_off()

    assert_true(database, service)


def test_a_document_that_is_refused_is_told_until_it_is_taken(
    database: Database,
    desk: Desk,
    filler: Filler,
    service: MeilisearchService,
    proxy: SearchProxy,
) -> None:
    make_user(database, role="admin")
    bad, good = desk.item("Bad"), desk.item("Good")
    filler.work_off()

    def choosy(request: Request) -> bytes | None:
        if not puts_documents(request):
            return None
        ids = [json.loads(line)["id"] for line in request.body.splitlines()]
        return refusal("invalid_document_fields") if bad in ids else None

    proxy.word = choosy
    touch(database, bad, good)
    filler.work_off()
    (told,) = rows_of(database, notices)
    assert f"does not take item {bad} (invalid_document_fields)" in told.text
    assert told.ended_at is None

    proxy.word = lambda request: None
    touch(database, bad)
    filler.work_off()

    (told,) = rows_of(database, notices)
    assert told.ended_at is not None
    assert_true(database, service)


# ---- what a reader does


def test_h15_after_reading_all_nothing_is_unread_at_once_and_later(
    database: Database, desk: Desk, filler: Filler
) -> None:
    for number in range(3):
        desk.item(f"Harbour {number}")
    filler.work_off()
    assert len(desk.found("harbour is:unread")) == 3

    assert Items(database).mark_all_read(desk.reader, at=NOW) == 3
    for text, only in (("harbour is:unread", {}), ("harbour", {"unread": True})):
        answer = desk.ask(text, **only)
        assert (answer.backend, answer.degraded, answer.total) == ("database", False, 0)
    assert desk.search("harbour").total == 3  # the others need not wait

    filler.work_off()
    assert desk.search("harbour is:unread").total == 0
    assert desk.search("harbour is:read").total == 3


def test_read_all_of_ten_thousand_is_quick_and_seen_at_once(database: Database, desk: Desk) -> None:
    make_items(database, desk.source, 10_000, status="DONE", search_mark=-1)

    assert Items(database).mark_all_read(desk.reader, at=NOW) == 10_000
    assert Items(database).mark_all_read(desk.reader, at=NOW) == 0

    assert SearchOutbox(database).waits()
    assert desk.ask("is:unread").total == 0


def test_only_what_is_asked_for_is_read(database: Database, desk: Desk, filler: Filler) -> None:
    other = Desk(database, desk.index)
    mine, theirs = desk.item("Harbour"), other.item("Harbour")
    only = ItemFilter(source_id=desk.source)

    assert Items(database).mark_all_read(desk.reader, only, at=NOW) == 1
    filler.work_off()

    assert desk.found("is:read") == [mine]
    assert other.found("is:unread") == [theirs]


# ---- anew


def test_what_changes_while_an_index_is_built_beside_is_in_it(
    database: Database, desk: Desk, filler: Filler, service: MeilisearchService
) -> None:
    ids = [desk.item(f"Harbour {number}") for number in range(30)]
    filler.work_off()
    seen: list[tuple[int, int]] = []

    def meanwhile(done: int, of: int) -> None:
        assert desk.search("harbour").total >= 25  # the live one answers
        if not seen:
            touch(database, ids[0], ids[29], title="Harbour changed")
            remove(database, ids[1], ids[28])
            desk.item("Harbour new")
        seen.append((done, of))

    assert filler.indexing.rebuild(meanwhile) == 29

    assert_true(database, service)
    assert len(seen) >= 4
    assert sorted(seen) == seen
    assert service.state().building is False


def test_a_rebuild_that_was_cut_short_goes_on_where_it_was(
    database: Database, desk: Desk, filler: Filler, service: MeilisearchService, clock: ManualClock
) -> None:
    for number in range(30):
        desk.item(f"Harbour {number}")
    filler.work_off()

    class KilledError(Exception):
        pass

    def kill(done: int, of: int) -> None:
        if done > of / 2:
            raise KilledError

    with pytest.raises(KilledError):
        filler.indexing.rebuild(kill)
    reached = service.reached()
    again = Filler(database, service, clock)
    seen: list[int] = []
    again.indexing.rebuild(lambda done, of: seen.append(done))

    assert seen[0] > reached > 0
    assert_true(database, service)


def test_a_daemon_goes_on_with_what_a_command_began(
    database: Database, desk: Desk, filler: Filler, service: MeilisearchService
) -> None:
    for number in range(15):
        desk.item(f"Harbour {number}")
    filler.work_off()
    with service.asked():
        service.begin()

    new = desk.item("Harbour new")
    filler.work_off()

    assert not service.state().building
    assert new in desk.found("harbour")
    assert_true(database, service)
