"""Every route and method, for everybody who may ask: nobody, the wrong scope, others, its owner.

Of the API by a token, of pages by a session.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute

from morningdeck.actions import tokens
from morningdeck.actions.feeds import open_feed
from morningdeck.model.kinds import TokenScope
from morningdeck.signed_links import ItemAction, leaving_token
from morningdeck.store.tables.briefs import deliveries, reports, topic_clusters, topic_runs
from morningdeck.store.tables.news import stories
from morningdeck.web.application import PAGES as PAGE_ROUTERS
from morningdeck.web.assets import ASSETS
from morningdeck.web.images import image_path
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
    ("POST", "/api/v1/items/{item}/retry"): Route("write", 409, owned=True),
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
    ("GET", "/api/v1/deliveries"): Route(),
    ("GET", "/api/v1/reports/{report}"): Route(owned=True),
    ("POST", "/api/v1/reports/{report}/send"): Route("write", 202, owned=True),
    ("GET", "/api/v1/search"): Route(query="q=ships&source={source}", owned=True),
    ("GET", "/api/v1/stories"): Route(),
    ("GET", "/api/v1/stories/{story}"): Route(owned=True),
    ("GET", "/api/v1/topics"): Route(),
    ("GET", "/api/v1/usage"): Route(),
}


@dataclass(frozen=True, slots=True)
class PageOf:
    """For whom it is, what its form says, and what comes of it."""

    whom: str = "user"
    code: int = 200
    form: Mapping[str, str] = field(default_factory=dict)
    owned: bool = False
    stranger: int = 303
    """What somebody gets who has not logged in, and has claimed nothing."""


ANYBODY, USER, ADMIN = "anybody", "user", "admin"
WRONG_LOGIN = {"email": "eve@example.org", "password": "wrong"}
PAGES: Mapping[tuple[str, str], PageOf] = {
    ("GET", "/"): PageOf(),
    ("GET", "/static/{asset}"): PageOf(ANYBODY),
    ("GET", "/app.webmanifest"): PageOf(ANYBODY),
    ("GET", "/share"): PageOf(),
    ("POST", "/share"): PageOf(USER, 303, {"url": "https://page.example/1"}),
    ("GET", "/claim"): PageOf(ANYBODY),
    ("POST", "/claim"): PageOf(ANYBODY, 422, {"code": "ABCD", **WRONG_LOGIN}),
    ("GET", "/login"): PageOf(ANYBODY, 303, stranger=200),
    ("POST", "/login"): PageOf(ANYBODY, 422, WRONG_LOGIN),
    ("POST", "/logout"): PageOf(ANYBODY, 303),
    ("GET", "/settings"): PageOf(),
    ("POST", "/settings/profile"): PageOf(USER, 303, {"name": "A", "timezone": "UTC"}),
    ("POST", "/settings/password"): PageOf(USER, 422, {"password": "wrong", "new": "x"}),
    ("POST", "/settings/tokens"): PageOf(USER, 201, {"name": "A", "scope": "read"}),
    ("POST", "/settings/tokens/{token}/end"): PageOf(USER, 303, owned=True),
    ("POST", "/settings/sessions/{session}/end"): PageOf(USER, 303, owned=True),
    ("POST", "/settings/sessions/end-others"): PageOf(USER, 303),
    ("POST", "/settings/feeds/{briefing}"): PageOf(USER, 201, owned=True),
    ("POST", "/settings/feeds/{briefing}/end"): PageOf(USER, 303, owned=True),
    ("GET", "/settings/export"): PageOf(),
    ("GET", "/settings/remove"): PageOf(),
    ("POST", "/settings/remove"): PageOf(USER, 422, {"email": "nobody"}),
    ("GET", "/feed"): PageOf(),
    ("POST", "/feed/read"): PageOf(USER, 303),
    ("POST", "/feed/unread"): PageOf(USER, 422),
    ("GET", "/items/{item}"): PageOf(owned=True),
    ("POST", "/items/{item}"): PageOf(USER, 303, {"read": "1"}, owned=True),
    ("GET", "/reports"): PageOf(),
    ("GET", "/reports/{report}"): PageOf(owned=True),
    ("GET", "/reports/{report}/left-out"): PageOf(owned=True),
    ("GET", "/search"): PageOf(),
    ("POST", "/search/saved"): PageOf(USER, 422),
    ("POST", "/search/saved/remove"): PageOf(USER, 422),
    ("GET", "/stories"): PageOf(),
    ("GET", "/stories/{topic}"): PageOf(owned=True),
    ("GET", "/sources"): PageOf(),
    ("POST", "/sources"): PageOf(USER, 303, {"url": "x"}),
    ("POST", "/sources/check"): PageOf(USER, 422, {"url": "x"}),
    ("GET", "/sources/new"): PageOf(),
    ("GET", "/sources/opml"): PageOf(),
    ("POST", "/sources/opml"): PageOf(USER, 422),
    ("GET", "/sources/opml/{source}"): PageOf(USER, 404),
    ("GET", "/sources/{source}"): PageOf(owned=True),
    ("POST", "/sources/{source}"): PageOf(USER, 303, {"name": "News"}, owned=True),
    ("POST", "/sources/{source}/pause"): PageOf(USER, 303, owned=True),
    ("POST", "/sources/{source}/resume"): PageOf(USER, 303, owned=True),
    ("POST", "/sources/{source}/reset"): PageOf(USER, 303, owned=True),
    ("GET", "/sources/{source}/remove"): PageOf(owned=True),
    ("POST", "/sources/{source}/remove"): PageOf(USER, 303, owned=True),
    ("GET", "/briefings"): PageOf(),
    ("POST", "/briefings"): PageOf(USER, 422),
    ("GET", "/briefings/new"): PageOf(),
    ("POST", "/briefings/preview"): PageOf(USER, 422),
    ("GET", "/briefings/{briefing}"): PageOf(owned=True),
    ("POST", "/briefings/{briefing}"): PageOf(USER, 422, owned=True),
    ("GET", "/briefings/{briefing}/edit"): PageOf(owned=True),
    ("GET", "/briefings/{briefing}/edition"): PageOf(owned=True),
    ("POST", "/briefings/{briefing}/pause"): PageOf(USER, 303, owned=True),
    ("POST", "/briefings/{briefing}/resume"): PageOf(USER, 303, owned=True),
    ("POST", "/briefings/{briefing}/run"): PageOf(USER, 303, owned=True),
    ("POST", "/briefings/{briefing}/test"): PageOf(USER, 422, owned=True),
    ("POST", "/briefings/{briefing}/reports/{report}/send"): PageOf(USER, 303, owned=True),
    ("GET", "/briefings/{briefing}/remove"): PageOf(owned=True),
    ("POST", "/briefings/{briefing}/remove"): PageOf(USER, 303, owned=True),
    ("GET", "/start"): PageOf(USER, 303),
    ("POST", "/start/sources"): PageOf(USER, 303),
    ("GET", "/start/wish"): PageOf(USER, 200),
    ("POST", "/start/when"): PageOf(USER, 422),
    ("POST", "/start/briefing"): PageOf(USER, 422),
    ("GET", "/start/edition/{briefing}"): PageOf(owned=True),
    ("GET", "/engine"): PageOf(ADMIN),
    ("GET", "/engine.json"): PageOf(ADMIN),
    ("POST", "/engine/fetch/{source}/retry"): PageOf(ADMIN, 404),
    ("POST", "/engine/processing/{item}/retry"): PageOf(ADMIN, 404),
    ("POST", "/engine/processing/retry"): PageOf(ADMIN, 422),
    ("POST", "/engine/processing/{item}/purge"): PageOf(ADMIN, 409),
    ("GET", "/users"): PageOf(ADMIN),
    ("GET", "/users.json"): PageOf(ADMIN),
    ("POST", "/users"): PageOf(ADMIN, 422, {"email": "nobody"}),
    ("POST", "/users/switch"): PageOf(ADMIN, 404, {"email": "gone@example.org", "on": "1"}),
    ("POST", "/users/credits"): PageOf(ADMIN, 422, {"email": "me@localhost", "credits": "few"}),
    ("POST", "/users/code"): PageOf(ADMIN, 404, {"email": "gone@example.org"}),
}

NO_PAGE = ("{asset}", "/export", ".webmanifest", ".json", "/opml")
ENDLESS = {("GET", "/engine/events")}
"""An answer that goes on and on: `test_engine_live.py` holds it against everybody."""


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
    things["topic"] = topic_of(web, user)
    keys, her = web.app.store.api_tokens, web.user(email)
    things["token"] = tokens.issue(keys, her, "hers", TokenScope.READ, now=NOW).id
    now = web.app.clock()
    begun = web.app.store.sessions.begin(her.id, email, now=now, browser="", address="")
    return Owned(
        email,
        {**things, "briefing": briefing, "report": report, "session": begun.session_id},
        {
            "secret": opened.rss.removeprefix("/feeds/").removesuffix(".rss"),
            **kept_image(web, f"https://news{number}.example/1.png"),
            **tokens_of_a_mail(web, feed, email, item),
        },
    )


def topic_of(web: Website, user: int) -> int:
    database, counted = web.app.store.database, {"since": "2026-11-10", "this_week": 6, "size": 8}
    topic = {"user_id": user, "label": "Wind", "period": "2026-11-18", "run": 1, **counted}
    with database.write() as connection:
        run = {"user_id": user, "begun": 1, "run": 1, "day": "2026-11-18"}
        connection.execute(topic_runs.insert().values(run))
    return make(database, topic_clusters, **topic)


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

    programs = {name for name, route in ROUTES.items() if not route.page}
    assert {(method, _with_id(path)) for method, path in there} == {
        (method, _with_id(path)) for method, path in programs
    }


def test_every_page_is_in_the_table() -> None:
    routes = [route for router in PAGE_ROUTERS for route in router.routes]
    assert all(isinstance(route, APIRoute) for route in routes)
    there = {
        (method, _with_id(route.path))
        for route in routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }

    from_mails = {name for name, route in ROUTES.items() if route.page}
    assert there == {(method, _with_id(path)) for method, path in {*PAGES} | from_mails} | ENDLESS


def _with_id(path: str) -> str:
    return re.sub(r"{\w+}", "{id}", path)


def _says_what_to_do(answer: httpx2.Response, route: Route) -> None:
    if route.page:
        assert "Nothing was changed" in answer.text
        return
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json().keys() >= {"title", "status", "detail"}


def show(
    web: Website, email: str | None, name: tuple[str, str], owned: Owned, *, token: str | None = ""
) -> httpx2.Response:
    """A page, or its form with or without the right token."""
    route, (method, path) = PAGES[name], name
    with web.browser(email, **{"X-Forwarded-For": "203.0.113.7"}) as browser:
        address = path.format(asset=ASSETS["style.css"].address, **owned.ids)
        if method == "GET":
            return browser.get(address)
        if email is None:
            browser.get("/login")
        if token is None:
            return browser.client.post(address, data=route.form)
        return browser.send(address, **route.form)


def claim_once(web: Website) -> None:
    if not web.app.store.accounts.any_claimed():
        web.user("me@localhost", "a few good words")


@pytest.mark.parametrize("name", PAGES, ids=" ".join)
def test_each_sees_what_is_theirs(web: Website, name: tuple[str, str]) -> None:
    page, owned = PAGES[name], something_of_somebody(web)
    claim_once(web)

    def code(email: str | None) -> int:
        web.forget_attempts()
        answer = show(web, email, name, owned)
        if answer.status_code >= 400 or answer.status_code == 200:
            kind = answer.headers["content-type"]
            assert kind == "text/html; charset=utf-8" or name[1].endswith(NO_PAGE)
        return answer.status_code

    if page.whom == ANYBODY:
        assert code(owned.email) == page.code
        assert code(None) in (page.code, page.stranger)
        return
    stranger = show(web, None, name, owned)
    assert (stranger.status_code, stranger.headers["location"][:6]) == (303, "/login")
    if page.owned:
        assert [code("other@example.org"), code("me@localhost")] == [404, 404]
    if page.whom == ADMIN:
        assert [code(owned.email), code("me@localhost")] == [403, page.code]
        return
    assert code(owned.email) == page.code


@pytest.mark.parametrize("name", [name for name in PAGES if name[0] == "POST"], ids=" ".join)
def test_no_form_is_taken_without_its_token(web: Website, name: tuple[str, str]) -> None:
    owned = something_of_somebody(web)
    for email in (owned.email, "me@localhost"):
        assert show(web, email, name, owned, token=None).status_code == 403


@pytest.mark.parametrize("name", PAGES, ids=" ".join)
def test_no_token_opens_a_page_and_a_session_only_reads_the_api(
    web: Website, name: tuple[str, str]
) -> None:
    owned = something_of_somebody(web)
    claim_once(web)
    shown = {"Authorization": f"Bearer {web.token(owned.email, 'write')}"}
    if PAGES[name].whom != ANYBODY:
        with web.browser(**shown) as browser:
            path = name[1].format(asset="", **owned.ids)
            assert browser.client.request(name[0], path).headers["location"][:6] == "/login"
    with web.browser(owned.email) as browser:
        assert browser.get("/api/v1/me").json()["email"] == owned.email
        for method, address in (("POST", "/api/v1/sources"), ("GET", "/admin/queue-stats")):
            assert browser.client.request(method, address, json={}).status_code == 401


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
