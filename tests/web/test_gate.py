"""What requests pass on their way in and out."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from morningdeck import logs
from morningdeck.errors import PermanentError
from morningdeck.web.pages.watching import MOST_LISTENERS
from morningdeck.web.server import PatientProtocol, listen, threads_for
from tests.waiting import until
from tests.web.site import THREADS, Hasty, Website, website


@pytest.fixture
def alone(tmp_path: Path, sqlite_url: str) -> Iterator[Website]:
    """A web of its own, whose patience is short."""
    chosen = {"per_minute": 3, "body_seconds": 2, "base_url": "https://d.example/deck/"}
    chosen["protocol"] = Hasty
    with website(tmp_path, sqlite_url, **chosen) as web:
        yield web


def test_what_is_answered_leaves_at_once() -> None:
    """Else the body waits until the client has said, 40 ms later, that the head has come."""

    async def at_once() -> int:
        loop = asyncio.get_running_loop()
        taken = loop.create_future()

        class Taking(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                taken.set_result(transport.get_extra_info("socket"))

        listener = listen("127.0.0.1", 0)
        async with await loop.create_server(Taking, sock=listener):
            with socket.create_connection(listener.getsockname()[:2]):
                connection: socket.socket = await taken
                return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    assert asyncio.run(at_once()) != 0


def test_too_many_requests_are_told_when_to_come_back(alone: Website) -> None:
    with alone.asked_with(alone.token("ada@example.org", "read")) as client:
        answers = [client.get("/api/v1/me") for _ in range(4)]

    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert [one.headers["ratelimit-remaining"] for one in answers] == ["2", "1", "0", "0"]
    assert answers[-1].headers["retry-after"] == "20"
    assert answers[-1].headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("path", "most"), [("/api/v1/items", 1_000_000), ("/api/v1/opml", 5_000_000)]
)
@pytest.mark.parametrize("says_how_much", [True, False])
def test_a_body_has_an_end(alone: Website, path: str, most: int, says_how_much: bool) -> None:
    def pieces() -> Iterator[bytes]:
        yield b" " * most
        yield b" "

    body = b" " * (most + 1) if says_how_much else pieces()
    with alone.asked_with(alone.token("ada@example.org", "write")) as client:
        answer = client.post(path, content=body)

    assert answer.status_code == 413
    assert f"{most:,}" in answer.json()["detail"]


def test_a_body_that_drips_is_not_waited_for(alone: Website) -> None:
    token = alone.token("ada@example.org", "write")
    head = f"POST /api/v1/items HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n"
    with _connection(alone) as connection:
        connection.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())

        assert connection.recv(65536).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("begun", [b"", b"GET /healthz HTTP/1.1\r\nHost:"])
def test_a_head_that_drips_is_not_waited_for(alone: Website, begun: bytes) -> None:
    with _connection(alone) as connection:
        connection.sendall(begun)

        assert connection.recv(65536) == b""


def test_a_second_head_that_drips_is_not_waited_for(alone: Website) -> None:
    with _connection(alone) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        heard = b""
        while not heard.endswith(b"}"):
            heard += connection.recv(65536)
        connection.sendall(b"GET /hea")

        assert connection.recv(65536) == b""


def _connection(web: Website) -> socket.socket:
    address = httpx2.URL(web.url)
    return socket.create_connection((address.host, address.port or 0), timeout=30)


def test_whoever_has_waited_longest_makes_room_for_others(tmp_path: Path, sqlite_url: str) -> None:
    class Small(PatientProtocol):
        most_connections = 3

    with website(tmp_path, sqlite_url, protocol=Small) as web, ExitStack() as stack:
        idle = []
        for _ in range(3):
            idle.append(stack.enter_context(_connection(web)))
            idle[-1].sendall(b"GET /healthz HTTP/1.1\r\n")
        with web.asked_with(None) as client:
            assert client.get("/healthz").status_code == 200
        assert idle[0].recv(100) == b""
        idle[1].sendall(b"Host: a\r\n\r\n")
        assert idle[1].recv(100).startswith(b"HTTP/1.1 200")


def test_a_daemon_has_files_left_for_its_own_work() -> None:
    usual = 1024
    assert MOST_LISTENERS < PatientProtocol.most_connections <= usual / 2


def test_who_takes_no_answer_off_is_given_up(tmp_path: Path, sqlite_url: str) -> None:
    """Else it stays in memory for as long as they like."""
    with listen("127.0.0.1", 0, unread_seconds=1) as listener:
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 1000
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(listener.getsockname())
            server, _ = listener.accept()
            server.settimeout(60)
            with server, pytest.raises(OSError, match="Connection timed out"):
                server.sendall(b"x" * 50_000_000)


def test_a_loop_that_hangs_is_named_whatever_else_does(alone: Website) -> None:
    alone.state.loops = lambda: {"heartbeat": True, "fetch": False, "briefing": False}
    with alone.asked_with(None) as client:
        told = client.get("/healthz")

    assert told.status_code == 503
    assert told.json()["detail"].startswith("fetch, briefing does not beat: restart")


def test_what_is_no_http_is_refused_as_all_else_is(alone: Website) -> None:
    with _connection(alone) as connection:
        connection.sendall(b"\0\0\0\r\n\r\n")
        heard = connection.recv(65536)

    assert heard.startswith(b"HTTP/1.1 400")
    for header in (b"application/problem+json", b"X-Content-Type-Options: nosniff"):
        assert header in heard


def test_a_body_of_two_lengths_is_refused_and_nothing_is_read_after_it(alone: Website) -> None:
    both = b"Content-Length: 49\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    hidden = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with _connection(alone) as connection:
        connection.sendall(b"POST /login HTTP/1.1\r\nHost: localhost\r\n" + both + hidden)
        told = b""
        while piece := connection.recv(65536):
            told += piece
    assert told.startswith(b"HTTP/1.1 400")
    assert told.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/nothing", "/login", "/api/v1/me"])
def test_a_head_is_the_head_of_a_get(alone: Website, path: str) -> None:
    changing = ("date", "set-cookie")
    with alone.asked_with(alone.token("ada@example.org", "read")) as client:
        got = client.get(path)
        head = client.head(path)

        assert (head.status_code, head.content) == (got.status_code, b"")
        assert len(got.content) == int(head.headers["content-length"])
        told, same = (
            {name: text for name, text in one.headers.items() if name not in changing}
            for one in (got, head)
        )
        assert {n: t for n, t in told.items() if "rate" not in n} == {
            n: t for n, t in same.items() if "rate" not in n
        }


def test_what_an_address_takes_is_told_whole(alone: Website) -> None:
    with alone.asked_with(None) as client:
        told = {
            path: client.request("PUT", f"/deck{path}").headers["allow"]
            for path in ("/api/v1/sources", "/api/v1/sources/1", "/api/openapi.json", "/logout")
        }

    assert told == {
        "/api/v1/sources": "GET, HEAD, POST",
        "/api/v1/sources/1": "DELETE, GET, HEAD, PATCH",
        "/api/openapi.json": "GET, HEAD",
        "/logout": "POST",
    }


def test_a_proxy_may_leave_the_base_path_on_or_take_it_off(alone: Website) -> None:
    with alone.asked_with(None) as client:
        codes = {client.get(path).status_code for path in ("/deck/healthz", "/healthz")}
        servers = client.get("/deck/api/openapi.json").json()["servers"]
        other = client.get("/decks/healthz").status_code
        for_apps = client.get("/deck/api/greader.php").text

    assert (codes, servers, other) == ({200}, [{"url": "/deck"}], 404)
    assert for_apps == "OK"


def test_answers_are_kept_from_being_anything_else(alone: Website) -> None:
    with alone.asked_with(None) as client:
        headers = client.get("/api/v1/nothing").headers

    assert headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "server" not in headers
    assert headers["cache-control"] == "no-store"


def test_numbers_are_for_this_machine_and_not_for_whom_a_proxy_asks(alone: Website) -> None:
    with alone.asked_with(None) as client:
        own = client.get("/metrics")
        for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
            assert client.get("/metrics", headers={header: "203.0.113.7"}).status_code == 401

        # a page of somebody else's, whose name leads to this machine for once
        assert client.get("/metrics", headers={"Host": "evil.example"}).status_code == 401
        assert client.get("/metrics", headers={"Host": "localhost:8484"}).status_code == 200

    assert own.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'morningdeck_queue_rows{stage="fetch",state="waiting"} 0\n' in own.text


def test_the_log_has_a_line_for_each_request_and_nothing_of_whoever_asks(
    alone: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", log := io.StringIO())
    logs.configure("INFO", "json")
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # the client has a log too
    token = alone.token("ada@example.org", "write")
    with alone.asked_with(token) as client:
        client.get("/api/v1/items/4711?q=s3cret")
        client.request("S3CRET", "/s3cret")

    until(lambda: log.getvalue().count('"request"') == 2)  # a line comes after its answer
    lines = log.getvalue()
    told = [json.loads(line) for line in lines.splitlines() if '"request"' in line]
    assert [(one["method"], one["route"], one["status"]) for one in told] == [
        ("GET", "/api/v1/items/{id}", 404),
        ("OTHER", "-", 404),
    ]
    assert all(one["duration_ms"] > 0 for one in told)
    for secret in (token, "s3cret", "S3CRET", "4711", "127.0.0.1"):
        assert secret not in lines


class Crowd:
    """A way out to the net on which everybody waits, and is counted."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.there = self.most = 0
        self._lock = threading.Lock()

    def ask(self, *_: Any, **__: Any) -> Any:
        with self._lock:
            self.there += 1
            self.most = max(self.most, self.there)
        self.go_on.wait(60)
        with self._lock:
            self.there -= 1
        raise PermanentError("there is nothing there")

    def close(self) -> None: ...


def test_no_more_are_worked_on_at_once_than_there_are_threads(
    tmp_path: Path, database_url: str
) -> None:
    with website(tmp_path, database_url) as web:
        crowd = Crowd()
        web.app.adapters.client = crowd  # type: ignore[assignment]  # stands in for it
        with (
            web.asked_with(web.token("ada@example.org", "write")) as client,
            ThreadPoolExecutor(2 * THREADS) as threads,
        ):
            sources = [{"url": f"https://news{n}.example"} for n in range(2 * THREADS)]
            adding = [threads.submit(client.post, "/api/v1/sources", json=one) for one in sources]
            until(lambda: crowd.there == THREADS)
            assert client.get("/healthz").status_code == 200
            crowd.go_on.set()

            assert {one.result().status_code for one in adding} == {422}
    assert crowd.most == THREADS


def test_threads_leave_connections_for_the_heartbeat() -> None:
    assert [threads_for(pool_size) for pool_size in (4, 14, 50)] == [2, 12, 48]
