"""What a reader does with a briefing: have it now, test it, pause it, send again, remove it."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import briefings, reports, trial
from morningdeck.errors import MorningDeckError, NotFoundError
from morningdeck.web.answers import RowId
from morningdeck.web.login import By
from morningdeck.web.pages.briefing_form import first_words
from morningdeck.web.pages.briefings import REFUSED, one_page
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute, led_to

router = APIRouter(prefix="/briefings/{id}", include_in_schema=False, route_class=PageRoute)


@router.post("/pause")
def pause_own_briefing(request: Request, by: By, id: RowId) -> Response:
    by.store.briefings.pause(by.user.id, id)
    return led_to(request, f"/briefings/{id}", done="paused")


@router.post("/resume")
def resume_own_briefing(request: Request, by: By, id: RowId) -> Response:
    briefings.resume(by.store, by.user.id, id, now=by.now)
    return led_to(request, f"/briefings/{id}", done="resumed")


@router.post("/run")
def run_own_briefing(request: Request, by: By, id: RowId) -> Response:
    """The daemon does it."""
    try:
        briefings.ask(by.store, by.user.id, id, wake=by.app.wake, now=by.now)
    except NotFoundError:
        raise
    except REFUSED as error:
        return one_page(request, by, id, 422, wrong=first_words(str(error)))
    return led_to(request, f"/briefings/{id}", done="asked")


@router.post("/test")
def test_own_briefing(request: Request, by: By, id: RowId, form: FilledIn) -> Response:
    """What would be sent now goes to one address, and each step is told."""
    to, ways_out = form.text("to"), by.adapters.ways_out
    briefing, found = briefings.for_test(by.store, by.user.id, id, now=by.now)
    try:
        channel = ways_out.for_test(briefing.channels, to)
        ways_out.check((channel,), (to,))
        done = trial.send_test(
            briefing,
            replace(found, report=by.app.pictured(found.report)),
            to=to,
            channel=channel,
            open_channel=ways_out.open,
            writer=by.adapters.outlets.mail_writer,
        )
    except MorningDeckError as error:
        return one_page(request, by, id, 422, wrong=first_words(str(error)))
    return one_page(request, by, id, trial=done)


@router.post("/reports/{report}/send")
def send_own_report(request: Request, by: By, id: RowId, report: RowId) -> Response:
    """What did not arrive; what did is never sent twice."""
    try:
        reports.ask_to_send(by.store, by.user.id, report, wake=by.app.wake, now=by.now)
    except NotFoundError:
        raise
    except REFUSED as error:
        return one_page(request, by, id, 422, wrong=first_words(str(error)))
    return led_to(request, f"/briefings/{id}", done="again")


@router.get("/remove")
def ask_before_briefing_goes(request: Request, by: By, id: RowId) -> Response:
    view = by.store.briefings.show(by.user.id, id)
    return page(request, "briefing-remove.html", briefing=view)


@router.post("/remove")
def remove_own_briefing(request: Request, by: By, id: RowId) -> Response:
    by.store.briefings.remove(by.user.id, id)
    return led_to(request, "/briefings", done="removed")
