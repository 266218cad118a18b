"""What was read."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from morningdeck.actions import items, words
from morningdeck.errors import ConfigError
from morningdeck.model.finding import ItemFilter
from morningdeck.views.reading import ItemView
from morningdeck.web.answers import (
    CursorText,
    ListOf,
    NumberRead,
    PageSize,
    RowId,
    a_moment,
    a_number,
    answer,
    page,
    read_cursor,
)
from morningdeck.web.api.bodies import ItemMarks, ItemsRead, PageToSave
from morningdeck.web.login import By, TokenRoute
from morningdeck.work import Stage

router = APIRouter(prefix="/api/v1", tags=["items"], route_class=TokenRoute)

ItemStatus = Literal["NEW", "PENDING", "PROCESSING", "DONE", "ERROR", "CANCELLED"]
MinimumScore = Annotated[int | None, Query(ge=0, le=100)]
SinceText = Annotated[
    str | None, Query(max_length=100, description="2026-11-18, or 3d for the last three days.")
]
NameText = Annotated[str | None, Query(max_length=200)]


def place_of_item(view: ItemView) -> tuple[datetime, int]:
    """Where it stands in a list."""
    return min(view.published_at or view.first_seen_at, view.first_seen_at), view.id


@router.get("/items", response_model=ListOf[ItemView])
def list_items(
    request: Request,
    by: By,
    source: RowId | None = None,
    briefing: RowId | None = None,
    status: ItemStatus | None = None,
    unread: bool = False,
    saved: bool = False,
    min_score: MinimumScore = None,
    since: SinceText = None,
    topic: NameText = None,
    language: NameText = None,
    limit: PageSize = 50,
    cursor: CursorText = None,
) -> Response:
    """Your items, the newest first."""
    wanted = ItemFilter(
        source_id=source,
        briefing_id=briefing,
        status=status,
        unread=unread,
        saved=saved,
        min_score=min_score,
        since=words.since(since, by.now, by.user.timezone) if since else None,
    )
    asks = items.narrowed(topic, language)
    before = read_cursor(cursor, a_moment, a_number)
    of, user = by.store.items, by.user.id
    return page(
        request,
        limit,
        lambda most: of.list(user, wanted, most, asks=asks, before=before),
        place_of_item,
    )


@router.post("/items", response_model=ItemView, status_code=202)
def add_page(request: Request, by: By, body: PageToSave) -> Response:
    """Have a page read, first in line, and keep it."""
    pages, wake = by.store.saved_pages, by.app.wake
    return answer(request, items.save_page(pages, by.user.id, body.url, now=by.now, wake=wake), 202)


@router.post("/items/read", response_model=NumberRead)
def read_items(request: Request, by: By, body: ItemsRead) -> Response:
    """You have read these, or all up to a date; says how many were unread."""
    if (body.ids is None) == (body.before is None):
        raise ConfigError("say what you have read: either ids, or before")
    of, user, now = by.store.items, by.user.id, by.now
    if body.ids is not None:
        return answer(request, {"read": of.mark_these_read(user, body.ids, at=now)})
    assert body.before is not None
    until = words.since(body.before.isoformat(), now, by.user.timezone)
    only = ItemFilter(source_id=body.source)
    return answer(request, {"read": of.mark_all_read(user, only, at=now, until=until)})


@router.get("/items/{id}", response_model=ItemView)
def show_item(request: Request, by: By, id: RowId) -> Response:
    """Everything about one."""
    return answer(request, by.store.items.show(by.user.id, id))


@router.post("/items/{id}/retry", response_model=ItemView, status_code=202)
def retry_item(request: Request, by: By, id: RowId) -> Response:
    """Have it enriched after all, although that failed for good."""
    waiting = by.store.items.retry(by.user.id, id)
    by.app.wake(Stage.PROCESSING.value)
    return answer(request, waiting, 202)


@router.patch("/items/{id}", response_model=ItemView)
def mark_item(request: Request, by: By, id: RowId, body: ItemMarks) -> Response:
    """Read or not, kept or not, more or less like it."""
    body.check_says_something()
    marked = items.mark(by.store.items, by.user.id, id, **body.model_dump(), now=by.now)
    return answer(request, marked)
