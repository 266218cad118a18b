"""A message as MIME has it, with everything that mail gets wrong about it.

    bytes -> headers in plain words
          -> pieces: the texts that a mail program would show, in their order

The standard library reads the tree; it never refuses a message. What headers and bodies
claim of their encoding is believed only as far as it works.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.utils import getaddresses
from itertools import groupby

from morningdeck.parsing import decode, mail_bodies

MAX_DEPTH = 20
MAX_PARTS = 500
MAX_HEADER = 5_000

_WORD = r"=\?[\w.:+-]+(?:\*[\w-]*)?\?[bBqQ]\?[^?]*\?="
_WORDS = re.compile(rf"{_WORD}(?:\s*{_WORD})*")
_WORD_PARTS = re.compile(r"=\?([\w.:+-]+)(?:\*[\w-]*)?\?([bBqQ])\?([^?]*)\?=")
_ADDRESS = re.compile(r"[^\s<>@\"(),;:]{1,100}@[\w.-]{1,200}")
_LOOKS_LIKE_HTML = re.compile(r"\s*(?:<!doctype html|<html|<body|<table|<div)\b", re.I)
_NESTED = frozenset({"message/rfc822", "message/global", "message/news"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One text of a message: HTML, or plain."""

    content: str
    is_html: bool


def header(message: Message, name: str) -> str:
    """The first header of that name, decoded, on one line; empty if there is none."""
    return decoded_header(_raw_header(message, name))


def sender(message: Message) -> tuple[str, str]:
    """Name and address (in lower case) of who it says wrote it."""
    raw = _raw_header(message, "from") or _raw_header(message, "sender")
    raw = " ".join(raw.split())
    for name, address in getaddresses([raw]):
        if _ADDRESS.fullmatch(address):
            return decoded_header(name), address.lower()
    found = _ADDRESS.search(raw)
    return "", found[0].lower() if found else ""


def decoded_header(raw: str) -> str:
    """A header on one line, its encoded words decoded, and its 8-bit junk guessed."""
    text = decode.decode_text(raw.encode("utf-8", "surrogateescape"), None)
    return " ".join(_WORDS.sub(lambda words: _decoded(words[0]), text).split())


def pieces(part: Message, depth: int = 0) -> tuple[Piece, ...]:
    """What is there to be read, letters passed on included; other attachments are not."""
    kind = part.get_content_type()
    attached = part.get_content_disposition() == "attachment" and kind not in _NESTED
    if attached or depth > MAX_DEPTH:
        return ()
    if not part.is_multipart():
        again = mail_bodies.parted(part)
        return _text(part, kind) if again is None else pieces(again, depth + 1)
    if kind.startswith("message/") and kind not in _NESTED:
        return ()
    found = [some for child in _children(part) if (some := pieces(child, depth + 1))]
    match kind:
        case "multipart/alternative":
            rich = [some for some in found if any(piece.is_html for piece in some)]
            return (rich or found or [()])[-1]
        case "multipart/related":
            return found[0] if found else ()
        case _:
            return tuple(piece for some in found for piece in some)


def walk(message: Message, depth: int = 0) -> Iterator[Message]:
    """The message and all that is in it, but not what other messages in it hold."""
    yield message
    if message.is_multipart() and depth <= MAX_DEPTH:
        for child in _children(message):
            if child.get_content_type() in _NESTED:
                yield child
            else:
                yield from walk(child, depth + 1)


def _children(part: Message) -> list[Message]:
    if part.get_content_type() in _NESTED and (letter := mail_bodies.passed_on(part)):
        return [letter]
    payload = part.get_payload()
    if not isinstance(payload, list):
        return []
    return [child for child in payload[:MAX_PARTS] if isinstance(child, Message)]


def _text(part: Message, kind: str) -> tuple[Piece, ...]:
    if not kind.startswith(("text/", "multipart/")) or kind == "text/calendar":
        return ()
    content = mail_bodies.content(part)
    text = decode.decode_page(content, header(part, "content-type"))
    text = mail_bodies.without_files(text).strip()
    is_html = kind == "text/html" or _LOOKS_LIKE_HTML.match(text) is not None
    return (Piece(text, is_html),) if text else ()


def _raw_header(message: Message, name: str) -> str:
    for key, value in message.raw_items():
        if key.lower() == name:
            return str(value)[:MAX_HEADER]
    return ""


def _decoded(words: str) -> str:
    """Neighbours of one charset are decoded together: some break inside a character."""
    found: list[tuple[str, str, str]] = _WORD_PARTS.findall(words)
    parts = ((charset.lower(), _bytes(kind, text)) for charset, kind, text in found)
    return "".join(
        decode.decode_text(b"".join(content for _, content in same), f"charset={charset}")
        for charset, same in groupby(parts, key=lambda part: part[0])
    )


def _bytes(kind: str, text: str) -> bytes:
    raw = text.encode("utf-8")
    if kind in "qQ":
        return binascii.a2b_qp(raw, header=True)
    return mail_bodies.from_base64(re.sub(rb"[^A-Za-z0-9+/]", b"", raw))
