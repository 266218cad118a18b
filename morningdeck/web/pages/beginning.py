"""The first visit, in three steps: what is read, what is wished for, when and where it comes.

It ends with an edition on the screen. Its controls are those of sources and briefings; nothing
but what they save is kept between the steps.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions.starters import add_starters, starter_topics
from morningdeck.web.answers import RowId
from morningdeck.web.login import By, Caller
from morningdeck.web.pages.briefing_form import first_words
from morningdeck.web.pages.briefings import (
    FRAMING,
    REFUSED,
    add_as_wanted,
    choices_of,
    first_choices,
    given_to_choose,
    rhythm,
)
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute, led_to
from morningdeck.work import Stage

router = APIRouter(prefix="/start", include_in_schema=False, route_class=PageRoute)

MOST_OF_ONES_OWN = 50
SAID = {"added": "It is read from now on.", "starters": "They are read from now on."}
FIRST_TITLE = "Morning"


@router.get("")
def begin(request: Request, by: By, done: str = "") -> Response:
    """Whoever has a briefing has begun before."""
    if by.store.briefings.list(by.user.id, 1):
        return led_to(request, "/")
    own = by.store.subscriptions.list(by.user.id, MOST_OF_ONES_OWN)
    topics = starter_topics()
    return page(request, "begin-sources.html", sources=own, topics=topics, said=SAID.get(done))


@router.post("/sources")
def take_starters(request: Request, by: By, form: FilledIn) -> Response:
    titles = form.all("topic")
    if not titles:
        return led_to(request, "/start")
    add_starters(by.store.subscriptions, by.user.id, titles, now=by.now)
    by.app.wake(Stage.FETCH.value)
    return led_to(request, "/start/wish")


@router.get("/wish")
def show_wish(request: Request, by: By) -> Response:
    return page(
        request, "begin-wish.html", 200, FRAMING, chosen={**first_choices(by), "title": FIRST_TITLE}
    )


@router.post("/when")
def take_wish(request: Request, by: By, form: FilledIn) -> Response:
    """Nothing is saved yet: the wish goes along in the next form."""
    chosen = {**first_choices(by), "criteria": form.text("criteria"), "title": FIRST_TITLE}
    if not chosen["criteria"]:
        wrong = "Say in a sentence what it is to be about."
        return page(request, "begin-wish.html", 422, FRAMING, chosen=chosen, wrong=wrong)
    own_zone = by.user.timezone == "UTC"
    return _when_and_where(request, by, chosen, own_zone=own_zone)


@router.post("/briefing")
def take_plan(request: Request, by: By, form: FilledIn) -> Response:
    """The first briefing is made."""
    try:
        added = add_as_wanted(by, form)
    except REFUSED as error:
        wrong = first_words(str(error))
        return _when_and_where(request, by, choices_of(form, by), own_zone=False, wrong=wrong)
    if by.user.timezone == "UTC":  # nobody has said any other
        by.store.users.edit(by.user.email, timezone=added.timezone)
    return led_to(request, f"/start/edition/{added.id}")


@router.get("/edition/{id}")
def show_first_edition(request: Request, by: By, id: RowId) -> Response:
    view = by.store.briefings.show(by.user.id, id)
    return page(request, "begin-edition.html", 200, FRAMING, briefing=view, rhythm=rhythm)


def _when_and_where(
    request: Request,
    by: Caller,
    chosen: dict[str, Any],
    *,
    own_zone: bool,
    wrong: str | None = None,
) -> Response:
    return page(
        request,
        "begin-plan.html",
        422 if wrong else 200,
        chosen=chosen,
        own_zone=own_zone,
        wrong=wrong,
        **given_to_choose(by),
    )
