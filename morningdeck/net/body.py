"""The body of an answer: whole, decompressed once, and never larger than allowed."""

from __future__ import annotations

import zlib
from http.client import IncompleteRead

from morningdeck.errors import PermanentError, TransientError
from morningdeck.net.response import Response

PIECE = 64 * 1024
GZIP = 16 + zlib.MAX_WBITS


def read_body(response: Response, host: str, limit: int) -> bytes:
    gunzip = _gunzip_for(response, host)
    # read(n) trusts a chunk's own length, which may be negative or huge; read1 does not.
    read = response.read1 if response.chunked else response.read
    body, received = bytearray(), 0
    while piece := read(PIECE):
        received += len(piece)
        body += gunzip.feed(piece, limit + 1 - len(body)) if gunzip else piece
        if max(received, len(body)) > limit:
            raise PermanentError(
                f"{host}: the answer is larger than {limit} bytes, raise http.max_body_bytes"
                " if you need it"
            )
    if response.length:
        raise IncompleteRead(b"", response.length)
    if gunzip and received and not gunzip.complete:
        raise IncompleteRead(b"")
    return bytes(body)


class Gunzip:
    """Decompresses as it comes; what is inside stays as it is, even if that is gzip again."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._member = zlib.decompressobj(GZIP)

    def feed(self, piece: bytes, limit: int) -> bytes:
        """Up to `limit` bytes of what the piece holds: a bomb goes off in vain."""
        found = bytearray()
        while piece and len(found) < limit:
            if self._member.eof:
                if not piece.startswith(b"\x1f\x8b"):
                    break  # Padding behind the end.
                self._member = zlib.decompressobj(GZIP)
            try:
                found += self._member.decompress(piece, limit - len(found))
            except zlib.error as error:
                raise TransientError(f"{self._host}: its gzip body is broken") from error
            piece = self._member.unused_data
        return bytes(found)

    @property
    def complete(self) -> bool:
        return self._member.eof


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
