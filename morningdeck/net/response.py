"""An answer: its head, and its body as it comes.

Where a body ends is told by its head alone, and whatever leaves that in doubt is no answer: of a
page that was cut short and kept with its ETag, the rest would never come. In all else servers
may be as untidy as they are: h11, against which tests/net/test_fuzz.py holds this reader,
refuses a page for one header without a colon, and takes four times as long.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from http.client import BadStatusLine, HTTPException, IncompleteRead, LineTooLong

from morningdeck.errors import PermanentError, TransientError
from morningdeck.sockets import PIECE

MOST_HEAD_BYTES = 65_536
"""Bytes of all that stands before a body, and of what stands behind it."""
MOST_HEADERS = 100
MOST_HINTS = 10
"""Preliminary answers."""
LONGEST_CHUNK_LINE = 4096
LISTS = frozenset({"cache-control", "connection", "content-length", "link", "transfer-encoding"})
"""Headers that may come in several lines; of others the first counts."""
GZIP = 16 + zlib.MAX_WBITS
GZIP_MARK = b"\x1f\x8b"
MOST_GZIP_MEMBERS = 1000
"""Each takes time, even an empty one: 15 MB of those took 4 s."""
BLANKS = " \t"
SWITCHING, NO_CONTENT, NOT_MODIFIED = 101, 204, 304

_STATUS = re.compile(r"HTTP/(0\.9|1\.\d+)\s+([1-9]\d\d)(?!\S)")
_NAME = re.compile(r"[!-9;-~]+")
_LENGTH = re.compile(r"[0-9]{1,18}")
_TO_SPACES = bytes(32 if byte in b"\r\0" else byte for byte in range(256))
"""Some programs take them for the end of a line or of all; RFC 9110 reads them as spaces."""
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})(?:;.*)?[ \t]*\r\n")


class Incoming:
    """What a connection brings, by lines and by pieces. `receive` gives some bytes, and none at the
    end.

    What came along with a line and was not asked for yet stays here, so that nothing is read
    twice, nothing is lost, and a server that has said more than it was asked is found out.
    """

    def __init__(self, receive: Callable[[], bytes]) -> None:
        self._receive = receive
        self._held = b""
        self._at = 0

    @property
    def is_empty(self) -> bool:
        """Whether all that was received has been taken."""
        return not self._held

    def line(self, most: int, kind: str) -> bytes:
        """A line with its line feed; at the end of the connection, what is left without one."""
        end = self._held.find(b"\n", self._at) + 1
        if not end:
            return self._long_line(most, kind)
        line = self._held[self._at : end]
        if len(line) > most:
            raise LineTooLong(kind)
        self._taken(end)
        return line

    def piece(self, most: int) -> bytes:
        """What is there or comes next, and nothing after the end."""
        if not self._held:
            self._held = self._receive()
        piece = self._held[self._at : self._at + most]
        self._taken(self._at + len(piece))
        return piece

    def _taken(self, until: int) -> None:
        self._at = until
        if until == len(self._held):
            self._held, self._at = b"", 0

    def _long_line(self, most: int, kind: str) -> bytes:
        """A line that has not been received whole yet."""
        line = bytearray(self._held[self._at :])
        self._taken(len(self._held))
        while not line.endswith(b"\n") and (held := self._receive()):
            end = held.find(b"\n") + 1 or len(held)
            line += held[:end]
            self._held = held
            self._taken(end)
            if len(line) > most:
                raise LineTooLong(kind)
        return bytes(line)


class Response:
    """`fields` has the headers: names in lower case, values untouched, each in one line."""

    def __init__(self, incoming: Incoming) -> None:
        """Reads the head."""
        self._incoming = incoming
        self._room = MOST_HEAD_BYTES
        self.length: int | None
        version = self._begin()
        if self.status in (SWITCHING, NO_CONTENT, NOT_MODIFIED):
            self.chunked, self.length = False, 0  # whatever it says
        self.whole = self.length == 0
        """Whether its body has been read to the end."""
        self.will_close = (
            self.status == SWITCHING
            or (self.length is None and not self.chunked)
            or self.fields.keys() >= {"transfer-encoding", "content-length"}
            or _closes(version, self.fields)
        )

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes; IncompleteRead if the connection ends before it does."""
        if self.chunked:
            yield from self._chunks()
        elif self.length is not None:
            yield from self._exactly(self.length)
        else:
            yield from iter(lambda: self._incoming.piece(PIECE), b"")
        self.whole = True

    def _begin(self) -> str:
        for _ in range(MOST_HINTS + 1):
            version, self.status = self._status()
            self.fields = self._fields()
            self.chunked, self.length = _framing(self.fields)
            if not 100 <= self.status < 200 or self.status == SWITCHING:
                return version
        raise HTTPException(f"got more than {MOST_HINTS} preliminary answers")

    def _status(self) -> tuple[str, int]:
        line = self._line("status line")
        found = _STATUS.match(line)
        if found is None:
            raise BadStatusLine(line)
        return found[1], int(found[2])

    def _fields(self) -> dict[str, str]:
        """Lines that are no header are left out; folded ones become one line."""
        fields: dict[str, str] = {}
        for line in self._header_lines():
            name, colon, value = line.partition(":")
            name = name.rstrip(BLANKS)
            if not colon or not _NAME.fullmatch(name):
                continue
            name, value = name.lower(), value.strip(BLANKS)
            if name in LISTS and name in fields:
                fields[name] += f", {value}"
            else:
                fields.setdefault(name, value)
        return fields

    def _header_lines(self) -> list[str]:
        lines: list[str] = []
        for _ in range(MOST_HEADERS + 1):
            line = self._line("headers")
            if not line:
                return lines
            if line[0] in BLANKS and lines:
                lines[-1] += f" {line.strip(BLANKS)}"
            else:
                lines.append(line.lstrip(BLANKS))  # the first continues nothing
        raise HTTPException(f"got more than {MOST_HEADERS} headers")

    def _line(self, kind: str) -> str:
        line = self._incoming.line(self._room, kind)
        self._room -= len(line)
        if not line.endswith(b"\n"):
            raise ConnectionResetError("the connection was closed before the answer came")
        line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
        return line.translate(_TO_SPACES).decode("latin-1")

    def _exactly(self, length: int) -> Iterator[bytes]:
        while length:
            piece = self._incoming.piece(min(length, PIECE))
            if not piece:
                raise IncompleteRead(b"", length)
            length -= len(piece)
            yield piece

    def _chunks(self) -> Iterator[bytes]:
        while size := self._chunk_size():
            yield from self._exactly(size)
            if self._incoming.line(2, "chunk") != b"\r\n":
                raise IncompleteRead(b"")
        self._room = MOST_HEAD_BYTES
        for _ in range(MOST_HEADERS + 1):
            line = self._incoming.line(self._room, "trailers")
            self._room -= len(line)
            if not line.endswith(b"\n"):
                raise IncompleteRead(b"")
            if line in (b"\r\n", b"\n"):
                return
        raise HTTPException(f"got more than {MOST_HEADERS} trailers")

    def _chunk_size(self) -> int:
        line = self._incoming.line(LONGEST_CHUNK_LINE, "chunk size")
        found = _CHUNK.fullmatch(line)
        if found is None:
            raise IncompleteRead(b"")
        return int(found[1], 16)


def _framing(fields: dict[str, str]) -> tuple[bool, int | None]:
    """Does the body come in chunks, and how long is it? Neither: until the connection ends."""
    length = _length(fields["content-length"]) if "content-length" in fields else None
    if "transfer-encoding" not in fields:
        return False, length
    if fields["transfer-encoding"].lower() != "chunked":
        raise HTTPException("its transfer encoding is not chunked")
    return True, None


def _length(written: str) -> int:
    """It may be said twice, if it is the same."""
    (length, *others) = {one.strip(BLANKS) for one in written.split(",")}
    if others:
        raise HTTPException("it has several lengths")
    if not _LENGTH.fullmatch(length):
        raise HTTPException("its length is not a number")
    return int(length)


def _closes(version: str, fields: dict[str, str]) -> bool:
    said = fields.get("connection", "").lower()
    if version.startswith("1.") and version != "1.0":
        return "close" in said
    return "close" in said or ("keep-alive" not in said and "keep-alive" not in fields)


# ---- the body, whole


def read_body(response: Response, host: str, limit: int) -> bytes:
    """Decompressed once, and never larger than allowed."""
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
