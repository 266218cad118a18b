"""How texts travel: 7-bit lines, by whichever of the two encodings takes less.

Most languages are shorter, and legible, as quoted-printable; in Chinese or Japanese each sign takes
nine bytes of it and four of base64.
"""

from __future__ import annotations

from binascii import b2a_qp

QUOTED, BASE64 = "quoted-printable", "base64"
WORTH_IT = 0.8
"""What can be read in a terminal is worth some bytes."""


def encoding_of(text: str) -> str:
    return BASE64 if _in_base64(text) < WORTH_IT * _quoted(text) else QUOTED


def body_bytes(text: str) -> int:
    return _quoted(text) if encoding_of(text) == QUOTED else _in_base64(text)


def _quoted(text: str) -> int:
    return len(b2a_qp(_wire(text), istext=True))


def _in_base64(text: str) -> int:
    return encoded_bytes(len(_wire(text)))


def encoded_bytes(number: int) -> int:
    """So many in base64: lines of 76 signs and two bytes for the end of each."""
    signs = -(-number // 3) * 4
    return signs + 2 * -(-signs // 76)


def _wire(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()
