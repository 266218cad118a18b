"""One FastAPI application over one `App`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from anyio import CapacityLimiter
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from morningdeck.web import assets, description, health, images, outlets, problems
from morningdeck.web.addresses import Addresses, addresses_below
from morningdeck.web.api import briefings, items, people, reports, search, sources, stories
from morningdeck.web.gate import BODY_SECONDS, Gate
from morningdeck.web.greader import account, marking, reading, subscribing
from morningdeck.web.login import PER_MINUTE, Allowance
from morningdeck.web.pages import (
    beginning,
    briefing_acts,
    editions,
    engine,
    feed,
    from_mail,
    installing,
    leaving,
    lists,
    login,
    settings,
    sharing,
    today,
    users,
)
from morningdeck.web.pages import briefings as briefing_pages
from morningdeck.web.pages import items as items_page
from morningdeck.web.pages import problems as page_problems
from morningdeck.web.pages import search as search_page
from morningdeck.web.pages import sources as source_pages
from morningdeck.web.pages import stories as story_pages
from morningdeck.web.pages.attempts import Attempts
from morningdeck.web.pages.imports import Imports
from morningdeck.web.pages.visiting import recognised
from morningdeck.web.pages.watching import Watch, as_event, numbers_now
from morningdeck.web.proxies import Proxies

if TYPE_CHECKING:
    from morningdeck.app import App

ROUTERS = (
    *(health.router, health.admin, health.watched, outlets.router, images.router),
    *(people.router, sources.router, items.router),
    *(briefings.router, reports.router, stories.router, search.router),
)
PAGES: tuple[APIRouter, ...] = (
    assets.router,
    installing.router,
    sharing.router,
    login.router,
    today.router,
    items_page.router,
    feed.router,
    search_page.router,
    story_pages.router,
    settings.router,
    leaving.router,
    from_mail.router,
    engine.router,
    users.router,
    lists.router,
    source_pages.router,
    editions.router,
    briefing_pages.router,
    briefing_acts.router,
    beginning.router,
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
    web = app.settings.web
    made = make_api()
    made.state.deck, made.state.loops = app, loops
    made.state.allowance = Allowance(per_minute)
    made.state.image_threads = CapacityLimiter(images.FETCHED_AT_ONCE)
    made.state.addresses = addresses_below(web.base_url)
    made.state.proxies = Proxies(web.trusted_proxies, web.login_header, made.state.addresses.host)
    made.state.logged_in = lambda request: recognised(app, made.state.proxies, request).user
    made.state.attempts = Attempts()
    made.state.imports = Imports()
    gate = Gate(made, made.state.addresses.base_path, body_seconds)
    made.state.answered = gate.answered
    made.state.watch = Watch(lambda: as_event(numbers_now(app)), gate.ends)
    return gate


def make_api() -> FastAPI:
    """The routes alone, with nothing behind them yet."""
    made = FastAPI(
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    for router in (*ROUTERS, *PAGES, *READERS):  # `include_router` would build each route once more
        made.router.routes += router.routes
    made.state.addresses = Addresses()
    made.state.pages = {
        route.path for router in PAGES for route in router.routes if isinstance(route, APIRoute)
    }
    problems.register(made, page_problems.as_page)
    page_problems.register(made)
    made.openapi = lambda: description.describe(made)  # type: ignore[method-assign]  # its own way
    return made
