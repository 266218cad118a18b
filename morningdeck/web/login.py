"""Who asks: whose token it is, how far it reaches, and how often it may ask."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Request
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from morningdeck.actions.tokens import digest
from morningdeck.errors import NotFoundError
from morningdeck.model.kinds import TokenScope
from morningdeck.web.buckets import Buckets
from morningdeck.web.description import DescribedRoute

if TYPE_CHECKING:
    from morningdeck.adapters import Adapters
    from morningdeck.app import App
    from morningdeck.store.store import Store
    from morningdeck.views.reading import BearerView, UserView

PER_MINUTE = 600
"""Requests of one token: more than any reader makes by hand, less than a loop gone wild."""
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""What a proxy adds to the requests of others."""
HOW = "send the header Authorization: Bearer TOKEN, made by: morningdeck user token EMAIL --name N"


class Allowance:
    """How often each token may ask."""

    def __init__(
        self, per_minute: int = PER_MINUTE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.per_minute = per_minute
        self._buckets = Buckets(per_minute, per_minute, clock)

    def take(self, key: Hashable) -> tuple[bool, dict[str, str]]:
        """Whether there was one left, and what to say of it, in headers that all clients know."""
        allowed = self._buckets.take(key)
        left = self._buckets.left(key)
        until_full = round((self.per_minute - left) * 60 / self.per_minute)
        told = {"Limit": self.per_minute, "Remaining": int(left), "Reset": until_full}
        return allowed, {f"RateLimit-{name}": str(value) for name, value in told.items()}


@dataclass(frozen=True, slots=True)
class Caller:
    """Whom a handler works for, and with what."""

    app: App
    user: UserView

    @property
    def store(self) -> Store:
        return self.app.store

    @property
    def adapters(self) -> Adapters:
        return self.app.adapters

    @property
    def now(self) -> datetime:
        return self.app.clock()


async def _caller(request: Request) -> Caller:
    caller: Caller = request.state.caller
    return caller


By = Annotated[Caller, Depends(_caller)]


async def check_in(
    request: Request, needed: TokenScope, token: str, *, scheme: str = "Bearer", how: str = HOW
) -> None:
    """Before anything else of the request is read, as a rule."""
    app = request.app.state.deck
    try:
        bearer = await run_in_threadpool(_bearer, app, token)
    except NotFoundError as error:
        raise HTTPException(401, f"{error}: {how}", {"WWW-Authenticate": scheme}) from None
    _take(request, bearer.token_id)
    if not bearer.scope.covers(needed):
        raise HTTPException(403, f"this token reads only: it needs the scope {needed.value}")
    request.state.caller = Caller(app, bearer.user)


def _take(request: Request, key: Hashable) -> None:
    allowance: Allowance = request.app.state.allowance
    allowed, request.state.limits = allowance.take(key)
    if not allowed:
        again = {"Retry-After": str(max(1, round(60 / allowance.per_minute)))}
        raise HTTPException(429, "this token asks too often: wait as told", again)


def _bearer(app: App, token: str) -> BearerView:
    if not token:
        raise NotFoundError("this needs a token")
    try:
        return app.store.api_tokens.bearer(digest(token), now=app.clock())
    except NotFoundError:
        raise NotFoundError("this token opens nothing (any more)") from None


class TokenRoute(DescribedRoute):
    """For those with a token: one that reads may GET, all else takes one that writes."""

    def needed(self, method: str) -> TokenScope:
        return TokenScope.READ if method == "GET" else TokenScope.WRITE

    async def check(self, request: Request) -> None:
        said, needed = request.headers.get("authorization"), self.needed(request.method)
        if said is None and needed is TokenScope.READ and await self._is_logged_in(request):
            return
        scheme, _, token = (said or "").partition(" ")
        await check_in(request, needed, token.strip() if scheme.lower() == "bearer" else "")

    async def _is_logged_in(self, request: Request) -> bool:
        """Whoever sees a page may read it as JSON, and change nothing by that."""
        user = await run_in_threadpool(request.app.state.logged_in, request)
        if user is not None:
            _take(request, ("session", user.id))
            request.state.caller = Caller(request.app.state.deck, user)
        return user is not None

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def checked(request: Request) -> Response:
            await self.check(request)
            return await handle(request)

        return checked


class AdminRoute(TokenRoute):
    def needed(self, method: str) -> TokenScope:
        return TokenScope.ADMIN


class WatchRoute(AdminRoute):
    """For admins, and without a token for whoever asks on this machine for himself."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        checked, handle = super().get_route_handler(), APIRoute.get_route_handler(self)

        async def watched(request: Request) -> Response:
            return await (handle if _is_from_here(request) else checked)(request)

        return watched


def _is_from_here(request: Request) -> bool:
    """A proxy on this machine asks for others, whom it names; a page from elsewhere asks by a name
    of its own, which it has led to this machine.
    """
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    return _is_loopback(request.client.host) and _is_loopback(request.url.hostname or "")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
