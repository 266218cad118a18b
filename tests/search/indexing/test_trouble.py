"""Nothing is lost when the search server dies, is full, or talks nonsense."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from morningdeck.errors import EndpointHeldError, TransientError
from morningdeck.indexing import Indexing
from morningdeck.model.finding import SearchDocument
from morningdeck.search.server import MeilisearchServer
from morningdeck.search.service import MeilisearchService
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.search_outbox import SearchOutbox
from tests.conftest import ManualClock
from tests.factories import make_items
from tests.search.conftest import guarded, searching_by
from tests.search.desk import Desk, assert_true
from tests.search.indexing.filler import Filler, remove, touch
from tests.servers.meilisearch import Meilisearch
from tests.servers.search_proxy import SearchProxy, puts_documents, refusal, told
from tests.servers.web import answer
from tests.waiting import until


@pytest.fixture
def own(
    own_search_server: Meilisearch, database: Database, clock: ManualClock
) -> tuple[Meilisearch, MeilisearchService, Filler, Desk]:
    server = MeilisearchServer(own_search_server.url, own_search_server.key, "news")
    service = guarded(server, database, clock)
    desk = Desk(database, searching_by(service, database))
    return own_search_server, service, Filler(database, service, clock), desk


Own = tuple[Meilisearch, MeilisearchService, Filler, Desk]


def test_h14_a_server_that_is_off_is_stood_in_for(own: Own, clock: ManualClock) -> None:
    server, _, filler, desk = own
    item = desk.item("Harbour")
    filler.work_off()
    assert desk.found("harbour") == [item]
    server.kill()

    for _ in range(5):
        answer = desk.ask("harbour")
        assert (answer.backend, answer.degraded) == ("database", True)
        assert [hit.id for hit in answer.hits] == [item]

    server.up()
    clock.pass_(minutes=1)
    assert desk.found("harbour") == [item]


def test_a_server_killed_in_the_middle_of_a_batch_has_it_all_in_the_end(
    own: Own, database: Database, clock: ManualClock
) -> None:
    server, service, filler, desk = own
    for number in range(300):
        desk.item(f"Harbour {number}", "tugs and cranes " * 500)
    large = Indexing(filler.rows, lambda: service, clock, most=300)
    with ThreadPoolExecutor(1) as pool:
        round_ = pool.submit(large.round)
        asked = "/tasks?statuses=processing&types=documentAdditionOrUpdate"
        until(lambda: round_.done() or bool(server.ask("GET", asked)["results"]))
        server.kill()
        with pytest.raises(TransientError):
            round_.result()
    assert filler.rows.waits()
    assert not large.waits()  # nobody waits for it

    server.up()
    clock.pass_(minutes=1)
    while large.round() or filler.rows.waits():
        pass
    assert_true(database, service)


def test_away_for_an_hour_of_work_it_catches_up(
    own: Own, database: Database, clock: ManualClock
) -> None:
    server, service, filler, desk = own
    ids = [desk.item(f"Harbour {number}") for number in range(50)]
    filler.work_off()
    server.kill()
    for minute in range(60):
        clock.pass_(minutes=1)
        touch(database, *ids[minute % 40 : minute % 40 + 10], title=f"Harbour of {minute}")
        desk.item(f"Harbour new {minute}", "tugs " * 100)
        with pytest.raises(TransientError):
            filler.indexing.round()
    remove(database, ids[0])
    make_items(database, desk.source, 1_000, status="DONE", search_mark=1)

    server.up()
    clock.pass_(seconds=31)  # no hold is longer
    large = Indexing(filler.rows, lambda: service, clock)
    while large.round() or filler.rows.waits():
        pass

    assert_true(database, service)


@pytest.mark.parametrize(
    "trouble",
    [
        refusal("no_space_left_on_device", 422),  # the queue of tasks is full
        refusal("internal", 500),
        answer(429, b""),
        answer(502, b"<html>a proxy's</html>"),
        b"garbage",
    ],
)
def test_nothing_is_lost_while_a_server_takes_nothing(
    trouble: bytes,
    database: Database,
    desk: Desk,
    filler: Filler,
    service: MeilisearchService,
    proxy: SearchProxy,
    clock: ManualClock,
) -> None:
    item = desk.item("Harbour")
    filler.work_off()
    touch(database, item, title="Chess")
    proxy.word = lambda request: trouble if puts_documents(request) else None
    for _ in range(4):
        with pytest.raises(EndpointHeldError):
            filler.indexing.round()
    assert filler.rows.waits()

    proxy.word = lambda request: None
    clock.pass_(minutes=1)
    filler.work_off()

    assert_true(database, service)
    assert desk.found("chess") == [item]


def test_a_task_that_fails_for_want_of_room_is_done_again(
    database: Database,
    desk: Desk,
    filler: Filler,
    service: MeilisearchService,
    proxy: SearchProxy,
    clock: ManualClock,
) -> None:
    """202 was only a promise."""
    item = desk.item("Harbour")
    filler.work_off()
    touch(database, item, title="Chess")
    full = {"status": "failed", "error": {"code": "no_space_left_on_device"}}
    proxy.word = lambda request: told(full) if request.path.startswith("/tasks/") else None
    with pytest.raises(EndpointHeldError, match="no_space_left_on_device"):
        filler.indexing.round()
    assert filler.rows.waits()

    proxy.word = lambda request: None
    clock.pass_(minutes=1)
    filler.work_off()

    assert_true(database, service)


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"null", b"[]", b"{}", b'"OK"', b'{"results": 1, "hits": [1], "taskUid": "x"}'),
        b'{"results": [{}], "hits": [], "estimatedTotalHits": 1e999, "facetDistribution": {}}',
        b"[" * 100_000,
    ],
    ids=lambda body: repr(body[:20]),
)
def test_what_is_no_meilisearch_is_stood_in_for(
    body: bytes, database: Database, desk: Desk, filler: Filler, proxy: SearchProxy
) -> None:
    """Something else answers at its address, and calls everything OK."""
    item = desk.item("Harbour")
    proxy.word = lambda request: answer(200, body, content_type="application/json")

    found = desk.ask("harbour")
    assert (found.backend, found.degraded) == ("database", True)
    assert [hit.id for hit in found.hits] == [item]
    with pytest.raises(EndpointHeldError):
        filler.indexing.round()
    assert filler.rows.waits()
    assert not filler.indexing.waits()  # nobody waits for it


class Restless(SearchOutbox):
    """Of a deck where something changes whenever the index has taken something."""

    def clear(self, documents: Sequence[SearchDocument], gone: Sequence[int] = ()) -> None:
        super().clear(documents, gone)
        self.mark([one.id for one in documents][:1])


def test_a_rebuild_ends_though_things_change_all_the_time(
    database: Database, desk: Desk, service: MeilisearchService, clock: ManualClock
) -> None:
    for number in range(20):
        desk.item(f"Harbour {number}")
    rows = Restless(database)

    assert Indexing(rows, lambda: service, clock, most=7).rebuild() == 20

    assert desk.search("harbour").total == 20
    assert rows.waits()
