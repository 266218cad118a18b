"""Coming in and going out: the one-time code of a first visit, the login, the logout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from morningdeck.actions import accounts
from morningdeck.actions.tokens import digest
from morningdeck.errors import ConfigError, ConflictError, NotFoundError
from morningdeck.web.addresses import own_path
from morningdeck.web.pages.attempts import Attempt
from morningdeck.web.pages.forms import FilledIn, FormFields
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import (
    COOKIE,
    OpenPageRoute,
    Visitor,
    cookie_options,
    give_cookie,
    led_to,
)

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.views.reading import UserView

BROWSER_COOKIE = "morningdeck-browser"
"""By it, a browser that has logged in before is known again; it opens nothing."""
NOT_TOGETHER = "This address and this password do not belong together."

router = APIRouter(include_in_schema=False, route_class=OpenPageRoute)


@router.get("/login")
def show_login(request: Request, then: str = "/") -> Response:
    """Whoever is in is led on."""
    visitor: Visitor = request.state.visitor
    if visitor.user is not None:
        return led_to(request, own_path(then))
    if not _deck(request).store.accounts.any_claimed():
        return led_to(request, "/claim")
    return page(request, "login.html", email="", then=own_path(then))


@router.post("/login")
def take_login(request: Request, form: FilledIn) -> Response:
    app, email = _deck(request), form.text("email")
    attempt = begin_attempt(request, email)
    user = accounts.known_by(app.store.accounts, email, form.secret("password"))
    then = own_path(form.text("then"))
    if user is None:
        return page(request, "login.html", 422, email=email, then=then, wrong=NOT_TOGETHER)
    attempt.did_not_fail()
    return let_in(request, user, then)


@router.get("/claim")
def show_claim(request: Request) -> Response:
    return _claim_page(request, FormFields())


@router.post("/claim")
def take_claim(request: Request, form: FilledIn) -> Response:
    app, code, email = _deck(request), form.text("code"), form.text("email")
    attempt = begin_attempt(request)
    try:
        password = form.secret("password")
        user = accounts.claim(app.store.accounts, code, email, password, now=app.clock())
    except NotFoundError as error:
        return _claim_page(request, form, 422, str(error))
    except (ConfigError, ConflictError) as error:
        attempt.did_not_fail()
        return _claim_page(request, form, 422, str(error))
    attempt.did_not_fail()
    return let_in(request, user, "/start")


@router.post("/logout")
def log_out(request: Request) -> Response:
    """The session is over; the browser gets a new cookie with its next page."""
    visitor: Visitor = request.state.visitor
    if visitor.user is not None and visitor.session_id is not None:
        _deck(request).store.sessions.end(visitor.user.id, visitor.session_id)
    answer = led_to(request, "/login")
    answer.delete_cookie(COOKIE, **cookie_options(request))
    return answer


def let_in(request: Request, user: UserView, path: str) -> Response:
    """By a new token each time: whoever knew the one before does not know this one."""
    app, token = _deck(request), accounts.new_token()
    browser = request.cookies.get(BROWSER_COOKIE) or accounts.new_token()
    now, agent = app.clock(), request.headers.get("user-agent", "")
    address = request.app.state.proxies.client(request)
    app.store.sessions.begin(user.id, digest(token), now=now, browser=agent, address=address)
    app.store.accounts.know_browser(user.id, digest(browser), now=now)
    answer = led_to(request, path)
    give_cookie(request, answer, token)
    give_cookie(request, answer, browser, BROWSER_COOKIE)
    return answer


def _claim_page(
    request: Request, form: FormFields, status: int = 200, wrong: str | None = None
) -> Response:
    code, email = form.text("code"), form.text("email")
    return page(request, "claim.html", status, code=code, email=email, wrong=wrong)


def begin_attempt(request: Request, email: str | None = None) -> Attempt:
    """Raises where too many have failed; whoever succeeds gives it back."""
    app, address = _deck(request), request.app.state.proxies.client(request)
    shown = request.cookies.get(BROWSER_COOKIE)
    known = None if email is None else _known_browser(app, email, shown)
    attempt: Attempt = request.app.state.attempts.begin(address, email, known)
    if not attempt.allowed:
        wait = max(1, round(attempt.wait_seconds))
        told = f"too many have failed to log in: try again in {wait} seconds"
        raise HTTPException(429, told, {"Retry-After": str(wait)})
    return attempt


def _known_browser(app: App, email: str, token: str | None) -> str | None:
    """Asks as much of the database whether there is such an account or not."""
    found, key = app.store.accounts.by_email(email), digest(token or "")
    user_id = found[0].id if found else 0
    known = app.store.accounts.knows_browser(user_id, key, now=app.clock())
    return key if known else None


def _deck(request: Request) -> App:
    app: App = request.app.state.deck
    return app
