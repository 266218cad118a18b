"""Views as JSON, the same as the commands print; lists by the page, with a cursor to the next.

A cursor holds the place of the last row that was seen, in what its list is ordered by: rows
that arrive or go meanwhile move nothing that is still to be seen.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Query
from pydantic import AfterValidator, BaseModel, BeforeValidator, WithJsonSchema
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from morningdeck.errors import NotFoundError
from morningdeck.views import as_json
from morningdeck.work import LARGEST_ID

MOST_OF_A_PAGE = 1000
LONGEST_CURSOR = 500
_NUMBER = re.compile("-?[0-9]+")

T = TypeVar("T")


class ListOf(BaseModel, Generic[T]):
    """One page; `next_cursor` leads to the next, and is null on the last."""

    items: list[T]
    next_cursor: str | None


class NumberRead(BaseModel):
    read: int


def _written_plainly(value: object) -> object:
    """Python would read 1_0, +9 and True, too."""
    if isinstance(value, bool) or (isinstance(value, str) and not _NUMBER.fullmatch(value)):
        raise ValueError("ids are whole numbers")
    return value


def _known(number: int) -> int:
    """What the databases cannot even hold, nobody has."""
    if not 0 < number <= LARGEST_ID:
        raise NotFoundError(f"there is nothing with the id {number}")
    return number


RowId = Annotated[
    int,
    BeforeValidator(_written_plainly),
    AfterValidator(_known),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": LARGEST_ID}),
]
PageSize = Annotated[int, Query(ge=1, le=MOST_OF_A_PAGE, description="How many at most.")]
CursorText = Annotated[
    str | None,
    Query(max_length=LONGEST_CURSOR, description="The `next_cursor` of the page before."),
]


def answer(request: Request, view: object, status: int = 200) -> Response:
    """The view, or to a GET that has it already, only that it is still the same."""
    body = json.dumps(as_json(view), separators=(",", ":")).encode()
    return unless_same(request, body, "application/json", status)


def unless_same(request: Request, body: bytes, media_type: str, status: int = 200) -> Response:
    """The body, or to a GET that has it already, only that it is still the same."""
    headers = {"Cache-Control": "private, no-cache"}
    if request.method == "GET":
        headers["ETag"] = tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        if _has(",".join(request.headers.getlist("if-none-match")), tag):
            return Response(status_code=304, headers=headers)
    return Response(body, status, headers, media_type)


def _has(known: str, tag: str) -> bool:
    tags = {one.strip().removeprefix("W/") for one in known.split(",")}
    return tag in tags or "*" in tags


def page(
    request: Request, limit: int, found: Callable[[int], Sequence[T]], place: Callable[[T], object]
) -> Response:
    """What `found` finds when it is asked for one more than are shown: then there is a next page.

    `place` is where a row stands, as `read_cursor` gives it back.
    """
    views, cursor = one_page(found(limit + 1), limit, place)
    return answer(request, {"items": views, "next_cursor": cursor})


def one_page(
    views: Sequence[T], limit: int, place: Callable[[T], object]
) -> tuple[Sequence[T], str | None]:
    """So many of them, and the cursor to the next if there are more."""
    more = len(views) > limit
    return views[:limit], cursor_of(place(views[limit - 1])) if more else None


def cursor_of(place: object) -> str:
    values = place if isinstance(place, tuple) else (place,)
    text = json.dumps([as_json(one) for one in values], separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(cursor: str | None, *kinds: Callable[[Any], Any]) -> Any:
    """The place that it holds, a value of each kind; None for the first page."""
    if cursor is None:
        return None
    try:
        values = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        return tuple(kind(value) for kind, value in zip(kinds, values, strict=True))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise HTTPException(400, "this is no cursor of ours: begin without one") from error


def a_number(value: Any) -> int:
    if type(value) is not int or abs(value) > LARGEST_ID:
        raise ValueError("not a number that the databases know")
    return value


def a_moment(value: Any) -> datetime:
    return datetime.fromisoformat(value).astimezone(UTC)


def a_day(value: Any) -> str:
    return date.fromisoformat(value).isoformat()


def a_word(value: Any) -> str:
    if "\0" in value or not value.isprintable():
        raise ValueError("not a word that the databases know")
    return str(value)
