"""What happened, and who tells it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import words
from morningdeck.views.reading import StoryView
from morningdeck.web.answers import (
    CursorText,
    ListOf,
    PageSize,
    RowId,
    a_moment,
    a_number,
    answer,
    page,
    read_cursor,
)
from morningdeck.web.api.items import SinceText
from morningdeck.web.login import By, TokenRoute

router = APIRouter(prefix="/api/v1", tags=["stories"], route_class=TokenRoute)


@router.get("/stories", response_model=ListOf[StoryView])
def list_stories(
    request: Request,
    by: By,
    shared: bool = False,
    since: SinceText = None,
    limit: PageSize = 50,
    cursor: CursorText = None,
) -> Response:
    """What your sources tell, the newest first; `shared`: what several of them tell."""
    before = read_cursor(cursor, a_moment, a_number)
    begin = words.since(since, by.now, by.user.timezone) if since else None
    of, user = by.store.told_stories, by.user.id
    return page(
        request,
        limit,
        lambda most: of.list(user, most, shared=shared, since=begin, before=before),
        lambda view: (view.newest_at, view.told_by[0].id),
    )


@router.get("/stories/{id}", response_model=StoryView)
def show_story(request: Request, by: By, id: RowId) -> Response:
    """One with all that your sources tell of it."""
    return answer(request, by.store.told_stories.show(by.user.id, id))
