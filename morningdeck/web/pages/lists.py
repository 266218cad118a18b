"""Lists of feeds, in and out."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import opml
from morningdeck.errors import MorningDeckError
from morningdeck.web.addresses import own_path
from morningdeck.web.login import By
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute
from morningdeck.work import Stage

router = APIRouter(include_in_schema=False, route_class=PageRoute)

LIST_NAME = "morning-deck.opml"
NO_LIST = "Choose a file first: the list of feeds that another reader has exported."


@router.get("/sources/opml")
def download_list(by: By) -> Response:
    document = opml.outline(opml.feeds_of(by.store.subscriptions, by.user.id))
    headers = {"Content-Disposition": f'attachment; filename="{LIST_NAME}"'}
    return Response(document, headers=headers, media_type="text/x-opml")


@router.post("/sources/opml")
def take_list(request: Request, by: By, form: FilledIn) -> Response:
    """Read all of its feeds, and say of each what became of it."""
    document = form.files.get("list", b"")
    then = own_path(form.text("then")) if form.text("then") else ""
    if not document:
        return page(request, "list-taken.html", 422, told=None, then=then, wrong=NO_LIST)
    own, user = by.store.subscriptions, by.user.id
    try:
        told = opml.import_each(own, user, by.adapters.parser.opml(document), now=by.now)
    except MorningDeckError as error:
        wrong = f"This is no list of feeds: {error}."
        return page(request, "list-taken.html", 422, told=None, then=then, wrong=wrong)
    by.app.wake(Stage.FETCH.value)
    return page(request, "list-taken.html", told=told, then=then)
