"""The parts of a form with files (RFC 7578), cut apart without looking into what they hold.

Whoever sends one may be nobody yet: what it costs grows with its bytes alone. (The parser of mails
takes half a minute for a megabyte of small parts.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_string
from email.message import Message

from starlette.exceptions import HTTPException

MOST_FORM_PARTS = 1000
LONGEST_PART_HEAD, LONGEST_KIND = 2_000, 500


@dataclass(frozen=True, slots=True)
class FormPart:
    name: str
    content: bytes
    is_file: bool


def parts_of(kind: str, body: bytes) -> tuple[FormPart, ...]:
    """`kind` is the Content-Type, which names the boundary; what has no name is left out."""
    pieces = (b"\r\n" + body).split(b"\r\n--" + _boundary(kind), MOST_FORM_PARTS + 2)
    if len(pieces) > MOST_FORM_PARTS + 2:
        raise HTTPException(400, f"this form has more than {MOST_FORM_PARTS:,} parts")
    return tuple(_read(pieces[1:]))


def _boundary(kind: str) -> bytes:
    head = Message()
    head["Content-Type"] = kind[:LONGEST_KIND]
    boundary = head.get_boundary()
    if not boundary:
        raise HTTPException(400, "this form does not say where its parts end")
    return boundary.encode("latin-1", "replace")


def _read(pieces: list[bytes]) -> Iterator[FormPart]:
    for piece in pieces:
        if piece.startswith(b"--"):  # what follows is for nobody
            return
        head, _, content = piece.partition(b"\r\n\r\n")
        said = message_from_string(head[:LONGEST_PART_HEAD].decode("utf-8", "replace").lstrip())
        name = said.get_param("name", header="content-disposition")
        if isinstance(name, str):
            is_file = said.get_param("filename", header="content-disposition") is not None
            yield FormPart(name, content, is_file)
