"""Connections: kept, replaced, shared between threads, and secured."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from morningdeck.errors import TransientError
from morningdeck.model.reading import Validators
from morningdeck.net import PoliteClient
from morningdeck.net.connection import GuardedConnection, Pool, dial
from morningdeck.net.urls import Origin
from morningdeck.ports.verbs import Http
from morningdeck.sockets import Deadline
from tests.servers.web import HangUp, Request, Server, answer

from .conftest import ClientMaker

KNOWN = Validators(etag='"1"')


def test_a_connection_is_used_again(server: Server, client: Http) -> None:
    server.says("/", answer(body=b"1"), answer(304), answer(body=b"3"))

    for _ in range(3):
        client.get(server.url(), validators=KNOWN)

    assert server.connections == 1


def test_a_connection_its_server_has_closed_is_replaced_unnoticed(
    server: Server, client: Http
) -> None:
    def once(_: Request) -> Iterator[bytes]:
        yield answer(body=b"ok")
        raise HangUp

    server.does("/", once)

    assert [client.get(server.url()).body for _ in range(3)] == [b"ok"] * 3
    assert server.connections == 3


def test_a_connection_that_is_closed_while_asking_is_replaced_unnoticed(
    server: Server, client: Http
) -> None:
    def once_each(request: Request) -> Iterator[bytes]:
        if [past.connection for past in server.requests].count(request.connection) > 1:
            raise HangUp
        yield answer(body=b"ok")

    server.does("/", once_each)

    assert [client.get(server.url()).body for _ in range(3)] == [b"ok"] * 3
    assert server.connections == 3


def test_an_answer_nobody_asked_for_is_not_taken_for_the_next(server: Server, client: Http) -> None:
    sent_all = threading.Event()

    def chatty(_: Request) -> Iterator[bytes]:
        yield answer(body=b"asked")
        yield answer(408, body=b"not asked")
        sent_all.set()

    server.does("/", chatty)
    server.says("/next", answer(body=b"next"))

    client.get(server.url())
    assert sent_all.wait(5)

    assert client.get(server.url("/next")).body == b"next"


def test_many_threads_share_the_client(server: Server, client: Http) -> None:
    server.does("/a", lambda _: [answer(body=b"a" * 5000)])
    server.does("/b", lambda _: [answer(304)])

    def visit(turn: int) -> bool:
        page = client.get(server.url("/a" if turn % 2 else "/b"), validators=KNOWN)
        return page.body == (b"a" * 5000 if turn % 2 else b"")

    with ThreadPoolExecutor(16) as threads:
        assert all(threads.map(visit, range(800)))

    assert server.connections <= 16


def test_a_page_that_ends_with_its_connection_is_whole(server: Server, client: Http) -> None:
    def until_close(_: Request) -> Iterator[bytes]:
        yield b"HTTP/1.0 200 OK\r\n\r\nall of it"
        raise HangUp

    server.does("/", until_close)

    assert client.get(server.url()).body == b"all of it"


def test_a_certificate_is_checked_against_the_name_not_the_address(
    secure_server: Server, trusting: PoliteClient
) -> None:
    secure_server.says("/", answer(body=b"secret news"))

    for _ in range(2):
        assert trusting.get(secure_server.url(host="news.example")).body == b"secret news"

    assert secure_server.connections == 1
    with pytest.raises(TransientError, match=r"other\.example: its certificate is not valid: Host"):
        trusting.get(secure_server.url(host="other.example"))


def test_an_unknown_certificate_is_not_accepted(
    secure_server: Server, make_client: ClientMaker
) -> None:
    with pytest.raises(TransientError, match="certificate is not valid: self-signed"):
        make_client(retry_delays=(0,)).get(secure_server.url())

    assert secure_server.connections == 1


def test_a_port_that_speaks_no_tls_is_said_to_fail(client: Http) -> None:
    with socket.create_server(("127.0.0.1", 0)) as plain, ThreadPoolExecutor() as threads:
        asking = threads.submit(client.get, f"https://127.0.0.1:{plain.getsockname()[1]}/")
        with plain.accept()[0] as connection:
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            with pytest.raises(TransientError, match="the secure connection failed"):
                asking.result(5)


# ---- the pool


@pytest.fixture
def dialed(server: Server) -> Iterator[Callable[[], GuardedConnection]]:
    made: list[GuardedConnection] = []

    def connect() -> GuardedConnection:
        origin = Origin("http", "127.0.0.1", server.port)
        tls = ssl.create_default_context()
        made.append(dial(origin, ["127.0.0.1"], tls, Deadline.after(5)))
        return made[-1]

    yield connect
    for connection in made:
        connection.close()


def test_a_full_pool_closes_the_oldest(dialed: Callable[[], GuardedConnection]) -> None:
    pool = Pool(size=2)
    first, second, third = dialed(), dialed(), dialed()

    for connection in (first, second, third):
        pool.give(connection)

    assert not first.is_open
    assert [pool.take(third.origin) for _ in range(3)] == [third, second, None]


def test_a_connection_that_waited_too_long_is_not_used(
    dialed: Callable[[], GuardedConnection],
) -> None:
    pool = Pool(idle_seconds=0)
    connection = dialed()

    pool.give(connection)

    assert pool.take(connection.origin) is None
    assert not connection.is_open


def test_a_closed_pool_keeps_nothing(dialed: Callable[[], GuardedConnection]) -> None:
    pool = Pool()
    before, after = dialed(), dialed()

    pool.give(before)
    pool.close()
    pool.give(after)

    assert not before.is_open
    assert not after.is_open


def test_a_closed_connection_is_never_reopened(dialed: Callable[[], GuardedConnection]) -> None:
    connection = dialed()
    connection.close()

    with pytest.raises(OSError, match="Bad file descriptor"):
        connection.ask("/", {}, Deadline.after(5))


@pytest.mark.parametrize("broken", ["a\r\nX: b", "a\nX: b", "a\r"])
def test_no_header_can_bring_another_one(
    dialed: Callable[[], GuardedConnection], broken: str
) -> None:
    with pytest.raises(ValueError, match=r"header If-None-Match: .* has a line break"):
        dialed().ask("/", {"If-None-Match": broken}, Deadline.after(5))
