"""What is sent out on purpose, once: a guarded POST, neither repeated nor sent on to elsewhere.

Nobody's pace holds it up: it goes where its reader has asked for it, and few of them go there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from morningdeck.model.reading import Page
from morningdeck.net.client import GuardedClient
from morningdeck.net.urls import parse
from morningdeck.sockets import Deadline


class GuardedPoster:
    """The port `Poster`."""

    def __init__(self, client: GuardedClient, *, timeout_seconds: float = 20) -> None:
        self._client = client
        self._timeout_seconds = timeout_seconds

    def post(
        self,
        url: str,
        body: bytes,
        *,
        headers: Mapping[str, str],
        last_step: Callable[[], bool] = lambda: True,
    ) -> Page | None:
        target = parse(url)
        deadline = Deadline.after(self._timeout_seconds)
        answer = self._client.post(target, headers, body, deadline, last_step)
        if answer is None:
            return None
        return Page(target.url, answer.status, answer.headers, answer.body)
