"""Time and size: no server holds a worker or fills the memory (H8)."""

from __future__ import annotations

import gzip
import socket
import threading
import tracemalloc
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.net import PoliteClient
from morningdeck.ports.verbs import Http
from morningdeck.sockets import Deadline
from tests.servers.web import HangUp, Request, Server, answer, endless

from .conftest import ClientMaker

LIMIT = 0.3
CAP = 2**20


@contextmanager
def ends_in_time() -> Iterator[None]:
    started = monotonic()
    with pytest.raises(TransientError):
        yield
    assert monotonic() - started < LIMIT + 0.7


@pytest.fixture
def hasty(make_client: ClientMaker) -> PoliteClient:
    return make_client(timeout_seconds=LIMIT, retry_delays=(0.01, 0.01))


@pytest.fixture
def small(make_client: ClientMaker) -> PoliteClient:
    return make_client(max_body_bytes=CAP)


def test_h8_a_dripping_body_ends_at_the_deadline(server: Server, hasty: PoliteClient) -> None:
    def drip(_: Request) -> Iterator[bytes]:
        yield endless()
        yield from server.drip()

    server.does("/", drip)

    with ends_in_time():
        hasty.get(server.url())


def test_h8_dripping_headers_end_at_the_deadline(server: Server, hasty: PoliteClient) -> None:
    def drip(_: Request) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nX-Long: "
        yield from server.drip()

    server.does("/", drip)

    with ends_in_time():
        hasty.get(server.url())


def test_a_dripping_chunk_ends_at_the_deadline(server: Server, hasty: PoliteClient) -> None:
    def drip(_: Request) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n"
        yield from server.drip()

    server.does("/", drip)

    with ends_in_time():
        hasty.get(server.url())


def test_endless_preliminary_answers_end_at_the_deadline(
    server: Server, hasty: PoliteClient
) -> None:
    def drip(_: Request) -> Iterator[bytes]:
        yield from server.drip(iter(lambda: b"HTTP/1.1 100 Continue\r\n\r\n", b""))

    server.does("/", drip)

    with ends_in_time():
        hasty.get(server.url())


def test_silence_ends_at_the_deadline(server: Server, hasty: PoliteClient) -> None:
    def silent(_: Request) -> Iterator[bytes]:
        server.silence()
        yield b""

    server.does("/", silent)

    with ends_in_time():
        hasty.get(server.url())


def test_a_handshake_without_answer_ends_at_the_deadline(hasty: PoliteClient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute, ends_in_time():
        hasty.get(f"https://127.0.0.1:{mute.getsockname()[1]}/")


def test_a_hung_name_lookup_ends_at_the_deadline(make_client: ClientMaker) -> None:
    released = threading.Event()

    def hung(_: str) -> Sequence[str]:
        released.wait()
        return ()

    with ends_in_time():
        make_client(timeout_seconds=LIMIT, resolver=hung).get("http://news.example/")
    released.set()


def test_a_passed_deadline_leaves_nothing() -> None:
    with pytest.raises(TimeoutError):
        Deadline.after(0).remaining()


def test_redirects_share_one_deadline(server: Server, hasty: PoliteClient) -> None:
    def slow(_: Request) -> Iterator[bytes]:
        yield from server.drip(b"HTTP/1.1 302 Found\r\nLocation: /\r\n".splitlines(keepends=True))
        yield from server.drip([b"Content-Length: 0\r\n"] * 5)
        yield b"\r\n"

    server.does("/", slow)

    with ends_in_time():
        hasty.get(server.url())


def test_h8_a_flood_is_cut_off_at_the_cap(server: Server, small: PoliteClient) -> None:
    sent = []

    def flood(_: Request) -> Iterator[bytes]:
        yield endless()
        for _megabyte in range(1024):
            sent.append(1)
            yield bytes(2**20)

    server.does("/", flood)

    with pytest.raises(PermanentError, match=r"larger than 1048576 bytes, raise http\.max_body"):
        small.get(server.url())

    assert len(sent) < 64


def test_a_body_of_exactly_the_cap_is_a_page(server: Server, small: PoliteClient) -> None:
    server.says("/plain", answer(body=bytes(CAP)))
    server.says("/gzip", answer(body=gzip.compress(bytes(CAP)), content_encoding="gzip"))
    server.says("/more", answer(body=gzip.compress(bytes(CAP + 1)), content_encoding="gzip"))

    assert len(small.get(server.url("/plain")).body) == CAP
    assert len(small.get(server.url("/gzip")).body) == CAP
    with pytest.raises(PermanentError, match="larger than"):
        small.get(server.url("/more"))


@pytest.mark.parametrize(
    "before", [b"", gzip.compress(bytes(CAP + 1))], ids=["alone", "behind a full part"]
)
def test_a_gzip_bomb_costs_no_memory(server: Server, small: PoliteClient, before: bytes) -> None:
    server.says("/", answer(body=before + _bomb(megabytes=100), content_encoding="gzip"))
    tracemalloc.start()

    with pytest.raises(PermanentError, match="larger than"):
        small.get(server.url())

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * CAP


def test_gzip_inside_gzip_stays_data(server: Server, client: Http) -> None:
    inner = gzip.compress(b"a download")
    server.says("/", answer(body=gzip.compress(inner), content_encoding="gzip"))

    assert client.get(server.url()).body == inner


def test_a_gzip_body_of_several_parts_is_read_to_its_end(server: Server, client: Http) -> None:
    body = gzip.compress(b"one ") + gzip.compress(b"two") + bytes(9)
    server.says("/", answer(body=body, content_encoding="x-gzip"))

    assert client.get(server.url()).body == b"one two"


@pytest.mark.parametrize("encoding", ["br", "zstd", "deflate", "gzip, gzip"])
def test_an_encoding_nobody_asked_for_is_refused(
    server: Server, client: Http, encoding: str
) -> None:
    server.says("/", answer(body=b"?", content_encoding=encoding))

    with pytest.raises(PermanentError, match=f"the encoding '{encoding}' although only gzip"):
        client.get(server.url())
    assert server.requests[0].headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("head", "body", "said"),
    [
        ("Content-Length: 9", b"short", "the answer ended early"),
        ("Transfer-Encoding: chunked", b"9\r\nshort", "the answer ended early"),
        ("Transfer-Encoding: chunked", b"what\r\n", "the answer ended early"),
        ("Content-Encoding: gzip", gzip.compress(b"whole")[:-4], "the answer ended early"),
        ("Content-Encoding: gzip", b"no gzip", "its gzip body is broken"),
    ],
    ids=["short", "short chunk", "no chunk", "short gzip", "no gzip"],
)
def test_a_truncated_or_broken_body_is_never_a_page(
    server: Server, client: Http, head: str, body: bytes, said: str
) -> None:
    def breaks(_: Request) -> Iterator[bytes]:
        yield f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode() + body
        raise HangUp

    server.does("/", breaks)

    with pytest.raises(TransientError, match=f"127.0.0.1: {said}"):
        client.get(server.url())


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        (b"X: y\r\n" * 200, "got more than 100 headers"),
        (b"X: " + b"y" * 70_000 + b"\r\n", "got more than 65\\d+ bytes when reading headers"),
    ],
)
def test_too_many_headers_are_no_answer(
    server: Server, client: Http, headers: bytes, why: str
) -> None:
    server.says("/", b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n")

    with pytest.raises(TransientError, match=rf"not valid HTTP \({why}\)"):
        client.get(server.url())


def _bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    packed = [packer.compress(bytes(2**20)) for _ in range(megabytes)]
    return b"".join([*packed, packer.flush()])
