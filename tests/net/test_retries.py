"""Quick retries in place."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from datetime import timedelta
from time import monotonic

import pytest

from morningdeck.errors import PermanentError, TransientError
from tests.servers.web import HangUp, Request, Server, answer

from .conftest import ClientMaker, NoPace


class Every(NoPace):
    """The port `Pace` that only says how far apart requests are to be."""

    def __init__(self, apart: timedelta) -> None:
        self._apart = apart

    def apart(self, host: str) -> timedelta:
        return self._apart


def test_a_hiccup_is_retried_in_place(server: Server, make_client: ClientMaker) -> None:
    client = make_client(retry_delays=(0, 0))
    server.says("/", answer(503), answer(500), answer(body=b"at last"))

    assert client.get(server.url()).body == b"at last"


def test_a_broken_connection_is_retried_in_place(server: Server, make_client: ClientMaker) -> None:
    def breaks_once(_: Request) -> Iterator[bytes]:
        if len(server.requests) == 1:
            raise HangUp(reset=True)
        yield answer(body=b"at last")

    server.does("/", breaks_once)

    assert make_client(retry_delays=(0,)).get(server.url()).body == b"at last"


@pytest.mark.parametrize(
    "first",
    [answer(503, retry_after="1"), answer(503, retry_after="soon"), answer(429), answer(404)],
)
def test_who_asks_for_a_wait_or_refuses_is_not_asked_twice(
    server: Server, make_client: ClientMaker, first: bytes
) -> None:
    server.says("/", first, answer(body=b"too soon"))

    with pytest.raises((TransientError, PermanentError)):
        make_client(retry_delays=(0, 0)).get(server.url())

    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (socket.EAI_NONAME, "no such host .*, check the address"),
        (socket.EAI_AGAIN, "no name server answers"),
    ],
)
def test_a_name_that_was_not_found_is_not_looked_up_again(
    make_client: ClientMaker, code: int, said: str
) -> None:
    asked: list[str] = []

    def fails(host: str) -> Sequence[str]:
        asked.append(host)
        raise socket.gaierror(code, "not known")

    with pytest.raises(TransientError, match=rf"exmaple\.example: {said}"):
        make_client(retry_delays=(0, 0), resolver=fails).get("http://exmaple.example/feed")

    assert asked == ["exmaple.example"]


def test_a_retry_that_would_outlast_the_deadline_is_not_waited_for(
    server: Server, make_client: ClientMaker
) -> None:
    server.says("/", answer(500))
    started = monotonic()

    with pytest.raises(TransientError):
        make_client(timeout_seconds=5, retry_delays=(6,)).get(server.url())

    assert monotonic() - started < 2


def test_a_retry_comes_no_sooner_than_its_host_may_be_asked(
    server: Server, make_client: ClientMaker
) -> None:
    server.says("/", answer(500), answer(body=b"again"))
    began = monotonic()
    apart = timedelta(seconds=0.3)

    make_client(retry_delays=(0, 0), pace=Every(apart)).get(server.url())

    assert monotonic() - began >= apart.total_seconds()


def test_a_retry_that_its_host_may_not_be_asked_soon_is_left_out(
    server: Server, make_client: ClientMaker
) -> None:
    server.says("/", answer(500), answer(body=b"too soon"))

    with pytest.raises(TransientError):
        make_client(retry_delays=(0, 0), pace=Every(timedelta(seconds=61))).get(server.url())

    assert len(server.requests) == 1


def test_closing_ends_the_wait_for_a_retry(server: Server, make_client: ClientMaker) -> None:
    client = make_client(retry_delays=(8,))
    server.says("/", answer(500))
    closing = threading.Timer(0.05, client.close)
    closing.start()
    started = monotonic()

    with pytest.raises(TransientError):
        client.get(server.url())

    closing.join()
    assert monotonic() - started < 4
