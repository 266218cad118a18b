"""What leads out of the deck without a login: feeds of briefings, at addresses that are secrets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import feeds
from morningdeck.languages import primary_language
from morningdeck.render.feeds import Feed, as_atom, as_json_feed, as_rss, entry, feed_of
from morningdeck.web.answers import unless_same

RSS, ATOM, JSON = "application/rss+xml", "application/atom+xml", "application/feed+json"

router = APIRouter(tags=["feeds"])


def _is(media_type: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {media_type: {"schema": {"type": "string"}}}}}


@router.get("/feeds/{secret}.rss", response_class=Response, responses=_is(RSS))
def show_rss(request: Request, secret: str) -> Response:
    """A briefing's reports as RSS 2.0, at its secret address."""
    return _told(request, secret, as_rss, RSS)


@router.get("/feeds/{secret}.atom", response_class=Response, responses=_is(ATOM))
def show_atom(request: Request, secret: str) -> Response:
    """A briefing's reports as Atom 1.0, at its secret address."""
    return _told(request, secret, as_atom, ATOM)


@router.get("/feeds/{secret}.json", response_class=Response, responses=_is(JSON))
def show_json_feed(request: Request, secret: str) -> Response:
    """A briefing's reports as JSON Feed 1.1, at its secret address."""
    return _told(request, secret, as_json_feed, JSON)


def _told(
    request: Request, secret: str, tell: Callable[[Feed], bytes], media_type: str
) -> Response:
    app = request.app.state.deck
    owner, reports = feeds.read_feed(app.store.feeds, secret)
    name_of = app.adapters.outlets.signer.name_of
    told = feed_of(
        name_of("briefing", owner.briefing_id),
        owner.title,
        app.settings.web.address + "/",
        primary_language(owner.language),
        owner.created_at,
        [entry(name_of("report", one.id), one) for one in reports],
    )
    return unless_same(request, tell(told), media_type)
