"""How the bodies of mail travel: what is claimed of it is believed only as far as it works.

declared     base64 that is none is taken as it stands; a footer that a list server has
             set below it is kept
undeclared   a body that is nothing but base64 is decoded
binary       is left out, whatever its part says it is; so are files packed into a text
parts        under a boundary that is missing or another's are found by the lines that
             really part them
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from copy import copy
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from itertools import islice

LONGEST_WORD = 200
"""So many characters of base64 in one go are no word."""
SHORTEST_LINE = 40
MAX_TEXT = 4_000_000
"""Bytes of one part; of more, nobody would read the end."""
MOST_CONTROLS = 0.01
LONGEST_HEAD = 2_000
MOST_DELIMITERS = 100

_NAME = re.compile(r"[a-z0-9][\w-]*", re.I)
_FOREIGN = re.compile(rb"[^A-Za-z0-9+/=]+")
_ALL_PACKED = re.compile(rb"\s*(?:[A-Za-z0-9+/]{40,}={0,2}\s+)*[A-Za-z0-9+/]+={0,2}\s*")
_GROUPS = re.compile(rb"[A-Za-z0-9+/]+")
_LINES = re.compile(
    r"(?:^[ \t]*[A-Za-z0-9+/]{60,}[ \t\r]*\n){2,}(?:[ \t]*[A-Za-z0-9+/]+={0,2}\s*$)?", re.M
)
_WORD = re.compile(rf"(?<![^\s>])[A-Za-z0-9+/=]{{{LONGEST_WORD},}}(?![^\s<])")
_PICTURE = re.compile(r"(?<=;base64,)[A-Za-z0-9+/=\s]+")
_UUENCODED = re.compile(r"^begin [0-7]{3} \S[^\n]*\n(?:[!-`][ -`]*\r?\n)*?end\b", re.M)
_CONTROLS = bytes((*range(9), *range(14, 27), *range(28, 32)))
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_DELIMITER = re.compile(r"^--(\S[^\r\n]{0,200})\r?\n(?=[\w-]+[ \t]*:)", re.M)
_HEAD_ENDS = re.compile(r"\r?\n[ \t]*\r?\n")
_KIND = re.compile(r"^Content-Type[ \t]*:\s*([\w/+.-]+)", re.M | re.I)
_HEADED = re.compile(r"\s*Content-(?:Type|Transfer-Encoding)[ \t]*:", re.I)


def read_message(body: bytes) -> Message:
    """The standard library's, which refuses nothing."""
    return BytesParser(policy=compat32).parsebytes(body.lstrip(b"\r\n"))


def content(part: Message) -> bytes:
    """The bytes of a part that has no parts; empty when they are no text."""
    said = _NAME.search(str(part.get("content-transfer-encoding", "")))
    found = _raw(part)
    match said[0].lower() if said else "":
        case "base64":
            found = _unpacked(found)
        case "quoted-printable" | "x-uuencode" | "uuencode" | "uue" | "x-uue":
            whole = part.get_payload(decode=True)
            found = whole if isinstance(whole, bytes) else found
        case _:
            packed = len(found) >= LONGEST_WORD and _ALL_PACKED.fullmatch(found)
            found = _unpacked(found) if packed else found
    if is_binary(found[:MAX_TEXT]):
        return b""
    cut = found[:MAX_TEXT]
    return found if cut == found else cut.rpartition(b"\n")[0] or cut


def is_binary(content: bytes) -> bool:
    """Text has no control characters, but for those that switch alphabets."""
    if content.startswith(_WIDE):
        return False
    controls = len(content) - len(content.translate(None, _CONTROLS))
    return content.startswith(b"%PDF-") or controls > max(3, MOST_CONTROLS * len(content))


def from_base64(letters: bytes) -> bytes:
    """As far as they go: the end may be lost."""
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def without_files(text: str) -> str:
    """The text without what somebody has packed into it."""
    for packed in (_PICTURE, _LINES, _UUENCODED, _WORD):
        text = packed.sub("", text)
    return text


def passed_on(part: Message) -> Message | None:
    """The message within a part in base64, which the standard forbids and the library keeps."""
    if "base64" not in str(part.get("content-transfer-encoding", "")).lower():
        return None
    match part.get_payload():
        case [Message() as inner] if not inner.keys():
            return read_message(_unpacked(_raw(inner)))
        case _:
            return None


def parted(part: Message) -> Message | None:
    """The part taken apart, when a broken header has kept the library from doing so."""
    raw = part.get_payload()
    if not isinstance(raw, str):
        return None
    if not part.get("content-type") and _HEADED.match(raw):
        return read_message(_raw(part).lstrip())
    if part.get_content_maintype() not in ("multipart", "text"):
        return None
    found = next(
        (each for each in _delimiters(raw) if "content-" in _head(raw, each).lower()), None
    )
    declared = part.get_content_maintype() == "multipart"
    if found is None or not (declared or _is_preamble(raw[: found.start()])):
        return None
    boundary = found[1].rstrip()
    kind = part.get_content_subtype() if declared else _kind(raw, boundary)
    quoted = boundary.replace("\\", "\\\\").replace('"', '\\"')
    head = f'Content-Type: multipart/{kind}; boundary="{quoted}"\n\n'
    return read_message(head.encode("utf-8", "surrogateescape") + _raw(part))


def _delimiters(raw: str) -> Iterator[re.Match[str]]:
    return islice(_DELIMITER.finditer(raw), MOST_DELIMITERS)


def _head(raw: str, delimiter: re.Match[str]) -> str:
    return _HEAD_ENDS.split(raw[delimiter.end() :][:LONGEST_HEAD], maxsplit=1)[0]


def _is_preamble(text: str) -> bool:
    """What a letter about mail quotes is its text: parts have nothing of their own before."""
    return not text.strip() or (len(text) < LONGEST_HEAD and "MIME" in text)


def _kind(raw: str, boundary: str) -> str:
    heads = (_head(raw, each) for each in _delimiters(raw) if each[1].rstrip() == boundary)
    kinds = [match[1].lower() for head in heads if (match := _KIND.search(head))]
    return "alternative" if sorted(kinds) == ["text/html", "text/plain"] else "mixed"


def _raw(part: Message) -> bytes:
    """Its bytes as they came, which the library gives of parts without an encoding only."""
    bare = copy(part)
    del bare["content-transfer-encoding"]
    payload = bare.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _unpacked(raw: bytes) -> bytes:
    lines = raw.strip().splitlines()
    number = next((at for at, line in enumerate(lines) if _is_foreign(line)), len(lines))
    letters = b"".join(_FOREIGN.sub(b"", line) for line in lines[:number])
    foot = b"\n".join(lines[number:])
    if foot and len(letters) < SHORTEST_LINE and not letters.endswith(b"="):
        return raw
    found = b"".join(from_base64(group[0]) for group in _GROUPS.finditer(letters))
    if foot and is_binary(found) and not is_binary(raw):
        return raw
    return found + b"\n\n" + foot if foot else found


def _is_foreign(line: bytes) -> bool:
    line = line.strip()
    return len(_FOREIGN.sub(b"", line)) < 0.9 * len(line)
