"""Fills a template: whose page it is, where things are, what time it is for them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.responses import Response

from morningdeck import moments
from morningdeck.schedule import zone_or_utc

if TYPE_CHECKING:
    from morningdeck.views.reading import NameView
    from morningdeck.web.addresses import Addresses
    from morningdeck.web.pages.visiting import Visitor

NAV = (
    ("/", "Today"),
    ("/feed", "Feed"),
    ("/stories", "Stories"),
    ("/search", "Search"),
    ("/sources", "Sources"),
    ("/briefings", "Briefings"),
    ("/engine", "Engine"),
    ("/users", "Users"),
    ("/settings", "Settings"),
)
"""In this order, those that there are."""
SECOND_HALF = ("/engine", "/settings")
"""With the first of these that is shown, the second half of the navigation begins."""
FOR_ADMINS = frozenset({"/engine", "/users"})
PAGE_HEADERS = {
    "Cache-Control": "private, no-cache",
    # with no-referrer, browsers would send no origin along with our own forms
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            *(f"{kind}-src 'self'" for kind in ("style", "script", "connect", "font", "manifest")),
            "img-src 'self' data:",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_TEMPLATES = Environment(
    loader=PackageLoader("morningdeck.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)


def page(
    request: Request,
    template: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **given: Any,
) -> Response:
    """`said` stands above the page where something was done, `wrong` where it was not."""
    visitor: Visitor | None = getattr(request.state, "visitor", None)
    addresses: Addresses = request.app.state.addresses
    nav = _nav(request.app.state.pages, visitor)
    around = {
        "user": visitor.user if visitor else None,
        "form_token": visitor.form_token if visitor else "",
        "nav": nav,
        "apart": next((path for path, _ in nav if path in SECOND_HALF), None),
        "here": getattr(request.scope.get("route"), "path", ""),
        "to": addresses.to,
        "asset": addresses.asset,
        "now": request.app.state.deck.clock(),
        "said": None,
        "wrong": None,
    }
    text = _TEMPLATES.get_template(template).render({**around, **given})
    return Response(text, status, {**PAGE_HEADERS, **(headers or {})}, "text/html")


def _nav(pages: Container[str], visitor: Visitor | None) -> list[tuple[str, str]]:
    admin = visitor is not None and visitor.user is not None and visitor.user.role == "admin"
    return [
        (path, name) for path, name in NAV if path in pages and (admin or path not in FOR_ADMINS)
    ]


# ---- times, by the clock of whoever looks


def _exact(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


@pass_context
def _local(context: Context, at: datetime) -> str:
    return moments.in_words(at, context["now"], zone_or_utc(_zone(context)))


@pass_context
def _full(context: Context, at: datetime) -> str:
    return moments.full(at, zone_or_utc(_zone(context)))


def _zone(context: Context) -> str:
    return context["user"].timezone if context["user"] else "UTC"


# ---- what a browser calls itself

_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
    "curl/": "curl",
}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}
"""By what it says; the first that fits, as many call themselves others too."""


def _browser(agent: str) -> str:
    """`Firefox on Linux`, as far as it can be told; else the first of its own words."""
    name, system = (
        next((told for sign, told in known.items() if sign in agent), "")
        for known in (_BROWSERS, _SYSTEMS)
    )
    if not name:
        return agent[:40] or "a browser without a name"
    return f"{name} on {system}" if system else name


# ---- choices


def _options(named: Iterable[NameView], chosen: int | None) -> Markup:
    """What a form lets one choose from; of thousands, a loop in a template would take long."""
    told = (
        f'<option value="{one.id}"{" selected" if one.id == chosen else ""}>{escape(one.name)}'
        for one in named
    )
    return Markup("".join(f"{one}</option>\n" for one in told))


_TEMPLATES.filters.update(
    exact=_exact, local=_local, full=_full, browser=_browser, options=_options
)
