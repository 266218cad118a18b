"""A reader app, as far as it speaks to a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.web.site import Website

BASE = "/api/greader.php"
STATE, LABEL = "user/-/state/com.google/", "user/-/label/"
READING_LIST, READ, STARRED = STATE + "reading-list", STATE + "read", STATE + "starred"
LONG = "tag:google.com,2005:reader/item/"


@dataclass(frozen=True)
class ReaderApp:
    """`values` may name one thing several times, as a list."""

    client: httpx2.Client

    def get(self, path: str, **values: Any) -> httpx2.Response:
        return self.client.get(f"{BASE}/reader/{path}", params=values)

    def post(self, path: str, **values: Any) -> httpx2.Response:
        return self.client.post(f"{BASE}/reader/{path}", data=values)

    def asks(self, path: str, **values: Any) -> Any:
        answer = self.get(f"api/0/{path}", output="json", **values)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def does(self, path: str, **values: Any) -> None:
        answer = self.post(f"api/0/{path}", **values)
        assert (answer.status_code, answer.text) == (200, "OK")

    def ids(self, stream: str = READING_LIST, **values: Any) -> list[int]:
        refs = self.asks("stream/items/ids", s=stream, **values)["itemRefs"]
        return [int(one["id"]) for one in refs]


def auth_of(client: httpx2.Client, email: str, password: str) -> str:
    answer = client.post(f"{BASE}/accounts/ClientLogin", data={"Email": email, "Passwd": password})
    assert answer.status_code == 200, answer.text
    return dict(line.split("=", 1) for line in answer.text.split())["Auth"]


@contextmanager
def logged_in(web: Website, email: str, token: str | None = None) -> Iterator[ReaderApp]:
    token = token or web.token(email, "write")
    with httpx2.Client(base_url=web.url, timeout=60) as client:
        client.headers["Authorization"] = f"GoogleLogin auth={auth_of(client, email, token)}"
        yield ReaderApp(client)
