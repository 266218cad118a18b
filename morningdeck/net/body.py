"""The body of an answer: whole, decompressed once, and never larger than allowed."""

from __future__ import annotations

import zlib
from http.client import IncompleteRead

from morningdeck.errors import PermanentError, TransientError
from morningdeck.net.response import Response

GZIP = 16 + zlib.MAX_WBITS
GZIP_MARK = b"\x1f\x8b"
MOST_GZIP_MEMBERS = 1000
"""Each takes time, even an empty one: 15 MB of those took 4 s."""


def read_body(response: Response, host: str, limit: int) -> bytes:
    gunzip = _gunzip_for(response, host)
    body, received = bytearray(), 0
    for piece in response.pieces():
        received += len(piece)
        body += gunzip.feed(piece, limit + 1 - len(body)) if gunzip else piece
        if max(received, len(body)) > limit:
            raise PermanentError(
                f"{host}: the answer is larger than {limit} bytes, raise http.max_body_bytes"
                " if you need it"
            )
    if gunzip and received and not gunzip.complete:
        raise IncompleteRead(b"")
    return bytes(body)


class Gunzip:
    """Decompresses as it comes; what is inside stays as it is, even if that is gzip again."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._member = zlib.decompressobj(GZIP)
        self._members = 1
        self._behind = b""
        """The first half of a mark, which may begin another member."""
        self._over = False

    def feed(self, piece: bytes, limit: int) -> bytes:
        """Up to `limit` bytes of what the piece holds, however many it would decompress to."""
        found = bytearray()
        piece, self._behind = self._behind + piece, b""
        while piece and len(found) < limit and not self._over:
            if self._member.eof and not (piece := self._next_member(piece)):
                break
            try:
                found += self._member.decompress(piece, limit - len(found))
            except zlib.error as error:
                raise TransientError(f"{self._host}: its gzip body is broken") from error
            piece = self._member.unused_data
        return bytes(found)

    def _next_member(self, piece: bytes) -> bytes:
        """The piece if another member begins with it; anything else behind an end is padding."""
        piece = piece.lstrip(b"\0")
        if piece == GZIP_MARK[:1]:
            self._behind = piece
            return b""
        self._over = bool(piece) and not piece.startswith(GZIP_MARK)
        if not piece or self._over:
            return b""
        self._member = zlib.decompressobj(GZIP)
        self._members += 1
        if self._members > MOST_GZIP_MEMBERS:
            raise PermanentError(
                f"{self._host}: its gzip body has more than {MOST_GZIP_MEMBERS} parts"
            )
        return piece

    @property
    def complete(self) -> bool:
        return self._member.eof and not self._behind


def _gunzip_for(response: Response, host: str) -> Gunzip | None:
    match response.fields.get("content-encoding", "").lower():
        case "" | "identity":
            return None
        case "gzip" | "x-gzip":
            return Gunzip(host)
        case encoding:
            raise PermanentError(
                f"{host}: answers in the encoding {encoding[:40]!r}"
                " although only gzip was asked for"
            )
