"""Bytes to clean UTF-8 without a prolog: what every reader of XML here starts from.

The encoding is decided once, in this order: byte order mark, the server's charset, the
document's own declaration, UTF-8, Windows-1252. Bytes that are valid UTF-8 win over any claim
of a single-byte encoding, because servers and templates claim Latin-1 out of habit.

The prolog goes, and the DOCTYPE with it: whatever entities it declares stay undefined,
so that no bomb and no external entity ever reaches a parser.
"""

from __future__ import annotations

import codecs
import re
import zlib
from contextlib import suppress

MAX_BYTES = 15 << 20

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BARE_WIDE = (
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_SINGLE_BYTE = ("utf-8", "cp125", "iso8859", "koi8", "mac-")
# Whoever says Latin-1 means its superset, as browsers know; the same goes for others.
_SUPERSETS = {
    **dict.fromkeys(("ascii", "iso8859-1"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.I)
_DECLARED = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)", re.I)

_ILLEGAL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_PROLOG = re.compile(
    r"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[[^\]]*\][^>]*)?>|<!(?:ELEMENT|ENTITY)[^>]*>",
    re.S | re.I,
)


def to_text(body: bytes, content_type: str | None) -> str:
    """The whole document as text that XML allows."""
    if body.startswith(b"\x1f\x8b"):
        body = _gunzip(body)
    return _ILLEGAL.sub("", _decode(body, content_type))


def without_prolog(text: str) -> str:
    """From the root element on: no declaration, no DOCTYPE, no comments before it."""
    start = 0
    while match := _PROLOG.match(text, start):
        start = match.end()
    return text[start:]


def _gunzip(body: bytes) -> bytes:
    """Some servers send compressed files as they are. Never more than a body may have."""
    try:
        return zlib.decompressobj(wbits=31).decompress(body, MAX_BYTES)
    except zlib.error:
        return body


def _decode(body: bytes, content_type: str | None) -> str:
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    for start, encoding in _BARE_WIDE:
        if body.startswith(start):
            return body.decode(encoding, "replace")
    try:
        utf8 = body.decode()
    except UnicodeDecodeError:
        utf8 = None
    for claim in _claims(body, content_type):
        if utf8 is not None and claim.startswith(_SINGLE_BYTE):
            return utf8
        # LookupError: hex, zip and rot13 are codecs too, but none of text.
        with suppress(UnicodeError, LookupError):
            return body.decode(claim)
    return utf8 if utf8 is not None else _as_most_of_it_is(body)


def _claims(body: bytes, content_type: str | None) -> list[str]:
    """The encodings that the server and the document name, those that Python knows."""
    named = _CHARSET.search(content_type or "")
    declared = _DECLARED.search(body[:400])
    names = [named[1]] if named else []
    names += [declared[1].decode("ascii", "replace")] if declared else []
    return [codec for name in names if (codec := _codec(name))]


def _codec(name: str) -> str | None:
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        return None
    # A document that could be read up to this claim is not in wide characters.
    return None if codec.startswith(("utf-16", "utf-32")) else _SUPERSETS.get(codec, codec)


def _as_most_of_it_is(body: bytes) -> str:
    """UTF-8 with some broken bytes, or a western single-byte encoding."""
    text = body.decode("utf-8", "replace")
    wide = sum(1 for char in text if char > "\x7f" and char != "\ufffd")
    return text if wide > text.count("\ufffd") else body.decode("cp1252", "replace")
