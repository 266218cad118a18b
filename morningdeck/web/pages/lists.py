"""Lists of feeds, in and out."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import opml
from morningdeck.errors import ConflictError, MorningDeckError
from morningdeck.web.addresses import own_path
from morningdeck.web.answers import RowId
from morningdeck.web.login import By
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.imports import Imports, ListImport, Progress
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute, led_to
from morningdeck.work import Stage

router = APIRouter(include_in_schema=False, route_class=PageRoute)

LIST_NAME = "morning-deck.opml"
WAITED_SECONDS = 1.0
"""A short list is told at once."""
NO_LIST = "Choose a file first: the list of feeds that another reader has exported."


@router.get("/sources/opml")
def download_list(by: By) -> Response:
    document = opml.outline(opml.feeds_of(by.store.subscriptions, by.user.id))
    headers = {"Content-Disposition": f'attachment; filename="{LIST_NAME}"'}
    return Response(document, headers=headers, media_type="text/x-opml")


@router.post("/sources/opml")
def take_list(request: Request, by: By, form: FilledIn) -> Response:
    """Read all of its feeds; what takes longer than a page may is told on a page of its own."""
    document = form.files.get("list", b"")
    then = own_path(form.text("then")) if form.text("then") else ""
    if not document:
        return _refused(request, then, NO_LIST)
    try:
        feeds = by.adapters.parser.opml(document)
    except MorningDeckError as error:
        return _refused(request, then, f"This is no list of feeds: {error}.")
    app, user, now = by.app, by.user.id, by.now

    def work(progress: Progress) -> opml.ImportTold:
        own = app.store.subscriptions
        told = opml.import_each(own, user, feeds, now=now, progress=progress)
        app.wake(Stage.FETCH.value)
        return told

    try:
        begun = _imports(request).begin(user, then, work)
    except ConflictError as error:
        return _refused(request, then, f"{str(error)[:1].upper()}{str(error)[1:]}.")
    if begun.ended.wait(WAITED_SECONDS):
        return _told(request, begun)
    return led_to(request, f"/sources/opml/{begun.number}")


@router.get("/sources/opml/{id}")
def show_list(request: Request, by: By, id: RowId) -> Response:
    """How far it is, then what became of each feed."""
    return _told(request, _imports(request).of(by.user.id, id))


def _told(request: Request, of: ListImport) -> Response:
    reads = not of.ended.is_set()
    name = "list-being-read.html" if reads else "list-taken.html"
    wrong = None if reads else of.wrong
    return page(
        request,
        name,
        200 if wrong is None else 500,
        told=of.told,
        then=of.then,
        number=of.number,
        done=of.done,
        of=of.of,
        wrong=wrong,
    )


def _refused(request: Request, then: str, wrong: str) -> Response:
    return page(request, "list-taken.html", 422, told=None, then=then, wrong=wrong)


def _imports(request: Request) -> Imports:
    known: Imports = request.app.state.imports
    return known
