"""Heads of answers as servers write them, well and badly, against a real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from morningdeck.errors import TransientError
from morningdeck.ports import Http

from .server import HangUp, Request, Server, answer

BODY = b"<rss/>"


def said(head: bytes, body: bytes = BODY) -> bytes:
    return head.replace(b"\n", b"\r\n") + b"\r\n" + body


def test_what_comes_before_the_answer_is_passed_over(server: Server, client: Http) -> None:
    hints = said(b"HTTP/1.1 103 Early Hints\nLink: </x>\nETag: early\n", b"")
    server.says("/", said(b"HTTP/1.1 100 Continue\n", b"") + hints + answer(body=BODY))

    page = client.get(server.url())

    assert (page.status, page.body) == (200, BODY)
    assert "etag" not in page.headers


@pytest.mark.parametrize(
    "broken",
    [b"this is no header", b": nameless", b"Two Words: x", b"Content-Length : 2", b" folded"],
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


@pytest.mark.parametrize("length", [b"-6", b"six", b"\xb2", b"6, 6", b""])
def test_a_length_that_is_none_means_all_until_the_end(
    server: Server, client: Http, length: bytes
) -> None:
    def until_the_end(_: Request) -> Iterator[bytes]:
        yield said(b"HTTP/1.1 200 OK\nContent-Length: %b\n" % length)
        raise HangUp

    server.does("/", until_the_end)

    assert client.get(server.url()).body == BODY


@pytest.mark.parametrize(
    "line", [b"HTTP/2.0 200 OK", b"HTTP/1.1 20 OK", b"HTTP/1.1 2000", b"ICY 200 OK", b"hello"]
)
def test_what_is_no_status_line_is_no_answer(server: Server, client: Http, line: bytes) -> None:
    server.says("/", said(line + b"\nContent-Length: 6\n"))

    with pytest.raises(TransientError, match="not valid HTTP"):
        client.get(server.url())
