"""Who looks at a page, and whether what they send comes from a page of ours.

A browser holds one cookie with 256 random bits. Its digest is a row of `sessions` where somebody
has logged in; forms carry a token that is made from it, so that nobody else can fill them in.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from morningdeck.actions import accounts
from morningdeck.actions.tokens import digest
from morningdeck.web.addresses import Addresses
from morningdeck.web.login import Caller
from morningdeck.web.pages.forms import read_form
from morningdeck.web.proxies import Proxies

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.views.reading import UserView

COOKIE = "morningdeck"
COOKIE_DAYS = 400
"""The longest that browsers keep one; when a session ends, we know better."""
LOOKING = ("GET", "HEAD")


class LedElsewhere(Exception):
    """Whoever asked is led to this address."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


@dataclass(frozen=True, slots=True)
class Visitor:
    """`user` is None until somebody has logged in; where a proxy says who it is, there is no
    session.
    """

    token: str
    user: UserView | None = None
    session_id: int | None = None
    is_new: bool = False

    @property
    def form_token(self) -> str:
        return hmac.digest(self.token.encode(), b"form", "sha256").hex()


def recognised(app: App, proxies: Proxies, request: Request) -> Visitor:
    token = request.cookies.get(COOKIE, "")
    shown, is_new = (token or accounts.new_token()), not token
    email = proxies.logged_in(request)
    if email is not None:
        return Visitor(shown, _whom_the_proxy_names(app, email), is_new=is_new)
    found = app.store.sessions.visitor(digest(token), now=app.clock()) if token else None
    if found is None:
        return Visitor(shown, is_new=is_new)
    return Visitor(token, found.user, found.session_id)


def _whom_the_proxy_names(app: App, email: str) -> UserView:
    found = app.store.accounts.by_email(email)
    if found is None:
        raise HTTPException(
            403, f"the proxy says that you are {email}, whom nobody has added: ask your admin"
        )
    return found[0]


def check_origin(request: Request, addresses: Addresses) -> None:
    """Browsers say from where a form is sent; those that do not must still know its token."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site in ("same-origin", "none"):
            return
        raise HTTPException(403, "this form was not sent from a page of ours: open it here")
    origin = request.headers.get("origin")
    own = {addresses.origin, *(f"{of}://{request.headers.get('host', '')}" for of in OWN_SCHEMES)}
    if origin is not None and origin.lower() not in own:
        raise HTTPException(403, "this form was not sent from a page of ours: open it here")


OWN_SCHEMES = ("http", "https")


async def check_form(request: Request, visitor: Visitor) -> None:
    """Read the form, and take it only from a page that we gave to this visitor."""
    check_origin(request, request.app.state.addresses)
    kind = request.headers.get("content-type", "")
    request.state.form = form = read_form(kind, await request.body())
    shown = form.secret("form_token") or request.headers.get("x-form-token", "")
    if visitor.is_new or not hmac.compare_digest(shown.encode(), visitor.form_token.encode()):
        raise HTTPException(403, "this form is out of date: go back, load the page anew, try again")


class OpenPageRoute(APIRoute):
    """For anybody; whoever has no cookie yet gets one, as forms need it."""

    def admit(self, request: Request, visitor: Visitor) -> None:
        """Raises where this visitor has to go elsewhere."""

    def _meet(self, request: Request) -> Visitor:
        state = request.app.state
        visitor = recognised(state.deck, state.proxies, request)
        request.state.visitor = visitor
        if visitor.user is not None:
            request.state.caller = Caller(state.deck, visitor.user)
        self.admit(request, visitor)
        return visitor

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def visited(request: Request) -> Response:
            visitor = await run_in_threadpool(self._meet, request)
            if request.method not in LOOKING:
                await check_form(request, visitor)
            answer = await handle(request)
            if visitor.is_new:
                give_cookie(request, answer, visitor.token)
            return answer

        return visited


class PageRoute(OpenPageRoute):
    """For those who have logged in; others are led to where they can, and then back."""

    def admit(self, request: Request, visitor: Visitor) -> None:
        if visitor.user is not None:
            return
        addresses: Addresses = request.app.state.addresses
        if not request.app.state.deck.store.accounts.any_claimed():
            raise LedElsewhere(addresses.to("/claim"))
        raise LedElsewhere(addresses.to("/login", then=asked_path(request)))


class AdminPageRoute(PageRoute):
    def admit(self, request: Request, visitor: Visitor) -> None:
        super().admit(request, visitor)
        if visitor.user is not None and visitor.user.role != "admin":
            raise HTTPException(403, "this page is for admins")


def asked_path(request: Request) -> str | None:
    """To come back to after the login; nobody comes back to what a form had sent."""
    if request.method not in LOOKING:
        return None
    below = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    query = f"?{request.url.query}" if request.url.query else ""
    path = quote(below, safe="/") + query
    return None if path == "/" else path


def give_cookie(request: Request, answer: Response, token: str, name: str = COOKIE) -> None:
    answer.set_cookie(name, token, COOKIE_DAYS * 24 * 3600, **cookie_options(request))


def cookie_options(request: Request) -> dict[str, Any]:
    """For pages of ours alone, no script, and over TLS where there is some."""
    addresses, proxies = request.app.state.addresses, request.app.state.proxies
    return {
        "path": addresses.to("/"),
        "secure": addresses.behind_tls or proxies.behind_tls(request),
        "httponly": True,
        "samesite": "lax",
    }


def led_to(request: Request, path: str, **query: object) -> Response:
    """After a form was taken: the page that shows what came of it."""
    addresses: Addresses = request.app.state.addresses
    return see_other(addresses.to(path, query))


def see_other(address: str) -> Response:
    return RedirectResponse(address, 303, {"Cache-Control": "no-store"})
