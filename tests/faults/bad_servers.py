"""Servers that misbehave in how they answer, whatever it is that they answer with."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat

from tests.parsing.samples import rss
from tests.servers.web import HangUp, Server, answer, endless

MB = 1 << 20
FEED = rss("<item><guid>1</guid><title>read</title></item>")

Misbehaviour = Callable[[Server], Iterable[bytes]]
"""The pieces of one answer."""


def says(body: bytes | Callable[[], bytes], status: int = 200, **headers: str) -> Misbehaviour:
    """An answer in good form; a large body is made when it is asked for."""

    def script(_: Server) -> Iterator[bytes]:
        yield answer(status, body if isinstance(body, bytes) else body(), **headers)

    return script


def sends(*pieces: bytes) -> Misbehaviour:
    """Exactly these bytes, and the end."""

    def script(_: Server) -> Iterator[bytes]:
        yield from pieces
        raise HangUp

    return script


def redirects(address: str) -> Misbehaviour:
    return says(b"", 302, location=address)


def gzipped(body: Callable[[], bytes]) -> Misbehaviour:
    """What it says of a body that is packed already."""
    return says(body, content_encoding="gzip")


def chunked(body: bytes) -> Misbehaviour:
    return sends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body)


def of_length(length: int, body: bytes = FEED) -> Misbehaviour:
    return sends(f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode() + body)


def with_headers(*lines: bytes) -> Misbehaviour:
    return sends(b"HTTP/1.1 200 OK\r\n", *lines, b"\r\n", FEED)


# ---- without an end


def drips_headers(server: Server) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nX-Long: "
    yield from server.drip()


def drips_body(server: Server) -> Iterator[bytes]:
    yield endless()
    yield from server.drip()


def drips_answers(server: Server) -> Iterator[bytes]:
    yield from server.drip(repeat(b"HTTP/1.1 100 Continue\r\n\r\n"))


def never_answers(server: Server) -> Iterator[bytes]:
    server.silence()
    yield b""


def floods(_: Server) -> Iterator[bytes]:
    yield endless()
    yield from repeat(bytes(MB), 1024)
    raise HangUp


def floods_in_chunks(_: Server) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    yield from repeat(b"%x\r\n%b\r\n" % (MB, bytes(MB)), 1024)
    raise HangUp


# ---- and with one that comes too early


def closes_in_the_body(_: Server) -> Iterator[bytes]:
    yield answer(200, FEED)[:-40]
    raise HangUp


def resets_in_the_body(server: Server) -> Iterator[bytes]:
    yield from server.drip([answer(200, FEED)[:-40]])
    raise HangUp(reset=True)


def closes_where_no_length_is_said(_: Server) -> Iterator[bytes]:
    yield endless() + FEED[:-20]
    raise HangUp


# ---- packed


def packed(body: bytes) -> bytes:
    return gzip.compress(body, 1)


def bomb() -> bytes:
    """10 GB of nothing in 10 MB. (Nobody gets as far as its checksum, which is wrong.)"""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    piece = packer.compress(bytes(MB)) + packer.flush(zlib.Z_FULL_FLUSH)
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    return head + piece * 10_240 + packer.flush() + bytes(8)
