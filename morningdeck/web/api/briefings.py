"""What is sent, when, and to whom."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck import plans
from morningdeck.actions import briefings, feeds
from morningdeck.actions.words import wanted_sections
from morningdeck.model.wanting import BriefingChanges, NewBriefing
from morningdeck.views.sent import BriefingFeedView, BriefingView, PreviewView
from morningdeck.web.answers import (
    CursorText,
    ListOf,
    PageSize,
    RowId,
    a_number,
    answer,
    page,
    read_cursor,
)
from morningdeck.web.api.bodies import BriefingEdit, BriefingToAdd, FeedToOpen
from morningdeck.web.login import By, TokenRoute

router = APIRouter(prefix="/api/v1", tags=["briefings"], route_class=TokenRoute)


@router.get("/briefings", response_model=ListOf[BriefingView])
def list_briefings(
    request: Request, by: By, limit: PageSize = 50, cursor: CursorText = None
) -> Response:
    """Your briefings, the newest first."""
    before = read_cursor(cursor, a_number)
    of, user, last = by.store.briefings, by.user.id, before and before[0]
    return page(request, limit, lambda n: of.list(user, n, before=last), lambda view: view.id)


@router.post("/briefings", response_model=BriefingView, status_code=201)
def add_briefing(request: Request, by: By, body: BriefingToAdd) -> Response:
    """Have a briefing from its next time on."""
    new = NewBriefing(
        title=body.title,
        criteria=body.criteria,
        plan=_when(body).plan(by.user.timezone),
        channels=tuple(body.channel),
        recipients=tuple(body.to),
        max_items=body.max_items,
        min_score=body.min_score,
        quiet_note=body.quiet_days == "note",
        language=body.language,
        ping=body.ping,
        source_ids=tuple(body.source),
        sections=wanted_sections(body.section),
    )
    ways = by.adapters.ways_out
    added = briefings.add(
        by.store, by.user.id, new, channels_to=ways.to, check_channels=ways.check, now=by.now
    )
    return answer(request, added, 201)


def _when(body: BriefingToAdd | BriefingEdit) -> plans.When:
    return plans.When(body.daily, body.weekly, body.at, body.timezone, body.days)


@router.get("/briefings/{id}", response_model=BriefingView)
def show_briefing(request: Request, by: By, id: RowId) -> Response:
    """Everything about one."""
    return answer(request, by.store.briefings.show(by.user.id, id))


@router.patch("/briefings/{id}", response_model=BriefingView)
def edit_briefing(request: Request, by: By, id: RowId, body: BriefingEdit) -> Response:
    """Change what you name; the rest stays as it is."""
    body.check_says_something()
    changes = BriefingChanges(
        title=body.title,
        criteria=body.criteria,
        channels=None if body.channel is None else tuple(body.channel),
        recipients=None if body.to is None else tuple(body.to),
        max_items=body.max_items,
        min_score=body.min_score,
        quiet_note=None if body.quiet_days is None else body.quiet_days == "note",
        language=body.language,
        ping=body.ping,
        source_ids=None if body.source is None else tuple(body.source),
        sections=None if body.section is None else wanted_sections(body.section),
    )
    check = by.adapters.ways_out.check
    edited = briefings.edit(
        by.store, by.user.id, id, changes, _when(body), check_channels=check, now=by.now
    )
    return answer(request, edited)


@router.delete("/briefings/{id}", status_code=204)
def remove_briefing(by: By, id: RowId) -> Response:
    """Delete it with its reports."""
    by.store.briefings.remove(by.user.id, id)
    return Response(status_code=204)


@router.post("/briefings/{id}/run", response_model=BriefingView, status_code=202)
def run_briefing(request: Request, by: By, id: RowId) -> Response:
    """Have the daemon build it and deliver it, now; once, however often you ask meanwhile."""
    asked = briefings.ask(by.store, by.user.id, id, wake=by.app.wake, now=by.now)
    return answer(request, asked, 202)


@router.get("/briefings/{id}/preview", response_model=PreviewView)
def preview_briefing(request: Request, by: By, id: RowId) -> Response:
    """What it would send now; nothing is sent or marked."""
    return answer(request, briefings.preview(by.store, by.user.id, id, now=by.now).view)


@router.post("/briefings/{id}/feed", response_model=BriefingFeedView, status_code=201)
def add_feed(request: Request, by: By, id: RowId, body: FeedToOpen | None = None) -> Response:
    """Have its reports as a feed, at a secret address that is told this once."""
    anew, base_url = body is not None and body.rotate, by.app.settings.web.address
    opened = feeds.open_feed(by.store.feeds, by.user.id, id, base_url, anew=anew)
    return answer(request, opened, 201)


@router.delete("/briefings/{id}/feed", status_code=204)
def remove_feed(by: By, id: RowId) -> Response:
    """Its secret address opens nothing any more."""
    by.store.feeds.end(by.user.id, id)
    return Response(status_code=204)
