"""What is read: sources, and lists of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from morningdeck.actions import opml, sources, words
from morningdeck.addresses import source_type, source_url
from morningdeck.model.kinds import Health
from morningdeck.model.wanting import NewSource, SourceChanges
from morningdeck.views.reading import ImportView, SourceView
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
from morningdeck.web.api.bodies import SourceEdit, SourceToAdd
from morningdeck.web.login import By, TokenRoute
from morningdeck.web.multipart import parts_of

router = APIRouter(prefix="/api/v1", tags=["sources"], route_class=TokenRoute)

LIST_TYPE = "text/x-opml"
LIST = {"schema": {"type": "string"}}
A_LIST: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            LIST_TYPE: LIST,
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"file": {"type": "string", "format": "binary"}},
                    "required": ["file"],
                }
            },
        },
    }
}


@router.get("/sources", response_model=ListOf[SourceView])
def list_sources(
    request: Request,
    by: By,
    health: Health | None = None,
    limit: PageSize = 50,
    cursor: CursorText = None,
) -> Response:
    """Your sources, the newest first."""
    before = read_cursor(cursor, a_moment, a_number)
    of, user = by.store.subscriptions, by.user.id
    return page(
        request,
        limit,
        lambda most: of.list(user, most, health=health, before=before),
        lambda view: (view.since, view.id),
    )


@router.post("/sources", response_model=SourceView, status_code=201)
def add_source(request: Request, by: By, body: SourceToAdd) -> Response:
    """Read a source from now on, after a first look at it."""
    type_ = source_type(body.url, body.type)
    new = NewSource(
        url=source_url(body.url, type_),
        type=type_,
        name=body.name.strip(),
        topics=tuple(body.topics),
        prompt=body.prompt.strip(),
        refresh=_length(body.every),
    )
    found = (
        sources.look(new.url, type_, readers=by.adapters.waiting_readers) if body.check else None
    )
    own, user = by.store.subscriptions, by.user.id
    added = sources.add(own, user, new, found, now=by.now, briefing_ids=body.briefing)
    return answer(request, added, 201)


@router.get("/sources/{id}", response_model=SourceView)
def show_source(request: Request, by: By, id: RowId) -> Response:
    """Everything about one."""
    return answer(request, by.store.subscriptions.show(by.user.id, id))


@router.patch("/sources/{id}", response_model=SourceView)
def edit_source(request: Request, by: By, id: RowId, body: SourceEdit) -> Response:
    """Change what you name; the rest stays as it is."""
    body.check_says_something()
    changes = SourceChanges(
        name=None if body.name is None else body.name.strip(),
        topics=None if body.topics is None else tuple(body.topics),
        tags=None if body.tags is None else tuple(body.tags),
        prompt=None if body.prompt is None else body.prompt.strip(),
        refresh=_length(body.every),
    )
    return answer(request, by.store.subscriptions.edit(by.user.id, id, changes, now=by.now))


def _length(every: str | None) -> timedelta | None:
    return words.length(every) if every else None


@router.delete("/sources/{id}", status_code=204)
def remove_source(by: By, id: RowId) -> Response:
    """End the subscription; saved items stay."""
    by.store.subscriptions.remove(by.user.id, id)
    return Response(status_code=204)


@router.post("/sources/{id}/refresh", response_model=SourceView)
def refresh_source(request: Request, by: By, id: RowId) -> Response:
    """Have it read now."""
    return answer(request, by.store.subscriptions.refresh(by.user.id, id, now=by.now))


@router.post("/sources/{id}/pause", response_model=SourceView)
def pause_source(request: Request, by: By, id: RowId) -> Response:
    """Do not read it for now."""
    return answer(request, by.store.subscriptions.pause(by.user.id, id))


@router.post("/sources/{id}/resume", response_model=SourceView)
def resume_source(request: Request, by: By, id: RowId) -> Response:
    """Read it again."""
    return answer(request, by.store.subscriptions.resume(by.user.id, id, now=by.now))


@router.post("/sources/{id}/reset", response_model=SourceView)
def reset_source(request: Request, by: By, id: RowId) -> Response:
    """Forget its failures and what it said, and have it read anew, now."""
    return answer(request, by.store.subscriptions.reset(by.user.id, id, now=by.now))


# ---- lists of feeds


@router.get("/opml", response_class=Response, responses={200: {"content": {LIST_TYPE: LIST}}})
def export_opml(by: By) -> Response:
    """Your feeds, pages and subreddits as OPML."""
    feeds = opml.feeds_of(by.store.subscriptions, by.user.id)
    return Response(opml.outline(feeds), media_type=LIST_TYPE)


async def _body(request: Request) -> bytes:
    return await request.body()


@router.post("/opml", response_model=ImportView, openapi_extra=A_LIST)
def import_opml(
    request: Request,
    by: By,
    body: Annotated[bytes, Depends(_body)],
    briefing: RowId | None = None,
) -> Response:
    """Read all the feeds of a list from now on: the body, or the one file of a form."""
    kind = request.headers.get("content-type", "")
    document = _file_of(kind, body) if kind.startswith("multipart/") else body
    feeds = by.adapters.parser.opml(document)
    named = () if briefing is None else (briefing,)
    own, user = by.store.subscriptions, by.user.id
    return answer(request, opml.import_(own, user, feeds, now=by.now, briefing_ids=named))


def _file_of(kind: str, body: bytes) -> bytes:
    """The first file of a form."""
    for part in parts_of(kind, body):
        if part.is_file:
            return part.content
    raise HTTPException(422, "there is no file in this form: send one, or the list itself")
