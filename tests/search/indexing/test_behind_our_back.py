"""What somebody does to the index behind our back is noticed, and put right."""

from __future__ import annotations

import pytest

from morningdeck import indexing
from morningdeck.search.server import MeilisearchServer
from morningdeck.search.service import MeilisearchService
from morningdeck.store.database.connect import Database
from tests.conftest import ManualClock
from tests.search.desk import Desk, assert_true
from tests.search.indexing.filler import Filler, touch
from tests.servers.meilisearch import Meilisearch
from tests.servers.search_proxy import SearchProxy
from tests.store.making import counted_statements


class Somebody:
    """Who has the server's key, and does what he likes with our index."""

    def __init__(self, server: Meilisearch, index: str) -> None:
        self._server = server
        self._index = index

    def asks(self, method: str, path: str = "", body: object = None) -> None:
        self._server.settled(self._server.ask(method, f"/indexes/{self._index}{path}", body))


@pytest.fixture
def somebody(search_server: Meilisearch, shelves: MeilisearchServer) -> Somebody:
    return Somebody(search_server, shelves.live)


def minutes_later(filler: Filler, clock: ManualClock, minutes: int = 6) -> None:
    """Nothing has changed meanwhile, and it is looked at all the same."""
    clock.pass_(minutes=minutes)
    while filler.indexing.round():
        pass


def compared_since(proxy: SearchProxy, before: int) -> bool:
    return any(one.path.endswith("/fetch") for one in proxy.requests[before:])


def test_an_index_that_somebody_has_deleted_is_built_again(
    database: Database,
    desk: Desk,
    filler: Filler,
    service: MeilisearchService,
    somebody: Somebody,
    clock: ManualClock,
) -> None:
    items_ = [desk.item(f"Harbour {number}") for number in range(10)]
    filler.work_off()
    somebody.asks("DELETE")

    answer = desk.ask("harbour")
    assert (answer.backend, answer.degraded, answer.total) == ("database", True, 10)
    touch(database, items_[0])
    filler.work_off()
    assert_true(database, service)

    somebody.asks("DELETE")
    minutes_later(filler, clock, minutes=1)
    assert_true(database, service)


def test_documents_that_somebody_has_deleted_are_put_again(
    database: Database,
    desk: Desk,
    filler: Filler,
    service: MeilisearchService,
    somebody: Somebody,
    clock: ManualClock,
) -> None:
    for number in range(10):
        desk.item(f"Harbour {number}")
    filler.work_off()
    for _ in range(2):  # the same once more
        somebody.asks("DELETE", "/documents")
        minutes_later(filler, clock)
        assert_true(database, service)


def test_what_was_put_right_is_not_compared_again(
    desk: Desk, filler: Filler, somebody: Somebody, proxy: SearchProxy, clock: ManualClock
) -> None:
    ids = [desk.item(f"Harbour {number}") for number in range(10)]
    filler.work_off()
    somebody.asks("DELETE", f"/documents/{ids[3]}")

    compared = []
    for _ in range(3):
        before = len(proxy.requests)
        minutes_later(filler, clock)
        compared.append(compared_since(proxy, before))
    assert compared == [True, False, False]


def test_news_do_not_wait_for_a_long_comparison(
    desk: Desk,
    filler: Filler,
    somebody: Somebody,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(indexing, "COMPARED", 4)
    ids = [desk.item(f"Harbour {number}") for number in range(12)]
    filler.work_off()
    somebody.asks("DELETE", f"/documents/{ids[11]}")
    clock.pass_(minutes=6)

    assert filler.indexing.round()
    new = desk.item("Chess")
    assert filler.indexing.round()

    assert desk.found("chess") == [new]
    assert ids[11] not in desk.found("harbour")
    filler.work_off()
    assert ids[11] in desk.found("harbour")


def test_what_the_server_refuses_is_not_compared_again_and_again(
    desk: Desk, filler: Filler, proxy: SearchProxy, clock: ManualClock
) -> None:
    for number in range(3):
        desk.item(f"Harbour {number}")
    filler.work_off()
    desk.item("Chess")
    filler.rows.clear(filler.rows.documents(10))  # as when it was refused

    compared = []
    for _ in range(3):
        clock.pass_(minutes=6)
        before = len(proxy.requests)
        while filler.indexing.round():
            filler.rows.clear(filler.rows.documents(10))
        compared.append(compared_since(proxy, before))
    assert compared == [True, False, False]


def test_by_night_what_differs_is_found_and_put_right(
    database: Database,
    desk: Desk,
    filler: Filler,
    service: MeilisearchService,
    somebody: Somebody,
    clock: ManualClock,
) -> None:
    ids = [desk.item(f"Harbour {number}") for number in range(10)]
    filler.work_off()
    somebody.asks("DELETE", f"/documents/{ids[0]}")
    somebody.asks("POST", "/documents", [{"id": ids[1], "title": "else"}])
    somebody.asks("POST", "/documents", [{"id": ids[9] + 700, "title": "nobody's"}])

    clock.now = clock.now.replace(hour=2)
    filler.indexing.reconcile_by_night()
    assert not filler.rows.waits()
    clock.now = clock.now.replace(hour=3)
    filler.indexing.reconcile_by_night()
    filler.work_off()

    assert_true(database, service)
    assert filler.indexing.reconcile() == 0


def test_a_document_far_above_all_items_is_found_in_one_step(
    desk: Desk, filler: Filler, somebody: Somebody
) -> None:
    item = desk.item("Harbour")
    filler.work_off()
    somebody.asks(
        "POST", "/documents", [{"id": item + 20 * indexing.COMPARED, "title": "nobody's"}]
    )

    with counted_statements() as sent:
        assert filler.indexing.reconcile() == 1
    filler.work_off()

    assert len(sent) < 20
    assert filler.indexing.reconcile() == 0


def test_one_of_several_daemons_compares_once_a_night(
    database: Database,
    desk: Desk,
    filler: Filler,
    service: MeilisearchService,
    proxy: SearchProxy,
    clock: ManualClock,
) -> None:
    desk.item("Harbour")
    filler.work_off()
    clock.now = clock.now.replace(hour=3)
    others = [Filler(database, service, clock) for _ in range(2)]  # or one, started again
    compared = []
    for one in (filler, *others, filler):
        before = len(proxy.requests)
        one.indexing.reconcile_by_night()
        compared.append(len(proxy.requests) > before)
    assert compared == [True, False, False, False]

    clock.pass_(days=1)
    before = len(proxy.requests)
    with filler.rows.alone_comparing() as alone:
        assert alone
        others[0].indexing.reconcile_by_night()
    assert len(proxy.requests) == before
    others[1].indexing.reconcile_by_night()
    assert len(proxy.requests) > before
