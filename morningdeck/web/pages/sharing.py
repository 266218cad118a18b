"""A page from elsewhere, to be read and kept: shared by a phone, by a bookmark, or typed.

What is shared comes as a GET, which anybody can send a browser to: it shows, and a form saves.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import items
from morningdeck.addresses import first_address
from morningdeck.errors import ConfigError
from morningdeck.web.login import By
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute, led_to

router = APIRouter(include_in_schema=False, route_class=PageRoute)

MOST_SHARED = 4_000
"""Characters of each text."""
_HOST = re.compile(r"[\w.-]+(:\d+)?|\[[0-9a-f:]+\](:\d+)?", re.I | re.A)


@router.get("/share")
def show_shared(
    request: Request, by: By, title: str = "", text: str = "", url: str = ""
) -> Response:
    """Nothing is saved yet."""
    said = [part.strip()[:MOST_SHARED] for part in (url, text, title)]
    address = first_address(*said)
    words = [part for part in reversed(said) if part and part != address]
    return page(
        request,
        "share.html",
        url=address,
        words=list(dict.fromkeys(words)),
        is_empty=not any(said),
    )


@router.post("/share")
def save_shared(request: Request, by: By, form: FilledIn) -> Response:
    """It is read next; its page says how far that is."""
    address = form.text("url")
    pages, wake = by.store.saved_pages, by.app.wake
    try:
        saved = items.save_page(pages, by.user.id, address, now=by.now, wake=wake)
    except ConfigError as error:
        wrong = f"{str(error)[:1].upper()}{str(error)[1:]}."
        return page(request, "share.html", 422, url=address, words=(), is_empty=False, wrong=wrong)
    return led_to(request, f"/items/{saved.id}")


def bookmarklet(request: Request) -> str:
    """A bookmark that has the page that is open shared with this deck."""
    share = quote(f"{seen_from(request)}/share", safe=":/[]")
    return (
        f"javascript:void(open('{share}?url='+encodeURIComponent(location.href)"
        "+'&title='+encodeURIComponent(document.title)))"
    )


def seen_from(request: Request) -> str:
    """Where pages lie for whoever asks: as the settings say, else where their browser is."""
    state = request.app.state
    host = request.headers.get("host", "")
    scheme = "https" if state.proxies.behind_tls(request) else "http"
    seen = f"{scheme}://{host}" if _HOST.fullmatch(host) else ""
    whole: str = state.addresses.whole("", seen or state.deck.settings.web.address)
    return whole
