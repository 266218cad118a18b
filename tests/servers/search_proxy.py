"""In front of a real search server: what a test wants to say itself, it says."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.servers.meilisearch import Meilisearch
from tests.servers.web import Request, Server, answer

Word = Callable[[Request], bytes | None]


class SearchProxy(Server):
    """`word` is asked first; where it answers None, the server does."""

    def __init__(self, behind: Meilisearch) -> None:
        self.word: Word = lambda request: None
        self._behind = behind
        super().__init__(self._answer)

    @property
    def address(self) -> str:
        return self.url("").rstrip("/")

    def _answer(self, request: Request) -> Iterator[bytes]:
        said = self.word(request)
        yield self._forwarded(request) if said is None else said

    def _forwarded(self, request: Request) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self._behind.port, timeout=60)
        passed = ("authorization", "content-type")
        headers = {name: request.headers[name] for name in passed if name in request.headers}
        connection.request(request.method, request.path, request.body or None, headers)
        told = connection.getresponse()
        body = told.read()
        connection.close()
        return answer(told.status, body, content_type="application/json")


def refusal(code: str, status: int = 400) -> bytes:
    return told({"code": code, "message": "a secret", "type": "invalid_request"}, status)


def told(value: Any, status: int = 200) -> bytes:
    return answer(status, json.dumps(value).encode(), content_type="application/json")


def puts_documents(request: Request) -> bool:
    return request.method == "POST" and request.path.partition("?")[0].endswith("/documents")
