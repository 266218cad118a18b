"""Every route and method, for everybody who may ask: nobody, the wrong scope, others, its owner."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute

from morningdeck.actions.feeds import open_feed
from morningdeck.signed_links import ItemAction, leaving_token
from morningdeck.store.tables.briefs import deliveries, reports
from morningdeck.store.tables.news import stories
from morningdeck.web.images import image_path
from morningdeck.web.pages import from_mail
from tests.conftest import NOW
from tests.factories import make
from tests.web.site import Website

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Route:
    """What it takes, and what its owner gets."""

    scope: str = "read"
    code: int = 200
    body: Any = None
    query: str = ""
    owned: bool = False
    """It names something of one user's."""
    content: bytes | None = None
    page: bool = False
    """It is told to people, and not in the description for programs."""


OPEN, SECRET = "", "the address"
PNG = b"\x89PNG\r\n\x1a\n"
BRIEFING = {"title": "Morning", "criteria": "ships", "daily": "08:00"}
ROUTES: Mapping[tuple[str, str], Route] = {
    ("GET", "/healthz"): Route(OPEN),
    ("GET", "/readyz"): Route(OPEN),
    ("GET", "/metrics"): Route("admin"),
    ("GET", "/admin/queue-stats"): Route("admin"),
    ("GET", "/api/openapi.json"): Route(OPEN),
    ("GET", "/api/v1/me"): Route(),
    ("GET", "/api/v1/status"): Route(),
    ("GET", "/api/v1/sources"): Route(),
    ("POST", "/api/v1/sources"): Route("write", 201, {"url": "https://a.example", "check": False}),
    ("GET", "/api/v1/sources/{source}"): Route(owned=True),
    ("PATCH", "/api/v1/sources/{source}"): Route("write", body={"name": "Port"}, owned=True),
    ("DELETE", "/api/v1/sources/{source}"): Route("write", 204, owned=True),
    ("POST", "/api/v1/sources/{source}/refresh"): Route("write", owned=True),
    ("POST", "/api/v1/sources/{source}/pause"): Route("write", owned=True),
    ("POST", "/api/v1/sources/{source}/resume"): Route("write", owned=True),
    ("POST", "/api/v1/sources/{source}/reset"): Route("write", owned=True),
    ("GET", "/api/v1/opml"): Route(),
    ("POST", "/api/v1/opml"): Route(
        "write", content=b'<opml><outline xmlUrl="https://o.example"/>'
    ),
    ("GET", "/api/v1/items"): Route(query="source={source}", owned=True),
    ("POST", "/api/v1/items"): Route("write", 202, {"url": "https://page.example/1"}),
    ("POST", "/api/v1/items/read"): Route("write", body={"ids": [1]}),
    ("GET", "/api/v1/items/{item}"): Route(owned=True),
    ("PATCH", "/api/v1/items/{item}"): Route("write", body={"read": True}, owned=True),
    ("GET", "/api/v1/briefings"): Route(),
    ("POST", "/api/v1/briefings"): Route("write", 201, BRIEFING),
    ("GET", "/api/v1/briefings/{briefing}"): Route(owned=True),
    ("PATCH", "/api/v1/briefings/{briefing}"): Route("write", body={"title": "Eve"}, owned=True),
    ("DELETE", "/api/v1/briefings/{briefing}"): Route("write", 204, owned=True),
    ("POST", "/api/v1/briefings/{briefing}/run"): Route("write", 202, owned=True),
    ("GET", "/api/v1/briefings/{briefing}/preview"): Route(owned=True),
    ("POST", "/api/v1/briefings/{briefing}/feed"): Route("write", 201, owned=True),
    ("DELETE", "/api/v1/briefings/{briefing}/feed"): Route("write", 204, owned=True),
    ("GET", "/feeds/{secret}.rss"): Route(SECRET),
    ("GET", "/feeds/{secret}.atom"): Route(SECRET),
    ("GET", "/feeds/{secret}.json"): Route(SECRET),
    ("GET", "/images/{signature}/{address}"): Route(SECRET),
    ("GET", "/unsubscribe/{leaving}"): Route(SECRET, page=True),
    ("POST", "/unsubscribe/{leaving}"): Route(SECRET, page=True),
    ("POST", "/unsubscribe/{leaving}/back"): Route(SECRET, page=True),
    ("GET", "/from-mail/{acting}"): Route(SECRET, page=True),
    ("POST", "/from-mail/{acting}"): Route(SECRET, page=True),
    ("POST", "/from-mail/{acting}/back"): Route(SECRET, page=True),
    ("GET", "/api/v1/reports"): Route(query="briefing={briefing}", owned=True),
    ("GET", "/api/v1/reports/{report}"): Route(owned=True),
    ("POST", "/api/v1/reports/{report}/send"): Route("write", 202, owned=True),
    ("GET", "/api/v1/search"): Route(query="q=ships&source={source}", owned=True),
    ("GET", "/api/v1/stories"): Route(),
    ("GET", "/api/v1/stories/{story}"): Route(owned=True),
    ("GET", "/api/v1/topics"): Route(),
    ("GET", "/api/v1/usage"): Route(),
}


MADE = {"{source}", "{item}", "{story}", "{briefing}", "{report}"}
"""What the ids in paths stand for."""


@dataclass(frozen=True, slots=True)
class Owned:
    """One of each, of a user made for it."""

    email: str
    ids: Mapping[str, int]
    secrets: Mapping[str, str]
    """What stands in addresses that are for whoever knows them."""


def something_of_somebody(web: Website) -> Owned:
    stock, number = web.stock, next(_numbers)
    email = f"owner{number}@example.org"
    user = stock.user(email)
    source = stock.source(user, f"https://news{number}.example/feed")
    briefing = stock.briefing(user)
    report = stock.report(briefing)
    stock.set(reports, report, generated_at=NOW)
    sent = {"channel": "folder", "address": "folder", "content": b"Hello", "report_id": report}
    make(web.app.store.database, deliveries, **sent)
    story = make(web.app.store.database, stories, label="Harbour opens")
    item = stock.item(source, story_id=story)
    things = {"source": source, "item": item, "story": story}
    feed = stock.briefing(user, recipients=(email,))
    opened = open_feed(web.app.store.feeds, user, feed, "", anew=False)
    return Owned(
        email,
        {**things, "briefing": briefing, "report": report},
        {
            "secret": opened.rss.removeprefix("/feeds/").removesuffix(".rss"),
            **kept_image(web, f"https://news{number}.example/1.png"),
            **tokens_of_a_mail(web, feed, email, item),
        },
    )


def tokens_of_a_mail(web: Website, briefing: int, email: str, item: int) -> Mapping[str, str]:
    signer, today = web.app.adapters.outlets.signer, web.app.clock().date()
    acting = ItemAction("save", briefing, item, today).token(signer)
    return {"leaving": leaving_token(signer, briefing, email), "acting": acting}


def kept_image(web: Website, url: str) -> Mapping[str, str]:
    """One that need not be fetched any more."""
    outlets = web.app.adapters.outlets
    assert outlets.images is not None
    outlets.images.keep(url, PNG)
    _, _, signature, address = (image_path(outlets, url) or "").split("/")
    return {"signature": signature, "address": address}


def ask(web: Website, token: str | None, name: tuple[str, str], owned: Owned) -> httpx2.Response:
    """As if from elsewhere: for whoever is on this machine, some need no token."""
    route, (method, path) = ROUTES[name], name
    address = f"{path}?{route.query}".format(**owned.ids, **owned.secrets)
    with web.asked_with(token, **{"X-Forwarded-For": "203.0.113.7"}) as client:
        if route.content is not None:
            return client.request(method, address, content=route.content)
        return client.request(method, address, json=route.body)


def test_every_route_is_in_the_table(web: Website) -> None:
    with web.asked_with(None) as client:
        paths = client.get("/api/openapi.json").json()["paths"]
    there = {(method.upper(), path) for path, of in paths.items() for method in of}
    there.add(("GET", "/api/openapi.json"))

    programs = {
        (method, _with_id(path)) for (method, path), route in ROUTES.items() if not route.page
    }
    assert there == programs
    pages = {(method, re.sub(r"{\w+}", "{token}", path)) for method, path in {*ROUTES} - programs}
    asking = [one for one in from_mail.router.routes if isinstance(one, APIRoute)]
    assert {(method, one.path) for one in asking for method in one.methods or ()} <= pages


def _with_id(path: str) -> str:
    return "/".join("{id}" if part in MADE else part for part in path.split("/"))


def _says_what_to_do(answer: httpx2.Response, route: Route) -> None:
    if route.page:
        assert "Nothing was changed" in answer.text
        return
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json().keys() >= {"title", "status", "detail"}


@pytest.mark.parametrize("name", ROUTES, ids=" ".join)
def test_each_gets_what_is_theirs(web: Website, name: tuple[str, str]) -> None:
    route, owned = ROUTES[name], something_of_somebody(web)
    mine = {scope: web.token(owned.email, scope) for scope in ("read", "write")}
    theirs = web.token("other@example.org", "write")
    admins = web.token("me@localhost", "admin")

    def code(token: str | None) -> int:
        answer = ask(web, token, name, owned)
        if answer.status_code >= 400:
            _says_what_to_do(answer, route)
        return answer.status_code

    if route.scope == OPEN:
        assert [code(None), code("mdk_wrong")] == [200, 200]
        return
    if route.scope == SECRET:
        assert [code(None), code("mdk_wrong"), code(theirs)] == [route.code] * 3
        unknown = replace(owned, secrets=dict.fromkeys(owned.secrets, "unknown"))
        refused = ask(web, mine["write"], name, unknown)
        assert refused.status_code == 404
        _says_what_to_do(refused, route)
        return
    assert [code(None), code("mdk_wrong"), code("")] == [401, 401, 401]
    if route.scope == "admin":
        assert [code(mine["read"]), code(mine["write"]), code(admins)] == [403, 403, route.code]
        return
    if route.scope == "write":
        assert code(mine["read"]) == 403
    if route.owned:
        assert [code(theirs), code(admins)] == [404, 404]
    assert code(mine[route.scope]) == route.code


def test_methods_that_are_not_there_are_refused_by_name(web: Website) -> None:
    owned = something_of_somebody(web)
    token = web.token(owned.email, "write")
    with web.asked_with(token) as client:
        assert client.put("/api/v1/me").status_code == 405
        assert client.get("/api/v1/nothing").status_code == 404
        assert client.get("/api/v1/me/").status_code == 404
        assert client.put("/api/v1/me").json()["title"] == "Method Not Allowed"
