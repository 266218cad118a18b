"""One FastAPI application over one `App`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fastapi import FastAPI

from morningdeck.errors import ConfigError
from morningdeck.web import description, health, problems
from morningdeck.web.api import briefings, items, people, reports, search, sources
from morningdeck.web.gate import BODY_SECONDS, Gate
from morningdeck.web.greader import account, marking, reading, subscribing
from morningdeck.web.login import PER_MINUTE, Allowance

if TYPE_CHECKING:
    from morningdeck.app import App

ROUTERS = (
    *(health.router, health.admin, health.watched),
    *(people.router, sources.router, items.router),
    *(briefings.router, reports.router, search.router),
)

READERS = (
    *(account.entrance, account.login, account.router),
    *(reading.router, marking.router, subscribing.router),
)
"""For reader apps, whose interface is described elsewhere."""

Loops = Callable[[], Mapping[str, bool]]
"""By the name of each, whether it still beats."""


def make_application(
    app: App, loops: Loops, *, per_minute: int = PER_MINUTE, body_seconds: float = BODY_SECONDS
) -> Gate:
    """`per_minute` is how often one token may ask."""
    made = make_api()
    made.state.deck, made.state.loops = app, loops
    made.state.allowance = Allowance(per_minute)
    gate = Gate(made, base_path(app.settings.web.base_url), body_seconds)
    made.state.answered = gate.answered
    return gate


def make_api() -> FastAPI:
    """The routes alone, with nothing behind them yet."""
    made = FastAPI(
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    for router in ROUTERS:
        made.include_router(router)
    for router in READERS:
        made.include_router(router, include_in_schema=False)
    problems.register(made)
    made.openapi = lambda: description.describe(made)  # type: ignore[method-assign]  # its own way
    return made


def base_path(base_url: str | None) -> str:
    """`/deck` of https://example.org/deck/: a proxy may leave it on or take it off."""
    try:
        return urlsplit(base_url or "").path.rstrip("/")
    except ValueError as error:
        raise ConfigError(f"web.base_url: {base_url!r} is no address: {error}") from error
