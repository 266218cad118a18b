"""The index on the search server: what it promised is awaited, and what it refuses is found."""

from __future__ import annotations

import json
import re
import socket
from typing import Any

import pytest

from morningdeck.model.asking import FailureKind
from morningdeck.model.indexing import IndexState, PackedDocument
from morningdeck.search.index_settings import SETTINGS
from morningdeck.search.server import MeilisearchServer
from morningdeck.search.wire import RejectedError, SearchTroubleError, Wire
from tests.servers.meilisearch import Meilisearch
from tests.servers.web import Request, Server, answer

NOTHING = IndexState(there=False, live=False, building=False)
LIVE = IndexState(there=True, live=True, building=False)
DOCUMENTS = "/indexes/news/documents?primaryKey=id"
BUILDING = IndexState(there=True, live=True, building=True)
FOREIGN = IndexState(there=True, live=False, building=False)


def document(number: int, **fields: Any) -> PackedDocument:
    return PackedDocument(
        number, json.dumps({"id": number, "digest": f"d{number}", **fields}).encode()
    )


@pytest.fixture
def filled(shelves: MeilisearchServer) -> MeilisearchServer:
    shelves.begin()
    shelves.put([document(number) for number in range(1, 6)], new=True)
    shelves.swap()
    return shelves


def test_an_index_is_built_beside_and_swapped(filled: MeilisearchServer) -> None:
    assert (filled.state(), filled.count()) == (LIVE, 5)
    filled.begin()
    assert (filled.state(), filled.count()) == (BUILDING, 5)
    filled.put([document(2), document(9)], new=True)
    assert filled.reached() == 9

    filled.swap()

    assert (filled.state(), filled.count(), filled.highest()) == (LIVE, 2, 9)
    assert filled.digests(1, 8) == {2: "d2"}


def test_what_a_swap_has_left_behind_is_no_building_site(
    filled: MeilisearchServer, search_server: Meilisearch
) -> None:
    """The process died between the swap and what follows it."""
    filled.begin()
    swapped = [{"indexes": [filled.live, filled.new]}]
    search_server.settled(search_server.ask("POST", "/swap-indexes", swapped))

    assert filled.state() == LIVE

    filled.begin()
    assert filled.state() == BUILDING
    assert filled.reached() == 0


def test_documents_are_put_replaced_and_removed(filled: MeilisearchServer) -> None:
    assert filled.put([document(5, digest="new"), document(6)], gone=(1, 2, 404)) == ()

    assert filled.digests(1, 9) == {3: "d3", 4: "d4", 5: "new", 6: "d6"}


def test_a_document_that_is_refused_is_found_among_the_others(filled: MeilisearchServer) -> None:
    bad, broken = PackedDocument(7, b'{"id": "a b"}'), PackedDocument(11, b'{"id": 11,')

    refused = filled.put([document(6), bad, document(8), broken, document(12)])

    assert [(one.id, one.why) for one in refused] == [
        (7, "invalid_document_id"),
        (11, "malformed_payload"),
    ]
    assert filled.digests(6, 12).keys() == {6, 8, 12}


def test_bodies_get_smaller_until_the_server_takes_them() -> None:
    server = Meilisearch.start("--http-payload-size-limit", "100KB")
    try:
        index = MeilisearchServer(server.url, server.key, "news")
        index.begin()
        index.swap()
        those = [document(number, content="word " * 2_000) for number in range(1, 40)]
        too_large = document(40, content="word " * 30_000)

        refused = index.put([*those, too_large])

        assert [(one.id, one.why) for one in refused] == [(40, "payload_too_large")]
        assert index.count() == 39
    finally:
        server.stop()


def test_an_index_that_is_gone_is_not_made_by_the_way(
    filled: MeilisearchServer, search_server: Meilisearch
) -> None:
    search_server.settled(search_server.ask("DELETE", f"/indexes/{filled.live}"))

    with pytest.raises(RejectedError, match="index_not_found"):
        filled.put([document(1)])

    assert filled.state() == NOTHING


def mighty_key(server: Meilisearch) -> str:
    """It makes no other keys, so it is used itself: as none is, where the server wants none."""
    actions = ["documents.*", "indexes.*", "settings.*", "stats.get", "tasks.get"]
    wanted = {"actions": actions, "indexes": ["*"], "expiresAt": None}
    return str(server.ask("POST", "/keys", wanted)["key"])


def test_a_key_that_may_do_all_makes_no_index_by_the_way(
    filled: MeilisearchServer, search_server: Meilisearch
) -> None:
    mighty = MeilisearchServer(search_server.url, mighty_key(search_server), filled.live)
    search_server.settled(search_server.ask("DELETE", f"/indexes/{filled.live}"))

    for gone in ((), (1,)):
        with pytest.raises(RejectedError, match="index_not_found"):
            mighty.put([document(1)], gone)

    assert mighty.state() == NOTHING


def test_other_indexes_on_the_server_hide_none_of_ours(own_search_server: Meilisearch) -> None:
    for number in range(25):
        made = {"uid": f"another{number}", "primaryKey": "id"}
        own_search_server.settled(own_search_server.ask("POST", "/indexes", made))
    index = MeilisearchServer(own_search_server.url, mighty_key(own_search_server), "news")

    index.begin()
    assert index.state().building
    index.put([document(1)], new=True)
    index.swap()

    assert (index.state(), index.count()) == (LIVE, 1)


def test_an_index_that_somebody_else_has_made_is_not_ours(
    filled: MeilisearchServer, search_server: Meilisearch
) -> None:
    search_server.settled(search_server.ask("DELETE", f"/indexes/{filled.live}"))
    search_server.settled(
        search_server.ask("POST", f"/indexes/{filled.live}/documents", [{"id": 1}])
    )

    assert filled.state() == FOREIGN


def test_the_key_of_the_settings_only_makes_narrow_ones(
    filled: MeilisearchServer, search_server: Meilisearch
) -> None:
    mine = [
        key
        for key in search_server.ask("GET", "/keys?limit=1000")["results"]
        if key["indexes"] == [filled.live, filled.new]
    ]

    assert len(mine) == 2  # none for searching: nobody has searched
    again = MeilisearchServer(search_server.url, search_server.key, filled.live)
    assert again.count() == 5
    for key in mine:
        assert key["actions"] != ["*"]
        scoped = MeilisearchServer(search_server.url, key["key"], "another_index")
        with pytest.raises(SearchTroubleError, match=r"check search\.api_key") as trouble:
            scoped.count()
        assert key["key"] not in str(trouble.value)
        assert trouble.value.kind is FailureKind.DENIED


def test_a_key_that_may_make_no_others_is_used_itself(
    filled: MeilisearchServer, search_server: Meilisearch
) -> None:
    narrow = search_server.ask(
        "POST",
        "/keys",
        {"actions": ["documents.*", "stats.get"], "indexes": [filled.live], "expiresAt": None},
    )

    given = MeilisearchServer(search_server.url, narrow["key"], filled.live)

    assert given.count() == 5


# ---- what a server may say


class Scripted:
    """A server that takes documents, and says of their tasks what the test tells it to."""

    def __init__(self, server: Server) -> None:
        self.tasks: list[dict[str, Any]] = []
        self.bodies: list[bytes] = []
        self.server = server
        server.does(DOCUMENTS, self._take)
        server.says("/tasks?indexUids=news,news_new&statuses=enqueued,processing&limit=1", NONE)
        server.says("/indexes/news", told({"uid": "news", "createdAt": "2026-11-19T00:00:00Z"}))
        server.does("/tasks/1", self._tell)
        self.index = MeilisearchServer(server.url("").rstrip("/"), None, "news")

    def _take(self, request: Request) -> Any:
        self.bodies.append(request.body)
        yield told({"taskUid": 1, **TASK}, 202)

    def _tell(self, _: Request) -> Any:
        yield told({"uid": 1, **(self.tasks.pop(0) if len(self.tasks) > 1 else self.tasks[0])})


TASK = {"indexUid": "news", "status": "enqueued", "type": "x", "enqueuedAt": "2026-11-19T00:00:00Z"}
DONE = {"status": "succeeded", "error": None}


def failed(code: str) -> dict[str, Any]:
    return {"status": "failed", "error": {"code": code, "message": "secret"}}


def told(value: Any, status: int = 200) -> bytes:
    return answer(status, json.dumps(value).encode(), content_type="application/json")


NONE = told({"results": []})


@pytest.fixture
def scripted(server: Server) -> Scripted:
    return Scripted(server)


def test_a_disk_without_room_is_the_servers_trouble(scripted: Scripted) -> None:
    scripted.tasks = [{"status": "processing"}, failed("no_space_left_on_device")]

    with pytest.raises(SearchTroubleError, match="no_space_left_on_device"):
        scripted.index.put([document(1), document(2)])

    assert len(scripted.bodies) == 1


def test_a_server_that_fails_at_everything_blames_no_document(scripted: Scripted) -> None:
    scripted.tasks = [failed("internal")]

    with pytest.raises(SearchTroubleError, match="internal") as trouble:
        scripted.index.put([document(number) for number in range(100)])

    assert len(scripted.bodies) == 3  # all of them, the first, the last
    assert "secret" not in str(trouble.value)


def test_one_document_at_which_it_fails_is_found(scripted: Scripted) -> None:
    poison = document(3)
    scripted.tasks = [DONE]

    def tell(_: Request) -> Any:
        yield told(
            {"uid": 1, **(failed("internal") if poison.line in scripted.bodies[-1] else DONE)}
        )

    scripted.server.does("/tasks/1", tell)
    refused = scripted.index.put([document(number) for number in range(8)])

    assert [one.id for one in refused] == [3]


def test_a_full_queue_and_a_busy_server_are_no_faults_of_documents(
    server: Server, scripted: Scripted
) -> None:
    full = told({"code": "no_space_left_on_device", "message": "..."}, 422)
    server.says(DOCUMENTS, full)
    with pytest.raises(SearchTroubleError, match="no_space_left"):
        scripted.index.put([document(1)])

    server.says(DOCUMENTS, answer(429, b"", retry_after="7"))
    with pytest.raises(SearchTroubleError) as limited:
        scripted.index.put([document(1)])
    assert limited.value.retry_after == "7"


def test_tasks_of_a_process_that_died_end_first(server: Server, scripted: Scripted) -> None:
    asked = "/tasks?indexUids=news,news_new&statuses=enqueued,processing&limit=1"
    server.says(asked, told({"results": [{"uid": 1}]}))
    scripted.tasks = [{"status": "processing"}, DONE]

    scripted.index.put([document(1)])

    paths = [request.path for request in server.requests]
    assert paths[:3] == [asked, "/tasks/1", "/tasks/1"]
    assert paths[-2] == DOCUMENTS


def test_settings_are_those_that_the_server_knows(filled: MeilisearchServer) -> None:
    """Else each look would take the index for somebody else's."""
    assert filled.state().live
    assert SETTINGS["searchableAttributes"][0] == "title"


def test_whoever_asks_on_when_another_has_closed_all_connections_is_answered(
    search_server: Meilisearch,
) -> None:
    wire = Wire(search_server.url, search_server.key, seconds=5)
    wire.get("health")

    wire.close()

    assert wire.get("health") == {"status": "available"}
    wire.close()


@pytest.mark.parametrize(
    ("listens", "said", "kind"),
    [
        (False, "cannot be reached (Connection refused)", FailureKind.CONNECTION),
        (True, "no answer in time", FailureKind.TIMEOUT),
    ],
)
def test_nobody_there_is_told_from_no_answer(listens: bool, said: str, kind: FailureKind) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        if not listens:
            mute.close()
        wire = Wire(f"http://127.0.0.1:{port}", None, seconds=0.2)
        with pytest.raises(SearchTroubleError, match=re.escape(said)) as caught:
            wire.get("health")

    assert caught.value.kind is kind
    wire.close()
