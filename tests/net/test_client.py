"""Pages and errors, against a real server."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.model.reading import Validators
from morningdeck.ports.verbs import Http
from tests.contracts.http import HttpContract, Says
from tests.servers.web import HangUp, Request, Server, answer

from .conftest import ClientMaker

NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


# ---- pages


class TestPoliteClient(HttpContract):
    @pytest.fixture
    def http(self, client: Http) -> Http:
        return client

    @pytest.fixture
    def says(self, server: Server) -> Says:
        def says(status: int, body: bytes, **headers: str) -> str:
            server.says("/", answer(status, body, **headers))
            return server.url()

        return says


def test_a_page_comes_with_its_headers_in_lower_case(server: Server, client: Http) -> None:
    server.says("/feed", answer(body=b"<rss/>", content_type="text/xml", etag='W/"1"'))

    page = client.get(server.url("/feed#top"))

    assert (page.status, page.body, page.unchanged) == (200, b"<rss/>", False)
    assert page.url == server.url("/feed")
    assert page.permanent_url is None
    assert (page.headers["content-type"], page.headers["etag"]) == ("text/xml", 'W/"1"')


def test_a_client_says_who_it_is_and_what_it_wants(server: Server, client: Http) -> None:
    server.says("/", answer())

    client.get(server.url(), accept="application/rss+xml", headers={"X-More": "yes"})

    sent = server.requests[0].headers
    assert sent["user-agent"] == "MorningDeck/test (+https://news.example)"
    assert sent["accept"] == "application/rss+xml"
    assert sent["x-more"] == "yes"
    assert "cookie" not in sent


def test_gzip_and_chunks_are_unpacked(server: Server, client: Http) -> None:
    packed = gzip.compress(b"news " * 1000)
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (packed[:7], packed[7:]))
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.says("/", head + chunks + b"0\r\nTrailer: x\r\n\r\n")

    assert client.get(server.url()).body == b"news " * 1000
    assert client.get(server.url()).body == b"news " * 1000
    assert server.connections == 1


def test_validators_go_back_byte_for_byte(server: Server, client: Http) -> None:
    given = Validators(etag='W/"caf\u00e9  \u00fe"', last_modified="Wed,  18 Nov 2026 9:00 GMT")
    server.says("/", answer(etag=given.etag or "", last_modified=given.last_modified or ""))

    first = client.get(server.url())
    received = Validators(first.headers["etag"], first.headers["last-modified"])
    client.get(server.url(), validators=received)

    assert received == given
    sent = server.requests[1].headers
    assert (sent["if-none-match"], sent["if-modified-since"]) == (given.etag, given.last_modified)


@pytest.mark.parametrize("etag", ["a\r\nX: b", "a\rb", "a\0", "\u65e5", "a" * 5000, ""])
def test_validators_that_no_request_can_carry_are_left_out(
    server: Server, client: Http, etag: str
) -> None:
    server.says("/", answer(body=b"news"))

    assert client.get(server.url(), validators=Validators(etag, "now")).body == b"news"
    assert "if-none-match" not in server.requests[0].headers
    assert server.requests[0].headers["if-modified-since"] == "now"


def test_not_modified_is_an_answer(server: Server, client: Http) -> None:
    # Some servers announce a body that never comes.
    server.says("/", b"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n")

    page = client.get(server.url(), validators=Validators(etag='"1"'))

    assert page.unchanged
    assert page.body == b""


def test_not_modified_is_no_answer_to_one_who_has_no_page(server: Server, client: Http) -> None:
    server.says("/", b"HTTP/1.1 304 Not Modified\r\n\r\n")

    with pytest.raises(TransientError, match="304 to a request without validators"):
        client.get(server.url())


def test_repeated_and_folded_headers_are_made_one(server: Server, client: Http) -> None:
    head = b"HTTP/1.1 200 OK\r\nCache-Control: private\r\nCache-Control: max-age=60\r\n"
    folded = b"ETag: first\r\nETag: second\r\nX-Long: a\r\n b\r\nContent-Length: 0\r\n\r\n"
    server.says("/", head + folded)

    headers = client.get(server.url()).headers

    assert headers["cache-control"] == "private, max-age=60"
    assert headers["etag"] == "first"
    assert headers["x-long"] == "a b"


# ---- errors


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 300])
def test_a_refusal_is_permanent_and_tells_its_status(
    server: Server, client: Http, status: int
) -> None:
    server.says("/", answer(status))

    with pytest.raises(PermanentError, match=f"127.0.0.1: answered {status}") as caught:
        client.get(server.url())

    assert caught.value.status == status


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 599])
def test_a_busy_server_is_asked_later(server: Server, client: Http, status: int) -> None:
    server.says("/", answer(status))

    with pytest.raises(TransientError, match=f"answered {status}") as caught:
        client.get(server.url())

    assert caught.value.after is None


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("120", 120),
        ("Wed, 18 Nov 2026 12:05:00 GMT", 300),
        ("Wed, 18 Nov 2026 12:05:00 -0000", 300),
        ("Wed, 18 Nov 2026 11:00:00 GMT", 0),
        ("9" * 5000, 86_400),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ("soon", None),
        ("-5", None),
        ("", None),
    ],
)
def test_the_wait_a_server_asks_for_is_told(
    server: Server, make_client: ClientMaker, value: str, after: float | None
) -> None:
    client = make_client(clock=lambda: NOON)
    server.says("/", answer(429, retry_after=value))

    with pytest.raises(TransientError) as caught:
        client.get(server.url())

    assert caught.value.after == after


def test_a_refused_connection_is_worth_another_try(server: Server, client: Http) -> None:
    address = server.url()
    server.stop()

    with pytest.raises(TransientError, match=r"127\.0\.0\.1: Connection refused"):
        client.get(address)


@pytest.mark.parametrize("reset", [True, False])
def test_a_connection_that_breaks_is_worth_another_try(
    server: Server, client: Http, reset: bool
) -> None:
    def breaks(_: Request) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n"
        raise HangUp(reset=reset)

    server.does("/", breaks)

    with pytest.raises(TransientError, match=r"127\.0\.0\.1: "):
        client.get(server.url())


def test_what_is_not_http_is_said_to_be_so(server: Server, client: Http) -> None:
    server.says("/", b"SSH-2.0-OpenSSH_9.2\r\n")

    with pytest.raises(TransientError, match="not valid HTTP"):
        client.get(server.url())
