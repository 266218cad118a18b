"""Numbers, times, ids of items and names of streams, as reader apps write them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from starlette.exceptions import HTTPException

from morningdeck.model.hours import EPOCH
from morningdeck.work import LARGEST_ID

BASE_PATH = "/api/greader.php"
LONG_FORM = "tag:google.com,2005:reader/item/"
STATE, LABEL, FEED = "user/-/state/com.google/", "user/-/label/", "feed/"
LONGEST_STREAM = 4_000
_HEX = re.compile(r"[0-9a-fA-F]{1,16}")
_DECIMAL = re.compile(r"[1-9][0-9]{0,18}")
_USERS = re.compile(r"user/([^/]+)/(state/com\.google|label)/(.+)", re.S)
_NUMBER = re.compile(r"[0-9]{1,9}")
_TIME = re.compile(r"[0-9]{1,20}(\.[0-9]{0,9})?")
_IN_A_SECOND = ((1e11, 1), (1e14, 1e3), (1e17, 1e6), (math.inf, 1e9))
"""Below which number of units there are so many in a second: seconds have ten digits until 2286."""


def item_id(text: str) -> int:
    """`17`, or hexadecimal: after the long form's words, with a 0 before it, or with letters."""
    bare = text.strip().removeprefix(LONG_FORM)
    number = -1
    if _DECIMAL.fullmatch(bare) and len(bare) == len(text.strip()):
        number = int(bare)
    elif _HEX.fullmatch(bare):
        number = int(bare, 16)
    if not 0 <= number <= LARGEST_ID:
        raise HTTPException(400, f"{text[:100]!r} is no id of an item")
    return number


def long_form(item: int) -> str:
    return f"{LONG_FORM}{item:016x}"


def how_many_items(text: str, most: int) -> int:
    """No more than that, whoever asks for more."""
    if not _NUMBER.fullmatch(text) or int(text) == 0:
        raise HTTPException(400, f"n is a number of items, 1 at least, not {text[:100]!r}")
    return min(int(text), most)


def time_of(text: str) -> datetime | None:
    """In seconds, milliseconds, microseconds or nanoseconds, as its size tells; 0 is none."""
    if not text:
        return None
    if not _TIME.fullmatch(text):
        raise HTTPException(400, f"{text[:100]!r} is no time")
    number = float(text)
    in_a_second = next(count for below, count in _IN_A_SECOND if number < below)
    return datetime.fromtimestamp(number / in_a_second, UTC) if number else None


def epoch_seconds(at: datetime) -> int:
    return int(at.timestamp())


def microseconds(at: datetime) -> str:
    return str((at - EPOCH) // timedelta(microseconds=1))


@dataclass(frozen=True, slots=True)
class StreamName:
    """`kind` is `state`, `label` or `feed`."""

    kind: str
    value: str


def stream_name(text: str, own_names: tuple[str, ...]) -> StreamName:
    """`own_names` are the reader's, beside `-`: somebody else's streams are not there."""
    if len(text) > LONGEST_STREAM:
        raise HTTPException(400, "the name of this stream is too long")
    if text.startswith(FEED) and text != FEED:
        return StreamName("feed", text.removeprefix(FEED))
    parts = _USERS.fullmatch(text)
    if parts is None:
        raise HTTPException(400, f"{text[:100]!r} names no stream")
    if parts[1] != "-" and parts[1].lower() not in own_names:
        raise HTTPException(404, "there is no such stream")
    return StreamName(parts[2].partition("/")[0], parts[3])
