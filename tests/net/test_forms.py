"""Forms: sent once, to where they were meant to go, under the guard of all requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.net import PoliteClient
from tests.servers.web import HangUp, Request, Server, answer


def test_a_form_is_posted_and_its_answer_read(server: Server, client: PoliteClient) -> None:
    server.says("/token", answer(body=b'{"a": 1}'))

    page = client.post_form(
        server.url("/token"), {"grant": "a b", "x": "ü&"}, headers={"Authorization": "Basic eA=="}
    )

    assert page.body == b'{"a": 1}'
    (request,) = server.requests
    assert request.method == "POST"
    assert request.body == b"grant=a+b&x=%C3%BC%26"
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert request.headers["authorization"] == "Basic eA=="


def test_a_form_is_not_sent_on(server: Server, client: PoliteClient) -> None:
    server.says("/token", answer(307, location="/other"))

    with pytest.raises(PermanentError, match="answered 307"):
        client.post_form(server.url("/token"), {})

    assert [request.path for request in server.requests] == ["/token"]


def test_a_form_is_sent_once_whatever_becomes_of_it(
    server: Server, make_client: Callable[..., PoliteClient]
) -> None:
    def hang_up(_: Request) -> Iterator[bytes]:
        yield b""
        raise HangUp

    server.does("/token", hang_up)
    server.says("/busy", answer(503))
    client = make_client(retry_delays=(0.01,))

    for path in ("/token", "/busy"):
        with pytest.raises(TransientError):
            client.post_form(server.url(path), {})

    assert [request.path for request in server.requests] == ["/token", "/busy"]


def test_a_form_takes_no_connection_that_may_be_dead(server: Server, client: PoliteClient) -> None:
    server.says("/", answer())
    server.says("/token", answer())
    client.get(server.url("/"))

    client.post_form(server.url("/token"), {})

    assert [request.connection for request in server.requests] == [1, 2]


def test_a_form_does_not_reach_a_private_network(
    server: Server, make_client: Callable[..., PoliteClient]
) -> None:
    with pytest.raises(PermanentError, match="not a public address"):
        make_client(allow_networks=()).post_form(server.url("/token"), {})

    assert server.requests == []
