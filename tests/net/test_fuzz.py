"""Our reader of answers against h11's: never another body, never one more that is whole.

h11 refuses whole answers for what servers write into their heads beside the point; there, and
nowhere else, ours may take what it does not. `python -m tests.net.test_fuzz 500000 7` looks at
that many messages of another seed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from http.client import HTTPException
from itertools import chain
from random import Random

import h11

from morningdeck.net.response import Incoming, Response

MESSAGES = 4000
UNTIDY = ("illegal status line", "illegal header line", "continuation line at start of headers")
"""What h11 says of heads that ours reads all the same; bodies are framed by the rest of them."""
STRICTER = ("BadStatusLine: HTTP/",)
"""Versions other than 1."""

Verdict = tuple[int, bytes, int] | str
"""Status, body and how many bytes are left behind it; or why there is no whole answer."""


def ours(pieces: list[bytes]) -> Verdict:
    coming = iter(pieces)
    incoming = Incoming(lambda: next(coming, b""))
    try:
        response = Response(incoming)
        if response.status == 101:
            return "nobody asked for another protocol"
        body = b"".join(response.pieces())
    except (HTTPException, ConnectionResetError) as error:
        return f"{type(error).__name__}: {error}"
    rest = b"".join(chain(iter(lambda: incoming.piece(1 << 20), b"")))
    return response.status, body, len(rest)


def theirs(pieces: list[bytes]) -> Verdict:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=1 << 20)
    connection.send(h11.Request(method="GET", target="/", headers=[("Host", "news.example")]))
    connection.send(h11.EndOfMessage())
    coming, status, body = iter([*pieces, b""]), 0, b""
    try:
        while True:
            match connection.next_event():
                case h11.Response() as response:
                    status = response.status_code
                case h11.Data() as data:
                    body += data.data
                case h11.EndOfMessage():
                    rest = connection.trailing_data[0] + b"".join(coming)
                    return status, body, len(rest)
                case h11.NEED_DATA:
                    connection.receive_data(next(coming))
                case h11.InformationalResponse():
                    pass
                case event:
                    return f"{event!r}"
    except (h11.RemoteProtocolError, StopIteration) as error:
        return f"{error}"


# ---- messages

STATUS = (b"HTTP/1.1 200 OK", b"HTTP/1.1 200", b"HTTP/1.0 200 OK", b"HTTP/1.1 304 x")
ODD_STATUS = (
    *(b"HTTP/1.1 204 No", b"HTTP/1.1 103 Hints", b"HTTP/1.1 101 S", b"HTTP/1.1 100 Continue"),
    *(b"HTTP/1.1 205 R", b"HTTP/1.1 302 F", b"HTTP/1.1 099 x", b"HTTP/1.1 999 x", b"HTTP/2.0 200"),
    *(b"HTTP/1.1  200 OK", b"HTTP/1.1 2000 x", b"http/1.1 200 OK", b"HTTP/1.1 200 \xe4", b""),
)
LENGTHS = (
    b"5",
    b"05",
    b"+5",
    b"-5",
    b"5, 5",
    b"5,6",
    b"5 ",
    b" 5",
    b"0",
    b"",
    b"\xb2",
    b"0x5",
    b"5_0",
)
NAMES = (b"Content-Length", b"content-length", b"Content-Length ", b"Content_Length")
CODINGS = (b"chunked", b"Chunked", b"chunked ", b"gzip", b"gzip, chunked", b"chunked, chunked", b"")
OTHERS = (
    *(
        b"ETag: x",
        b"Connection: close",
        b"X: \xe4\xb2",
        b"X:",
        b"X: a\r\n b",
        b" folded",
        b"no colon",
    ),
    *(
        b"X : y",
        b": y",
        b"X: a\x00b",
        b"X: a\rb",
        b"Connection: keep-alive",
        b"Keep-Alive: timeout=5",
    ),
)
ENDS = (b"\r\n",) * 8 + (b"\n", b"\r\r\n", b"\r")
BODIES = (
    b"",
    b"hello",
    b"hello, world",
    b"5\r\nhello\r\n0\r\n\r\n",
    b"hell",
    b"\r\n",
    b"0\r\n\r\n",
)
SIZES = (
    b"5",
    b"05",
    b"5;x=y",
    b"5 ",
    b"5 ;x",
    b"+5",
    b"-5",
    b"0x5",
    b"5_0",
    b"",
    b" 5",
    b"F" * 16,
    b"4",
    b"6",
)


def messages(random: Random, count: int) -> Iterator[list[bytes]]:
    """Half of them in order but for one thing at most."""
    for _ in range(count):
        if random.random() < 0.5:
            message = _tidy(random)
        else:
            heads = b"".join(_head(random) for _ in range(random.choice((1, 1, 1, 1, 2))))
            message = heads + (_chunks(random) if random.random() < 0.5 else random.choice(BODIES))
        yield _cut(random, _spoiled(random, message))


def _tidy(random: Random) -> bytes:
    if random.random() < 0.3:
        framing = b"Content-Length: " + random.choice((b"5", random.choice(LENGTHS)))
        return b"HTTP/1.1 200 OK\r\n%b\r\n\r\n%b" % (framing, random.choice(BODIES))
    size, end = random.choice((b"5", random.choice(SIZES))), random.choice((b"\r\n", b"", *ENDS))
    trailer = random.choice((b"", b"X: y\r\n"))
    chunks = b"5\r\nhello\r\n%b\r\nhello%b0\r\n%b\r\n" % (size, end, trailer)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks


def _head(random: Random) -> bytes:
    lines = [random.choice(STATUS if random.random() < 0.7 else ODD_STATUS)]
    for _ in range(random.choice((0, 1, 1, 1, 2, 3))):
        name = random.choice((b"Content-Length", *NAMES))
        length = name + b": " + random.choice(LENGTHS)
        coding = b"Transfer-Encoding: " + random.choice(CODINGS)
        lines.append(random.choice((length, coding, random.choice(OTHERS))))
    return b"".join(line + random.choice(ENDS) for line in [*lines, b""])


def _chunks(random: Random) -> bytes:
    chunks = b""
    for _ in range(random.randrange(3)):
        size = random.choice(SIZES) if random.random() < 0.4 else b"5"
        chunks += size + random.choice(ENDS) + b"hello" + random.choice(ENDS)
    trailers = random.choice((b"", b"", b"X: y\r\n", b"no trailer\r\n"))
    return chunks + b"0" + random.choice(ENDS) + trailers + random.choice(ENDS)


def _spoiled(random: Random, message: bytes) -> bytes:
    for _ in range(random.choice((0, 0, 0, 1, 2))):
        at = random.randrange(len(message) + 1)
        other = bytes([random.choice((*b"\r\n\0 :;,05a", random.randrange(256)))])
        match random.randrange(4):
            case 0:
                message = message[:at]
            case 1:
                message = message[:at] + other + message[at:]
            case 2:
                message = message[:at] + other + message[at + 1 :]
            case _:
                message = message[:at] + message[at + 1 :]
    return message


def _cut(random: Random, message: bytes) -> list[bytes]:
    cuts = sorted(random.randrange(len(message) + 1) for _ in range(random.randrange(4)))
    starts, ends = [0, *cuts], [*cuts, len(message)]
    return [message[a:b] for a, b in zip(starts, ends, strict=True) if a < b]


# ---- the comparison


def disagreement(pieces: list[bytes]) -> str | None:
    mine, other = ours(pieces), theirs(pieces)
    if mine == other or (isinstance(mine, str) and isinstance(other, str)):
        return None
    if isinstance(other, str) and other.startswith(UNTIDY):
        return None
    if isinstance(mine, str) and mine.startswith(STRICTER):
        return None
    return f"{b''.join(pieces)!r}: {mine} here, {other} there"


def test_no_body_is_taken_for_whole_that_is_none_to_h11() -> None:
    found = filter(None, map(disagreement, messages(Random(1), MESSAGES)))

    assert next(found, None) is None


def main(count: int, seed: int) -> None:
    differences = list(filter(None, map(disagreement, messages(Random(seed), count))))
    print(*differences[:20], f"{len(differences)} of {count}", sep="\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
