"""Heads of answers as servers write them, well and badly, against a real server."""

from __future__ import annotations

import pytest

from morningdeck.errors import TransientError
from morningdeck.ports.verbs import Http
from tests.servers.web import Server, answer

BODY = b"<rss/>"


def said(head: bytes, body: bytes = BODY) -> bytes:
    return head.replace(b"\n", b"\r\n") + b"\r\n" + body


def test_hints_without_end_are_no_answer(server: Server, client: Http) -> None:
    hint = said(b"HTTP/1.1 103 Early Hints\n", b"")
    server.says("/few", hint * 10 + answer(body=BODY))
    server.says("/many", hint * 11 + answer(body=BODY))

    assert client.get(server.url("/few")).body == BODY
    with pytest.raises(TransientError, match=r"not valid HTTP \(got more than 10 preliminary"):
        client.get(server.url("/many"))


def test_what_comes_before_the_answer_is_passed_over(server: Server, client: Http) -> None:
    hints = said(b"HTTP/1.1 103 Early Hints\nLink: </x>\nETag: early\n", b"")
    server.says("/", said(b"HTTP/1.1 100 Continue\n", b"") + hints + answer(body=BODY))

    page = client.get(server.url())

    assert (page.status, page.body) == (200, BODY)
    assert "etag" not in page.headers


@pytest.mark.parametrize(
    "broken",
    [b"this is no header", b": nameless", b"Two Words: x", b" folded"],
)
def test_a_broken_header_takes_none_of_the_others_along(
    server: Server, client: Http, broken: bytes
) -> None:
    server.says("/", said(b"HTTP/1.1 200 OK\n%b\nETag: x\nContent-Length: 6\n" % broken))

    page = client.get(server.url())

    assert (page.headers["etag"], page.body) == ("x", BODY)


def test_bytes_within_a_value_end_no_line(server: Server, client: Http) -> None:
    server.says("/", said(b"HTTP/1.1 200 OK\nETag: a\x0bX: b\x85Y: c\nContent-Length: 6\n"))

    headers = client.get(server.url()).headers

    assert headers == {"etag": "a\x0bX: b\x85Y: c", "content-length": "6"}


def test_half_a_line_end_and_zero_bytes_are_spaces(server: Server, client: Http) -> None:
    server.says("/", b"HTTP/1.1 200 OK\r\nETag: a\rb\0c\r\n\r\r\nContent-Length: 6\r\n\r\n" + BODY)

    assert client.get(server.url()).headers == {"etag": "a b c", "content-length": "6"}


@pytest.mark.parametrize(
    ("head", "stays_open"),
    [
        (b"HTTP/1.1 200 OK\nContent-Length: 6\n", True),
        (b"HTTP/1.1 200 OK\nContent-Length: 6\nConnection: Close\n", False),
        (b"HTTP/1.0 200 OK\nContent-Length: 6\n", False),
        (b"HTTP/1.0 200 OK\nContent-Length: 6\nConnection: Keep-Alive\n", True),
        (b"HTTP/1.0 200\nContent-Length: 6\nKeep-Alive: timeout=5\n", True),
    ],
)
def test_a_connection_is_used_again_if_its_server_lets_us(
    server: Server, client: Http, head: bytes, stays_open: bool
) -> None:
    server.says("/", said(head))

    assert [client.get(server.url()).body for _ in range(2)] == [BODY, BODY]
    assert server.connections == (1 if stays_open else 2)


@pytest.mark.parametrize(
    "line", [b"HTTP/2.0 200 OK", b"HTTP/1.1 20 OK", b"HTTP/1.1 2000", b"ICY 200 OK", b"hello"]
)
def test_what_is_no_status_line_is_no_answer(server: Server, client: Http, line: bytes) -> None:
    server.says("/", said(line + b"\nContent-Length: 6\n"))

    with pytest.raises(TransientError, match="not valid HTTP"):
        client.get(server.url())


def test_a_server_that_changes_the_protocol_is_not_asked_again_there(
    server: Server, client: Http
) -> None:
    server.says("/", said(b"HTTP/1.1 101 Switching Protocols\nUpgrade: x\n", b""))

    for _ in range(2):
        with pytest.raises(TransientError, match="answered 101"):
            client.get(server.url())

    assert server.connections == 2


@pytest.mark.parametrize(
    "headers",
    [b"Connection: keep-alive\nConnection: close\n", b"Transfer-Encoding: chunked\n"],
    ids=["said both", "two lengths"],
)
def test_a_connection_in_doubt_is_not_used_again(
    server: Server, client: Http, headers: bytes
) -> None:
    chunks = b"6\r\n%b\r\n0\r\n\r\n" % BODY if b"chunked" in headers else BODY
    server.says("/", said(b"HTTP/1.1 200 OK\nContent-Length: 6\n%b" % headers, chunks))

    assert [client.get(server.url()).body for _ in range(2)] == [BODY, BODY]
    assert server.connections == 2
