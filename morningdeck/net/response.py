"""An answer as http.client reads it, but for its status and header lines.

The library reads those with a parser made for mails, which takes longer than all else about a
small answer, and loses the headers behind a broken one.
"""

from __future__ import annotations

import re
from http.client import BadStatusLine, HTTPException, HTTPResponse, LineTooLong
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from io import BufferedReader

LONGEST_LINE = 65_536
MOST_HEADERS = 100
LISTS = frozenset({"cache-control", "link"})
"""Headers that may come in several lines; of others the first counts."""
BLANKS = " \t"
SWITCHING, NO_CONTENT, NOT_MODIFIED = 101, 204, 304

_STATUS = re.compile(r"HTTP/(0\.9|1\.\d+)\s+([1-9]\d\d)(?!\S)")
_NAME = re.compile(r"[!-9;-~]+")


class Response(HTTPResponse):
    """`fields` has the headers: names in lower case, values untouched, each in one line."""

    fp: BufferedReader
    fields: dict[str, str]
    chunk_left: int | None

    def begin(self) -> None:
        version, status = _status(self.fp)
        self.fields = _fields(self.fp)
        while 100 <= status < 200 and status != SWITCHING:
            version, status = _status(self.fp)
            self.fields = _fields(self.fp)
        self.code = self.status = status
        self.chunked = self.fields.get("transfer-encoding", "").lower() == "chunked"
        self.chunk_left = None
        self.length = self._announced_length()
        unlimited = self.length is None and not self.chunked
        self.will_close = unlimited or _closes(version, self.fields)

    def _announced_length(self) -> int | None:
        if self.status in (SWITCHING, NO_CONTENT, NOT_MODIFIED):
            return 0  # whatever it says
        length = self.fields.get("content-length", "")
        if self.chunked or not (length.isascii() and length.isdigit()):
            return None
        return int(length[:20])


def _status(file: BufferedReader) -> tuple[str, int]:
    line = _line(file, "status line")
    found = _STATUS.match(line)
    if found is None:
        raise BadStatusLine(line)
    return found[1], int(found[2])


def _fields(file: BufferedReader) -> dict[str, str]:
    """Lines that are no header are nobody's; what is folded becomes one line."""
    fields: dict[str, str] = {}
    for line in _header_lines(file):
        name, colon, value = line.partition(":")
        if not colon or not _NAME.fullmatch(name):
            continue
        name, value = name.lower(), value.strip(BLANKS)
        if name in LISTS and name in fields:
            fields[name] += f", {value}"
        else:
            fields.setdefault(name, value)
    return fields


def _header_lines(file: BufferedReader) -> list[str]:
    lines: list[str] = []
    for _ in range(MOST_HEADERS + 1):
        line = _line(file, "header line").rstrip("\r\n")
        if not line:
            return lines
        if line[0] in BLANKS and lines:
            lines[-1] += f" {line.strip(BLANKS)}"
        else:
            lines.append(line)
    raise HTTPException(f"got more than {MOST_HEADERS} headers")


def _line(file: BufferedReader, kind: str) -> str:
    line = file.readline(LONGEST_LINE + 1)
    if len(line) > LONGEST_LINE:
        raise LineTooLong(kind)
    return line.decode("latin-1")


def _closes(version: str, fields: dict[str, str]) -> bool:
    said = fields.get("connection", "").lower()
    if version.startswith("1.") and version != "1.0":
        return "close" in said
    return "keep-alive" not in said and "keep-alive" not in fields
