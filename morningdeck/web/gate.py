"""What every request passes: limits of body and time on the way in, one line of log on the way out.

The line has the route's template instead of the path, and nothing of query, token or address.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from threading import Event
from typing import Any

from fastapi import HTTPException
from starlette.responses import RedirectResponse

from morningdeck.logs import log
from morningdeck.web.problems import ProblemResponse

AsgiMessage = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]

MOST_BODY_BYTES, MOST_LIST_BYTES = 1_000_000, 5_000_000
LIST_PATHS = ("/api/v1/opml", "/reader/api/0/subscription/import", "/sources/opml")
BODY_SECONDS = 20.0
TWO_LENGTHS = {b"content-length", b"transfer-encoding"}
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
"""Of every answer that does not say otherwise."""


class Gate:
    def __init__(self, inner: Any, base_path: str = "", body_seconds: float = BODY_SECONDS) -> None:
        self._inner = inner
        self.state = inner.state
        self._base_path = base_path
        self._body_seconds = body_seconds
        self.ends = Event()
        """Set when the server stops: answers that go on and on end then."""
        self.answered: Counter[str] = Counter()
        """By the class of status, `2xx`."""

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        began, status, method = time.monotonic(), 0, scope["method"]
        if method == "HEAD":
            scope, send = {**scope, "method": "GET"}, without_body(send)
        scope["root_path"] = self._base_path
        state: AsgiMessage = scope.setdefault("state", {})

        async def note(message: AsgiMessage) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                told = {**SAFE_HEADERS, **state.get("limits", {})}
                said = {name.lower() for name, _ in message["headers"]}
                added = [(name.lower().encode(), text.encode()) for name, text in told.items()]
                new = [(name, text) for name, text in added if name not in said]
                message["headers"] = [*message["headers"], *new]
            await send(message)

        try:
            intake = Intake(scope, receive, self._body_seconds)
            await self._answers(scope)(scope, intake, note)
        except Exception:  # a request must not end the server, and its log is ours
            log.exception("request_bug", route=_route(scope))
            if not status:
                await ProblemResponse(500, "a bug of ours")(scope, receive, note)
        finally:
            self._tell(method, scope, status, time.monotonic() - began)

    def _answers(self, scope: AsgiMessage) -> Any:
        """The base path without its slash is no page: the cookies of pages are not sent to it."""
        path = scope["path"]
        if {name for name, _ in scope["headers"]} >= TWO_LENGTHS:
            close = {"Connection": "close"}  # a proxy may take the rest for another request
            told = "a body has a length or an encoding, not both"
            return ProblemResponse(400, told, headers=close)
        if path and path == self._base_path:
            return RedirectResponse(f"{path}/", 308)
        return self._inner

    def _tell(self, method: str, scope: AsgiMessage, status: int, seconds: float) -> None:
        """A client that has left before the answer has got none: status 0."""
        self.answered[f"{status // 100}xx"] += 1
        milliseconds = round(seconds * 1000, 1)
        known = method if method in METHODS else "OTHER"
        fields = {"method": known, "route": _route(scope), "status": status}
        log.info("request", **fields, duration_ms=milliseconds)


def without_body(send: Send) -> Send:
    """For HEAD, which is answered as a GET would be: its head, and at once the end."""

    async def head_alone(message: AsgiMessage) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b""})

    return head_alone


def _route(scope: AsgiMessage) -> str:
    return getattr(scope.get("route"), "path", "-")


class Intake:
    """The body of a request: no more than so many bytes, and all of them in time.

    As much again is read and dropped: whoever still sends would not hear what was wrong.
    """

    def __init__(self, scope: AsgiMessage, receive: Receive, seconds: float) -> None:
        is_list = scope["path"].endswith(LIST_PATHS)
        self._most = MOST_LIST_BYTES if is_list else MOST_BODY_BYTES
        self._receive = receive
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._complete = False
        self._taken = 0
        told = dict(scope["headers"]).get(b"content-length", b"0")
        self._hopeless = told.isdigit() and (len(told) > 18 or int(told) > 2 * self._most)

    async def __call__(self) -> AsgiMessage:
        if self._complete:  # from here on it only says that the client has left
            return await self._receive()
        while not self._hopeless:
            message = await self._next()
            if self._taken <= self._most:
                return message
            self._hopeless = self._complete or self._taken > 2 * self._most
        raise HTTPException(413, f"the body has more than {self._most:,} bytes: send less")

    async def _next(self) -> AsgiMessage:
        try:
            left = max(0.0, self._until - time.monotonic())
            message = await asyncio.wait_for(self._receive(), left)
        except TimeoutError:
            raise HTTPException(408, f"the body took longer than {self._seconds:g} s") from None
        self._taken += len(message.get("body", b""))
        self._complete = not message.get("more_body", False)
        return message
