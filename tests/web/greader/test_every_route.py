"""Every route of reader apps, for whoever may ask: nobody, a wrong scope, others, its owner."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute

from morningdeck.store.tables.news import item_states, subscriptions
from morningdeck.web.application import READERS
from tests.factories import rows_of
from tests.web.greader.app import BASE, LABEL, STARRED
from tests.web.site import Website

API = "/reader/api/0"
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Route:
    """What is said; `others` is what somebody gets who names what is another user's."""

    said: Mapping[str, str] = field(default_factory=dict)
    others: int = 200
    content: bytes | None = None


OPEN, LOGIN = Route(), Route()
FEED = {"s": "feed/{source}"}
FOLDER = {"s": LABEL + "{folder}"}
ROUTES: Mapping[tuple[str, str], Route] = {
    ("GET", ""): OPEN,
    ("GET", "/"): OPEN,
    ("GET", "/accounts/ClientLogin"): LOGIN,
    ("POST", "/accounts/ClientLogin"): LOGIN,
    ("GET", f"{API}/token"): Route(),
    ("GET", f"{API}/user-info"): Route(),
    ("GET", f"{API}/preference/list"): Route(),
    ("GET", f"{API}/preference/stream/list"): Route(),
    ("GET", f"{API}/friend/list"): Route(),
    ("GET", f"{API}/tag/list"): Route(),
    ("GET", f"{API}/unread-count"): Route(),
    ("GET", f"{API}/stream/contents"): Route(FEED, 404),
    ("GET", f"{API}/stream/contents/feed/{{source}}"): Route(others=404),
    ("GET", "/reader/atom/feed/{source}"): Route(others=404),
    ("GET", f"{API}/stream/items/ids"): Route(FEED, 404),
    ("GET", f"{API}/stream/items/contents"): Route({"i": "{item}"}),
    ("POST", f"{API}/stream/items/contents"): Route({"i": "{item}"}),
    ("POST", f"{API}/edit-tag"): Route({"i": "{item}", "a": STARRED}),
    ("POST", f"{API}/mark-all-as-read"): Route(FEED, 404),
    ("GET", f"{API}/subscription/list"): Route(),
    ("POST", f"{API}/subscription/edit"): Route({**FEED, "ac": "edit", "t": "Mine"}, 404),
    ("POST", f"{API}/subscription/quickadd"): Route({"quickadd": "https://gone.example/"}),
    ("GET", f"{API}/subscription/export"): Route(),
    ("POST", f"{API}/subscription/import"): Route(content=b'<opml><outline xmlUrl="x"/></opml>'),
    ("POST", f"{API}/rename-tag"): Route({**FOLDER, "dest": LABEL + "New"}, 404),
    ("POST", f"{API}/disable-tag"): Route(FOLDER, 404),
}


@dataclass(frozen=True, slots=True)
class Owned:
    email: str
    names: Mapping[str, Any]


def something_of_somebody(web: Website) -> Owned:
    number = next(_numbers)
    email = f"keeper{number}@example.org"
    folder = f"Folder {number}"
    source = web.stock.source(
        web.stock.user(email), f"https://kept{number}.example", tags=(folder,)
    )
    item = web.stock.item(source, title="S3cret harbour")
    return Owned(email, {"source": source, "item": item, "folder": folder})


def ask(web: Website, token: str | None, name: tuple[str, str], owned: Owned) -> httpx2.Response:
    route, (method, path) = ROUTES[name], name
    said = {one: value.format(**owned.names) for one, value in route.said.items()}
    if route is LOGIN:
        said = {"Email": owned.email, **({"Passwd": token} if token is not None else {})}
    headers = {"Authorization": f"GoogleLogin auth={token}"} if token is not None else {}
    address = (BASE + path).format(**owned.names)
    with httpx2.Client(base_url=web.url, headers=headers, timeout=60) as client:
        if route.content is not None:
            kind = {"Content-Type": "text/xml"}
            return client.request(method, address, content=route.content, headers=kind)
        if method == "POST":
            return client.post(address, data=said)
        return client.get(address, params=said)


def test_every_route_is_in_the_table() -> None:
    there = {
        (method, route.path.replace("{stream:path}", "feed/{source}").removeprefix(BASE))
        for router in READERS
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }

    assert there == set(ROUTES)


@pytest.mark.parametrize("name", ROUTES, ids=lambda name: " ".join(name) or "base")
def test_each_gets_what_is_theirs(web: Website, name: tuple[str, str]) -> None:
    route, owned = ROUTES[name], something_of_somebody(web)
    mine, reads = web.token(owned.email, "write"), web.token(owned.email, "read")
    other = web.token("other@example.org", "write")
    before = _state(web, owned)

    def code(token: str | None) -> int:
        answer = ask(web, token, name, owned)
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
        assert token == mine or "S3cret" not in answer.text
        return answer.status_code

    if route is OPEN:
        assert code(None) == 200
        return
    assert [code(None), code("mdk_wrong"), code(""), code(reads)] == [401, 401, 401, 403]
    assert code(other) == (401 if route is LOGIN else route.others)
    assert _state(web, owned) == before
    assert code(mine) == 200


def _state(web: Website, owned: Owned) -> Any:
    """How its owner has marked and named it."""
    user = web.app.store.users.by_email(owned.email).id
    marks = rows_of(web.app.store.database, item_states, item_states.c.user_id == user)
    named = rows_of(web.app.store.database, subscriptions, subscriptions.c.user_id == user)
    return marks, [(row.source_id, row.name, row.tags) for row in named]


def test_the_rest_api_and_reader_apps_do_not_share_their_headers(web: Website) -> None:
    token = web.token("other@example.org", "write")
    with httpx2.Client(base_url=web.url) as client:
        as_bearer = {"Authorization": f"Bearer {token}"}
        as_google = {"Authorization": f"GoogleLogin auth={token}"}
        assert client.get(f"{BASE}{API}/user-info", headers=as_bearer).status_code == 401
        assert client.get("/api/v1/me", headers=as_google).status_code == 401


def test_a_revoked_password_ends_the_login_of_its_apps(web: Website) -> None:
    token = web.token("other@example.org", "write")
    headers = {"Authorization": f"GoogleLogin auth={token}"}
    with httpx2.Client(base_url=web.url, headers=headers) as client:
        assert client.get(f"{BASE}{API}/user-info").status_code == 200
        user = web.app.store.users.by_email("other@example.org").id
        web.app.store.api_tokens.remove(web.app.store.api_tokens.list(user)[0].id)

        assert client.get(f"{BASE}{API}/user-info").status_code == 401


def test_an_admins_items_are_not_everybodys(web: Website) -> None:
    owned = something_of_somebody(web)
    admin = web.token("me@localhost", "admin")

    answer = ask(web, admin, ("GET", f"{API}/stream/items/contents"), owned)

    assert answer.json()["items"] == []
    everything = ("GET", f"{API}/stream/contents")
    assert ask(web, admin, everything, owned).status_code == 404
