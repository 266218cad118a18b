"""The sources of a reader: how each does, one more, one changed."""

from __future__ import annotations

from datetime import timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import sources, words
from morningdeck.addresses import source_type, source_url
from morningdeck.errors import ConfigError, ConflictError, MorningDeckError
from morningdeck.model.kinds import Health
from morningdeck.model.wanting import NewSource, SourceChanges
from morningdeck.schedule import zone_or_utc
from morningdeck.views.reading import SourceCheckView
from morningdeck.web.addresses import own_path
from morningdeck.web.answers import RowId
from morningdeck.web.login import By, Caller
from morningdeck.web.pages.forms import FilledIn, FormFields
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.sparkline import DAYS, Sparkline, fetch_line, sparkline
from morningdeck.web.pages.visiting import PageRoute, led_to
from morningdeck.work import Stage

router = APIRouter(include_in_schema=False, route_class=PageRoute)

ON_A_PAGE, MOST_IN_TROUBLE = 100, 50
SOURCE_KINDS = (
    ("", "Find out"),
    ("rss", "A feed"),
    ("web", "A page, by its links"),
    ("reddit", "A subreddit"),
    ("email", "Newsletters of a mailbox"),
)
INTERVALS = (
    *((900, "15 minutes"), (1800, "30 minutes"), (3600, "hour"), (10800, "3 hours")),
    *((21600, "6 hours"), (43200, "12 hours"), (86400, "day")),
)
DONE = {
    "added": "It is read from now on, for the first time within a minute.",
    "edited": "Saved.",
    "paused": "Paused: it is not read until you resume it.",
    "resumed": "It is read again.",
    "refreshed": "It is read within a minute.",
    "removed": "Removed. What you have saved of it stays.",
}
"""What is said of it, by the word in the address that a form led to."""


@router.get("/sources")
def show_sources(request: Request, by: By, done: str = "", after: RowId | None = None) -> Response:
    """Those in trouble first, then all, the newest first."""
    own, user = by.store.subscriptions, by.user.id
    last = None if after is None else own.show(user, after)
    before = None if last is None else (last.since, last.id)
    found = own.list(user, ON_A_PAGE + 1, before=before)
    ill = [
        one
        for health in (Health.GONE, Health.DEGRADED)
        for one in own.list(user, MOST_IN_TROUBLE, health=health)
        if not one.paused
    ]
    shown = found[:ON_A_PAGE]
    return page(
        request,
        "sources.html",
        sources=shown,
        ill=ill if last is None else [],
        more=shown[-1].id if len(found) > ON_A_PAGE else None,
        outlook=by.store.overview.outlook(user, by.now),
        first_page=last is None,
        advice=sources.advice,
        fetches=lambda one: fetch_line(one.recent),
        said=DONE.get(done),
    )


# ---- one more


@router.get("/sources/new")
def show_new_source(request: Request, by: By, url: str = "") -> Response:
    return _adding(request, url=url)


@router.post("/sources/check")
def check_new_source(request: Request, by: By, form: FilledIn) -> Response:
    """Show what lies at an address; nothing is subscribed."""
    url, kind = form.text("url"), form.text("type")
    then = own_path(form.text("then")) if form.text("then") else ""
    try:
        type_ = source_type(url, kind or None)
        address = source_url(url, type_)
        found = sources.check(address, type_, readers=by.adapters.waiting_readers)
    except MorningDeckError as error:
        why = str(error)
        if "--type web" in why:
            kind, why = "web", f"{why.partition(';')[0]}. Its links can be read instead: look again"
        return _adding(request, 422, url=url, kind=kind, then=then, wrong=_sentence(why))
    return _found(request, found, then=then, name=found.title)


@router.post("/sources")
def add_new_source(request: Request, by: By, form: FilledIn) -> Response:
    """What was looked at before is not asked for again."""
    type_ = source_type(form.text("url"), form.text("type") or None)
    new = NewSource(
        url=source_url(form.text("url"), type_),
        type=type_,
        name=form.text("name"),
        topics=words_between(form.text("topics")),
        tags=words_between(form.text("tags")),
        prompt=form.text("prompt"),
        refresh=_interval(form),
    )
    try:
        added = sources.add(by.store.subscriptions, by.user.id, new, None, now=by.now)
    except (ConfigError, ConflictError) as error:
        then = form.text("then")
        return _adding(request, 422, url=new.url, then=then, wrong=_sentence(str(error)))
    by.app.wake(Stage.FETCH.value)
    if form.text("then"):
        return led_to(request, own_path(form.text("then")), done="added")
    return led_to(request, f"/sources/{added.id}", done="added")


def _adding(
    request: Request,
    status: int = 200,
    *,
    url: str,
    kind: str = "",
    then: str = "",
    wrong: str | None = None,
) -> Response:
    return page(
        request,
        "source-new.html",
        status,
        kinds=SOURCE_KINDS,
        url=url,
        kind=kind,
        then=then,
        wrong=wrong,
    )


def _found(request: Request, found: SourceCheckView, *, then: str, name: str) -> Response:
    return page(
        request, "source-found.html", found=found, then=then, name=name, intervals=INTERVALS
    )


# ---- one of them


@router.get("/sources/{id}")
def show_own_source(request: Request, by: By, id: RowId, done: str = "") -> Response:
    return _one(request, by, id, said=DONE.get(done))


@router.post("/sources/{id}")
def edit_own_source(request: Request, by: By, id: RowId, form: FilledIn) -> Response:
    before = by.store.subscriptions.show(by.user.id, id)
    every, prompt = _interval(form), form.text("prompt")
    changes = SourceChanges(
        name=form.text("name") if form.text("name") != before.name else None,
        topics=_if_other(words_between(form.text("topics")), before.topics),
        tags=_if_other(words_between(form.text("tags")), before.tags),
        prompt=prompt if before.type == "web" and prompt != before.prompt else None,
        refresh=every if every != timedelta(seconds=before.refresh_seconds) else None,
    )
    try:
        by.store.subscriptions.edit(by.user.id, id, changes, now=by.now)
    except (ConfigError, ConflictError) as error:
        return _one(request, by, id, 422, wrong=_sentence(str(error)))
    return led_to(request, f"/sources/{id}", done="edited")


@router.post("/sources/{id}/pause")
def pause_own_source(request: Request, by: By, id: RowId) -> Response:
    by.store.subscriptions.pause(by.user.id, id)
    return led_to(request, f"/sources/{id}", done="paused")


@router.post("/sources/{id}/resume")
def resume_own_source(request: Request, by: By, id: RowId) -> Response:
    by.store.subscriptions.resume(by.user.id, id, now=by.now)
    by.app.wake(Stage.FETCH.value)
    return led_to(request, f"/sources/{id}", done="resumed")


@router.post("/sources/{id}/reset")
def reset_own_source(request: Request, by: By, id: RowId) -> Response:
    """Have it read now, whatever was wrong with it."""
    by.store.subscriptions.reset(by.user.id, id, now=by.now)
    by.app.wake(Stage.FETCH.value)
    return led_to(request, f"/sources/{id}", done="refreshed")


@router.get("/sources/{id}/remove")
def ask_before_removal(request: Request, by: By, id: RowId) -> Response:
    own = by.store.subscriptions.show(by.user.id, id)
    return page(request, "source-remove.html", source=own)


@router.post("/sources/{id}/remove")
def remove_own_source(request: Request, by: By, id: RowId) -> Response:
    by.store.subscriptions.remove(by.user.id, id)
    return led_to(request, "/sources", done="removed")


def _one(
    request: Request,
    by: Caller,
    id: int,
    status: int = 200,
    *,
    said: str | None = None,
    wrong: str | None = None,
) -> Response:
    source = by.store.subscriptions.show(by.user.id, id)
    return page(
        request,
        "source.html",
        status,
        source=source,
        line=fetch_line(source.recent),
        drawn=_drawn(by, id),
        intervals=INTERVALS,
        advice=sources.advice,
        said=said,
        wrong=wrong,
    )


def _drawn(by: Caller, id: int) -> Sparkline:
    zone = zone_or_utc(by.user.timezone)
    arrived = by.store.subscriptions.arrivals(by.user.id, id, by.now - timedelta(days=DAYS))
    return sparkline(arrived, by.now, zone)


# ---- what forms say


def words_between(text: str) -> tuple[str, ...]:
    """What stands between commas, each once."""
    parts = (part.strip() for part in text.replace("\n", ",").split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def _interval(form: FormFields) -> timedelta | None:
    return words.length(f"{form.text('every')}s") if form.text("every") else None


def _if_other(wanted: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...] | None:
    return wanted if wanted != before else None


def _sentence(error: str) -> str:
    """An error as a page says it."""
    return f"{error[:1].upper()}{error[1:]}{'' if error.endswith('.') else '.'}"
