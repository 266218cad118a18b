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
from collections.abc import Iterator
from contextlib import suppress

MAX_DOCUMENT_BYTES = 15 << 20

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Of the second character, too: a zero byte alone is but a fault.
_BARE_WIDE = (
    (re.compile(rb"<\0\0\0..\0\0", re.S), "utf-32-le"),
    (re.compile(rb"\0\0\0<\0\0", re.S), "utf-32-be"),
    (re.compile(rb"<\0[^\0]\0", re.S), "utf-16-le"),
    (re.compile(rb"\0<\0[^\0]\0", re.S), "utf-16-be"),
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
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_META_WITHIN = 4096
_DECLARED = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)", re.I)

_PIECE = 1 << 16
_ILLEGAL = bytes((*range(9), 11, 12, *range(14, 32)))
_NO_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_NOT_FIRST_OF_WIDE = bytes((*range(0x80), *range(0x80, 0xC0)))
_REPLACED = "\ufffd".encode()
_PROLOG = re.compile(
    rb"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[[^\]]*\][^>]*)?>|<!(?:ELEMENT|ENTITY)[^>]*>",
    re.S | re.I,
)


def decode_text(body: bytes, content_type: str | None) -> str:
    return to_utf8(body, content_type).decode()


def decode_page(body: bytes, content_type: str | None) -> str:
    """By the charset that the HTML names itself, where the type names none."""
    if "charset" not in (content_type or "").lower() and (
        declared := _META_CHARSET.search(body[:_META_WITHIN])
    ):
        content_type = f"text/html; charset={declared[1].decode('ascii')}"
    return decode_text(body, content_type)


def to_utf8(body: bytes, content_type: str | None) -> bytes:
    """The whole document in characters that XML allows.

    It stays bytes, and is never a string on the way: one emoji makes that four times as large.
    """
    if body.startswith(b"\x1f\x8b"):
        body = _gunzip(body)
    document = _decode(body, content_type)
    clean = document.translate(None, _ILLEGAL)
    for character in _NO_CHARACTERS:
        clean = clean.replace(character, b"")
    # mostly nothing is illegal, and the body itself need not be kept twice
    return document if len(clean) == len(document) else clean


def root_at(document: bytes) -> int:
    """Where the root element begins: behind declaration, DOCTYPE and comments."""
    start = 0
    while match := _PROLOG.match(document, start):
        start = match.end()
    return start


def _gunzip(body: bytes) -> bytes:
    """Some servers send compressed files as they are. Never more than a body may have."""
    try:
        return zlib.decompressobj(wbits=31).decompress(body, MAX_DOCUMENT_BYTES)
    except zlib.error:
        return body


def _decode(body: bytes, content_type: str | None) -> bytes:
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return _transcoded(body[len(mark) :], encoding, "replace")
    for start, encoding in _BARE_WIDE:
        if start.match(body):
            return _transcoded(body, encoding, "replace")
    is_utf8 = _is_utf8(body)
    for claim in _claims(body, content_type):
        if is_utf8 and claim.startswith(_SINGLE_BYTE):
            return body
        # LookupError: hex, zip and rot13 are codecs too, but none of text.
        with suppress(UnicodeError, LookupError):
            return _transcoded(body, claim)
    return body if is_utf8 else _as_most_of_it_is(body)


def _is_utf8(body: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in _pieces(body):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _transcoded(body: bytes, encoding: str, errors: str = "strict") -> bytes:
    """The same in UTF-8."""
    if not codecs.lookup(encoding)._is_text_encoding:
        raise LookupError(encoding)
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    found = bytearray()
    for piece in _pieces(body):
        found += decoder.decode(piece).encode("utf-8", "replace")
    found += decoder.decode(b"", final=True).encode("utf-8", "replace")
    return bytes(found)


def _pieces(body: bytes) -> Iterator[bytes]:
    return (body[start : start + _PIECE] for start in range(0, len(body), _PIECE))


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


def _as_most_of_it_is(body: bytes) -> bytes:
    """UTF-8 with some broken bytes, or a western single-byte encoding."""
    repaired = _transcoded(body, "utf-8", "replace")
    broken = repaired.count(_REPLACED)
    wide = len(repaired.translate(None, _NOT_FIRST_OF_WIDE)) - broken
    return repaired if wide > broken else _transcoded(body, "cp1252", "replace")
