"""An answer: its head, and its body as it comes.

Where a body ends is told by its head alone, and whatever leaves that in doubt is no answer: of a
page that was cut short and kept with its ETag, the rest would never come. In all else servers
may be as untidy as they are: h11, against which tests/net/test_fuzz.py holds this reader,
refuses a page for one header without a colon, and takes four times as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.client import BadStatusLine, HTTPException, IncompleteRead

from morningdeck.net.incoming import Incoming

MOST_HEAD_BYTES = 65_536
"""Bytes of all that stands before a body, and of what stands behind it."""
MOST_HEADERS = 100
MOST_HINTS = 10
"""Preliminary answers."""
LONGEST_CHUNK_LINE = 4096
PIECE = 64 * 1024
LISTS = frozenset({"cache-control", "connection", "content-length", "link", "transfer-encoding"})
"""Headers that may come in several lines; of others the first counts."""
BLANKS = " \t"
SWITCHING, NO_CONTENT, NOT_MODIFIED = 101, 204, 304

_STATUS = re.compile(r"HTTP/(0\.9|1\.\d+)\s+([1-9]\d\d)(?!\S)")
_NAME = re.compile(r"[!-9;-~]+")
_LENGTH = re.compile(r"[0-9]{1,18}")
_TO_SPACES = bytes(32 if byte in b"\r\0" else byte for byte in range(256))
"""Some programs take them for the end of a line or of all; RFC 9110 reads them as spaces."""
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})(?:;.*)?[ \t]*\r\n")


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
