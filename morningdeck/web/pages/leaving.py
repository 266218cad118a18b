"""What is one's own: taken along as one archive, and removed for good."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from morningdeck.actions import accounts, exporting
from morningdeck.errors import ConflictError
from morningdeck.web.login import By, Caller
from morningdeck.web.pages.forms import FilledIn, FormFields
from morningdeck.web.pages.login import begin_attempt
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import COOKIE, PageRoute, cookie_options

router = APIRouter(prefix="/settings", include_in_schema=False, route_class=PageRoute)

MOST_BRIEFINGS_COUNTED = 1_000


@router.get("/export")
def take_along(by: By) -> Response:
    """Made while it is sent, however much it is."""
    pieces = exporting.archive(by.store, by.user, now=by.now)
    name = f'attachment; filename="{exporting.ARCHIVE_NAME}"'
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return StreamingResponse(pieces, headers=headers, media_type="application/zip")


@router.get("/remove")
def ask_before_leaving(request: Request, by: By) -> Response:
    return _asked(request, by)


@router.post("/remove")
def leave_for_good(request: Request, by: By, form: FilledIn) -> Response:
    """Whoever only found the browser open cannot do it."""
    wrong = _not_who_they_say(request, by, form)
    if wrong is None:
        try:
            accounts.remove(by.store, by.user, now=by.now)
        except ConflictError as error:
            wrong = f"{str(error)[:1].upper()}{str(error)[1:]}."
    if wrong is not None:
        return _asked(request, by, 422, wrong)
    request.state.visitor = None  # there is nobody to greet any more
    answer = page(request, "gone.html", headers={"Cache-Control": "no-store"})
    answer.delete_cookie(COOKIE, **cookie_options(request))
    return answer


def _not_who_they_say(request: Request, by: Caller, form: FormFields) -> str | None:
    """Where a proxy logs people in there is no password: they write their address."""
    if not by.store.accounts.has_password(by.user.id):
        is_right = form.text("email").casefold() == by.user.email
        return None if is_right else "That is not the address of this account."
    attempt = begin_attempt(request, by.user.email)
    if accounts.known_by(by.store.accounts, by.user.email, form.secret("password")) is None:
        return "That is not your password."
    attempt.did_not_fail()
    return None


def _asked(request: Request, by: Caller, status: int = 200, wrong: str | None = None) -> Response:
    return page(
        request,
        "leaving.html",
        status,
        sources=_sources(by),
        briefings=len(by.store.briefings.list(by.user.id, MOST_BRIEFINGS_COUNTED)),
        has_password=by.store.accounts.has_password(by.user.id),
        wrong=wrong,
    )


def _sources(by: Caller) -> int:
    outlook = by.store.overview.outlook(by.user.id, by.now)
    return outlook.sources + outlook.sources_paused
