"""Where a body ends: what leaves that in doubt, or ends before, is never a page."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest

from morningdeck.errors import TransientError
from morningdeck.net import PoliteClient
from morningdeck.net.response import Gunzip
from morningdeck.ports.verbs import Http
from tests.servers.web import HangUp, Request, Script, Server, answer

BODY = b"<rss/>"
WHOLE = b"<rss>one</rss>"


def then_hangs_up(head: bytes, body: bytes, *, farewell: bool = False) -> Script:
    def script(_: Request) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n" + head.replace(b"\n", b"\r\n") + b"\r\n\r\n" + body
        raise HangUp(farewell=farewell)

    return script


# ---- lengths


@pytest.mark.parametrize(
    "length", [b"+6", b"-6", b"six", b"\xb2", b"", b"6.0", b"6, 7", b"6,", b"6_0"]
)
def test_a_length_that_is_none_is_refused(server: Server, client: Http, length: bytes) -> None:
    server.does("/", then_hangs_up(b"Content-Length: " + length, BODY))

    with pytest.raises(TransientError, match=r"not valid HTTP \(it(s length| has several)"):
        client.get(server.url())


def test_a_length_counts_although_its_line_begins_like_a_folded_one(
    server: Server, client: Http
) -> None:
    server.does("/", then_hangs_up(b" Content-Length: 60", BODY))

    with pytest.raises(TransientError):
        client.get(server.url())


@pytest.mark.parametrize("name", [b"Content-Length", b"CONTENT-LENGTH", b"Content-Length "])
def test_two_lengths_are_one_if_they_are_the_same(
    server: Server, client: Http, name: bytes
) -> None:
    server.does("/same", then_hangs_up(b"Content-Length: 6, 6\n%b: 6" % name, BODY))
    server.does("/other", then_hangs_up(b"Content-Length: 6\n%b: 60" % name, BODY))

    assert client.get(server.url("/same")).body == BODY
    with pytest.raises(TransientError, match="it has several lengths"):
        client.get(server.url("/other"))


@pytest.mark.parametrize(
    "encoding", [b"gzip", b"gzip, chunked", b"identity", b"chunked\nTransfer-Encoding: x", b""]
)
def test_of_transfer_encodings_only_chunked_is_read(
    server: Server, client: Http, encoding: bytes
) -> None:
    server.does("/", then_hangs_up(b"Transfer-Encoding: " + encoding, BODY))

    with pytest.raises(TransientError, match="its transfer encoding is not chunked"):
        client.get(server.url())


def test_a_part_that_nobody_asked_for_is_not_the_page(server: Server, client: Http) -> None:
    server.says("/", answer(206, body=BODY, content_range="bytes 0-5/600", etag='"whole"'))

    with pytest.raises(TransientError, match="answered 206"):
        client.get(server.url())


# ---- chunks


@pytest.mark.parametrize("size", [b"+6", b"-6", b"0x6", b"0_6", b" 6", b"", b"6 6", b"f" * 17])
def test_the_size_of_a_chunk_is_a_plain_number(server: Server, client: Http, size: bytes) -> None:
    chunks = size + b"\r\n" + BODY + b"\r\n0\r\n\r\n"
    server.does("/", then_hangs_up(b"Transfer-Encoding: chunked", chunks))

    with pytest.raises(TransientError, match="the answer ended early"):
        client.get(server.url())


@pytest.mark.parametrize(
    "chunks",
    [
        b"6\r\n<rss/>",
        b"6\r\n<rss/>\r\n",
        b"6\r\n<rss/>\r\n0\r\n",
        b"6\r\n<rss/>\r\n0\r\nTrailer: x\r\n",
        b"6\r\n<rss/>0\r\n\r\n",
        b"3\r\n<rss/>\r\n0\r\n\r\n",
    ],
)
def test_chunks_without_their_end_are_no_page(server: Server, client: Http, chunks: bytes) -> None:
    server.does("/", then_hangs_up(b"Transfer-Encoding: Chunked", chunks))

    with pytest.raises(TransientError, match=r"ended early|when reading"):
        client.get(server.url())


def test_what_chunks_say_beside_their_size_is_passed_over(server: Server, client: Http) -> None:
    chunks = b'3;a="b"\r\n<rs\r\n003; c\r\ns/>\r\n0\r\nTrailer: x\r\n\r\n'
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.says("/", head + chunks)

    assert [client.get(server.url()).body for _ in range(2)] == [BODY, BODY]
    assert server.connections == 1


# ---- gzip


@pytest.mark.parametrize("between", [b"", bytes(3)], ids=["at once", "padded"])
def test_gzip_in_two_parts_is_read_wherever_it_is_cut(between: bytes) -> None:
    packed = gzip.compress(b"one ") + between + gzip.compress(b"two") + bytes(5)

    for cut in range(1, len(packed)):
        gunzip = Gunzip("news.example")
        read = gunzip.feed(packed[:cut], 99) + gunzip.feed(packed[cut:], 99)
        assert (read, gunzip.complete) == (b"one two", True), cut


def test_what_follows_gzip_and_is_none_begins_no_part_later() -> None:
    gunzip = Gunzip("news.example")

    read = b"".join(gunzip.feed(piece, 99) for piece in (gzip.compress(b"one"), b"?", b"\x1f\x8b"))

    assert (read, gunzip.complete) == (b"one", True)


def test_gzip_that_ends_within_the_mark_of_a_part_is_not_whole(
    server: Server, client: Http
) -> None:
    packed = gzip.compress(b"one") + b"\x1f"
    server.says("/", answer(body=packed, content_encoding="gzip"))

    with pytest.raises(TransientError, match="the answer ended early"):
        client.get(server.url())


# ---- TLS


def test_a_secure_page_without_length_needs_the_last_word(
    secure_server: Server, trusting: PoliteClient
) -> None:
    secure_server.does("/said", then_hangs_up(b"X: y", WHOLE, farewell=True))
    secure_server.does("/cut", then_hangs_up(b"X: y", WHOLE[:7]))

    assert trusting.get(secure_server.url("/said", host="news.example")).body == WHOLE
    with pytest.raises(TransientError, match=r"news\.example: the secure connection was cut off"):
        trusting.get(secure_server.url("/cut", host="news.example"))


def test_a_secure_page_of_known_length_needs_none(
    secure_server: Server, trusting: PoliteClient
) -> None:
    secure_server.does("/", then_hangs_up(b"Content-Length: 14", WHOLE))

    for _ in range(2):
        assert trusting.get(secure_server.url(host="news.example")).body == WHOLE


@pytest.mark.parametrize("size", [600, 8192])
def test_an_answer_that_came_along_is_not_taken_for_the_next(
    secure_server: Server, trusting: PoliteClient, size: int
) -> None:
    head = answer(body=b"", content_length=f"{size - 100}", x="")
    asked = head.replace(b"X: ", b"X: " + b"x" * (100 - len(head))) + bytes(size - 100)
    secure_server.says("/", asked + answer(body=b"forged"))
    secure_server.says("/next", answer(body=b"next"))

    trusting.get(secure_server.url(host="news.example"))

    assert trusting.get(secure_server.url("/next", host="news.example")).body == b"next"
