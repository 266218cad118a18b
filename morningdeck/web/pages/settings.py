"""What somebody sets for themselves: profile, password, tokens, and where they are logged in."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck import passwords
from morningdeck.actions import accounts, feeds, tokens
from morningdeck.errors import ConfigError
from morningdeck.model.kinds import TokenScope
from morningdeck.web.answers import RowId
from morningdeck.web.login import By, Caller
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.login import begin_attempt, let_in
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.sharing import bookmarklet, seen_from
from morningdeck.web.pages.visiting import PageRoute, Visitor, led_to

LONGEST_OWN_NAME, MOST_FEEDS_LISTED = 200, 200
DONE = {
    "profile": "Your profile is saved.",
    "password": "Your password is changed. All your other browsers have to log in again.",
    "revoked": "The token is ended: nothing gets in by it any more.",
    "feed": "The address is ended: nobody reads that briefing by it any more.",
    "ended": "That browser has to log in again.",
    "others": "All your other browsers have to log in again.",
}
SCOPES = {
    TokenScope.READ: "read everything of yours",
    TokenScope.WRITE: "read and change everything of yours, as reader apps need it",
    TokenScope.ADMIN: "look at everybody's queues as well",
}

router = APIRouter(prefix="/settings", include_in_schema=False, route_class=PageRoute)


@router.get("")
def show_settings(request: Request, by: By, done: str = "") -> Response:
    return _shown(request, by, said=DONE.get(done))


@router.post("/profile")
def save_profile(request: Request, by: By, form: FilledIn) -> Response:
    name, timezone = form.text("name")[:LONGEST_OWN_NAME], form.text("timezone")
    try:
        by.store.users.edit(by.user.email, name=name, timezone=timezone)
    except ConfigError as error:
        return _shown(request, by, 422, wrong=str(error), name=name, timezone=timezone)
    return led_to(request, "/settings", done="profile")


@router.post("/password")
def change_password(request: Request, by: By, form: FilledIn) -> Response:
    """Whoever only found the browser open cannot do it: they do not know the one before."""
    kept, now_known = by.store.accounts, form.secret("password")
    if kept.has_password(by.user.id):
        attempt = begin_attempt(request, by.user.email)
        if accounts.known_by(kept, by.user.email, now_known) is None:
            return _shown(request, by, 422, wrong="That is not your password of today.")
        attempt.did_not_fail()
    try:
        passwords.check_good(form.secret("new"), by.user.email)
    except ConfigError as error:
        return _shown(request, by, 422, wrong=str(error))
    accounts.set_password(kept, by.user, form.secret("new"))
    return let_in(request, by.user, "/settings?done=password")


@router.post("/tokens")
def make_token(request: Request, by: By, form: FilledIn) -> Response:
    """It is shown on the page that answers, and never again."""
    try:
        scope = TokenScope(form.text("scope"))
    except ValueError:
        return _shown(request, by, 422, wrong="Choose how far the token reaches.")
    try:
        made = tokens.issue(by.store.api_tokens, by.user, form.text("name"), scope, now=by.now)
    except ConfigError as error:
        return _shown(request, by, 422, wrong=str(error))
    return _shown(request, by, 201, {"Cache-Control": "no-store"}, made=made)


@router.post("/tokens/{id}/end")
def end_token(request: Request, by: By, id: RowId) -> Response:
    by.store.api_tokens.remove(id, user_id=by.user.id)
    return led_to(request, "/settings", done="revoked")


@router.post("/feeds/{id}")
def make_feed(request: Request, by: By, id: RowId) -> Response:
    """Its addresses are on the page that answers, and never again; those before open nothing."""
    of = by.store.briefings.show(by.user.id, id)
    base_url = seen_from(request)
    opened = feeds.open_feed(by.store.feeds, by.user.id, id, base_url, anew=True)
    shown = {"opened": opened, "opened_of": of.title}
    return _shown(request, by, 201, {"Cache-Control": "no-store"}, **shown)


@router.post("/feeds/{id}/end")
def end_feed(request: Request, by: By, id: RowId) -> Response:
    by.store.feeds.end(by.user.id, id)
    return led_to(request, "/settings", done="feed")


@router.post("/sessions/{id}/end")
def end_session(request: Request, by: By, id: RowId) -> Response:
    by.store.sessions.end(by.user.id, id)
    return led_to(request, "/settings", done="ended")


@router.post("/sessions/end-others")
def end_other_sessions(request: Request, by: By) -> Response:
    visitor: Visitor = request.state.visitor
    by.store.sessions.end_others(by.user.id, visitor.session_id)
    return led_to(request, "/settings", done="others")


def _shown(
    request: Request,
    by: Caller,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **given: Any,
) -> Response:
    visitor: Visitor = request.state.visitor
    shown = {
        "name": by.user.name,
        "timezone": by.user.timezone,
        "has_password": by.store.accounts.has_password(by.user.id),
        "tokens": by.store.api_tokens.list(by.user.id),
        "sessions": by.store.sessions.list(by.user.id, now=by.now),
        "session_id": visitor.session_id,
        "scopes": _scopes_of(by),
        "made": None,
        "bookmarklet": bookmarklet(request),
        "briefings": by.store.briefings.list(by.user.id, MOST_FEEDS_LISTED),
        "opened": None,
    }
    return page(request, "settings.html", status, headers, **{**shown, **given})


def _scopes_of(by: Caller) -> dict[str, str]:
    is_admin = by.user.role == "admin"
    return {
        scope.value: told for scope, told in SCOPES.items() if is_admin or scope != TokenScope.ADMIN
    }
