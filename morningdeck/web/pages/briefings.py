"""The briefings of a reader: when each comes next, one more, one changed, with its edition."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import briefings
from morningdeck.errors import ConfigError, ConflictError, NotFoundError, PermanentError
from morningdeck.languages import LANGUAGES
from morningdeck.model.wanting import ON_THE_SUBJECT, BriefingChanges
from morningdeck.plans import When
from morningdeck.schedule import WEEKDAYS
from morningdeck.views.sent import BriefingView
from morningdeck.web.answers import RowId
from morningdeck.web.login import By, Caller
from morningdeck.web.pages.briefing_form import (
    FIRST_TIME,
    SHORT_DAYS,
    changes_by,
    first_words,
    sources_named,
    wanted_by,
    zones,
)
from morningdeck.web.pages.forms import FilledIn, FormFields
from morningdeck.web.pages.rendering import PAGE_HEADERS, page
from morningdeck.web.pages.visiting import PageRoute, led_to

router = APIRouter(include_in_schema=False, route_class=PageRoute)

MOST_BRIEFINGS, MOST_SOURCES, REPORTS_SHOWN = 200, 1_000, 30
FRAMING = {
    "Content-Security-Policy": f"{PAGE_HEADERS['Content-Security-Policy']}; frame-src 'self'"
}
"""For pages that show an edition."""
CHANNEL_WORDS = {
    "smtp": "By mail",
    "folder": "As files in the folder of this deck",
    "webhook": "To an address of the web (chat, script)",
}
DONE = {
    "added": "Saved: it comes from its next time on.",
    "edited": "Saved.",
    "paused": "Paused: it does not come until you resume it.",
    "resumed": "It comes again, from its next time on.",
    "asked": "It is written now, and goes out in a moment. Look here again.",
    "again": "What did not arrive goes out once more.",
    "removed": "Removed, with its reports.",
}
REFUSED = (ConfigError, ConflictError, NotFoundError, PermanentError)


@router.get("/briefings")
def show_briefings(request: Request, by: By, done: str = "") -> Response:
    found = by.store.briefings.list(by.user.id, MOST_BRIEFINGS)
    return page(request, "briefings.html", briefings=found, rhythm=rhythm, said=DONE.get(done))


# ---- one more


@router.get("/briefings/new")
def show_new_briefing(request: Request, by: By) -> Response:
    return _form(request, by, None, first_choices(by))


@router.post("/briefings")
def add_new_briefing(request: Request, by: By, form: FilledIn) -> Response:
    try:
        added = add_as_wanted(by, form)
    except REFUSED as error:
        return _form(request, by, None, choices_of(form, by), wrong=first_words(str(error)))
    return led_to(request, f"/briefings/{added.id}", done="added")


def add_as_wanted(by: Caller, form: FormFields) -> BriefingView:
    ways = by.adapters.ways_out
    return briefings.add(
        by.store,
        by.user.id,
        wanted_by(form, by.user.timezone),
        channels_to=ways.to,
        check_channels=ways.check,
        now=by.now,
    )


# ---- one of them


@router.get("/briefings/{id}")
def show_own_briefing(request: Request, by: By, id: RowId, done: str = "") -> Response:
    """Its edition of today, and what went out before."""
    return one_page(request, by, id, said=DONE.get(done))


def one_page(request: Request, by: Caller, id: int, status: int = 200, **given: Any) -> Response:
    view = by.store.briefings.show(by.user.id, id)
    return page(
        request,
        "briefing.html",
        status,
        FRAMING,
        briefing=view,
        rhythm=rhythm,
        reports=by.store.reports.list(by.user.id, briefing_id=id, limit=REPORTS_SHOWN),
        linked="/reports/{id}" in request.app.state.pages,
        ways=CHANNEL_WORDS,
        **{"trial": None, **given},
    )


@router.get("/briefings/{id}/edit")
def show_briefing_form(request: Request, by: By, id: RowId) -> Response:
    view = by.store.briefings.show(by.user.id, id)
    return _form(request, by, view, choices_now(view))


@router.post("/briefings/{id}")
def edit_own_briefing(request: Request, by: By, id: RowId, form: FilledIn) -> Response:
    view = by.store.briefings.show(by.user.id, id)
    try:
        changes, when = changes_by(form, view)
        if (changes, when) != (BriefingChanges(), When()):
            check = by.adapters.ways_out.check
            briefings.edit(
                by.store, by.user.id, id, changes, when, check_channels=check, now=by.now
            )
    except REFUSED as error:
        return _form(request, by, view, choices_of(form, by), wrong=first_words(str(error)))
    return led_to(request, f"/briefings/{id}", done="edited")


def _form(
    request: Request,
    by: Caller,
    view: BriefingView | None,
    chosen: dict[str, Any],
    wrong: str | None = None,
) -> Response:
    return page(
        request,
        "briefing-form.html",
        422 if wrong else 200,
        FRAMING,
        briefing=view,
        chosen=chosen,
        wrong=wrong,
        **given_to_choose(by),
    )


def given_to_choose(by: Caller) -> dict[str, Any]:
    ways = {name: CHANNEL_WORDS.get(name, name) for name in by.adapters.ways_out.channels}
    return {
        "zones": zones(),
        "ways": ways,
        "own_sources": by.store.names.sources(by.user.id, MOST_SOURCES),
        "language_options": (("", "As at first"), *((code, code) for code in LANGUAGES)),
        "weekdays": WEEKDAYS,
    }


# ---- what is chosen already


def first_choices(by: Caller) -> dict[str, Any]:
    return {
        **dict.fromkeys(("title", "criteria", "to", "language"), ""),
        **{"frequency": "daily", "time": FIRST_TIME, "days": SHORT_DAYS, "weekday": "monday"},
        **{"timezone": by.user.timezone, "channels": (), "source_ids": ()},
        **{"max_items": 10, "min_score": ON_THE_SUBJECT, "quiet_note": False},
    }


def choices_now(view: BriefingView) -> dict[str, Any]:
    return {
        **{"title": view.title, "criteria": view.criteria, "to": ", ".join(view.recipients)},
        **{"language": view.language or "", "frequency": view.frequency.lower()},
        **{"time": view.local_time, "weekday": view.weekday or "monday"},
        "days": tuple(day[:3].lower() for day in view.days) or SHORT_DAYS,
        **{"timezone": view.timezone, "channels": view.channels, "source_ids": view.source_ids},
        **{"max_items": view.max_items, "min_score": view.min_score},
        "quiet_note": view.quiet_days == "note",
    }


def choices_of(form: FormFields, by: Caller) -> dict[str, Any]:
    """As somebody filled in a form that was refused."""
    texts = ("title", "criteria", "to", "language", "time", "max_items", "min_score")
    return {
        **first_choices(by),
        **{name: form.text(name) for name in texts},
        "frequency": form.text("frequency") or "daily",
        "weekday": form.text("weekday") or "monday",
        "timezone": form.text("timezone") or by.user.timezone,
        "days": form.all("days") or SHORT_DAYS,
        "channels": form.all("channel"),
        "source_ids": sources_named(form),
        "quiet_note": form.ticked("quiet_note"),
    }


def rhythm(view: BriefingView) -> str:
    """`Every day at 07:30`, `Mon, Tue at 07:30 and 18:00`, `Every Monday at 08:00`."""
    times = " and ".join(view.local_time.split(","))
    if view.weekday is not None:
        return f"Every {view.weekday.capitalize()} at {times}"
    days = ", ".join(day[:3].capitalize() for day in view.days)
    return f"{days or 'Every day'} at {times}"
