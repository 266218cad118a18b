"""Connections to an endpoint: one for each call under way, kept a while for the next call.

The package's own pool opens a hundred and keeps twenty, and looks at each of them before and
after every call. No answer by these is longer than a cap, none takes longer than its deadline:
the package's timeouts are for each read.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock

import httpx2

from morningdeck.endpoint.chat import NoAnswerError

LARGEST_ANSWER = 512 << 10
KEPT_SECONDS = 5.0
"""Many servers hang up after as long."""


class Connections(httpx2.BaseTransport):
    """Safe to be used by many threads at once."""

    def __init__(self, seconds: float) -> None:
        """An answer may take so long, to its last byte."""
        self._seconds = seconds
        self._tls = httpx2.create_ssl_context(trust_env=False)
        self._idle: deque[tuple[float, httpx2.HTTPTransport]] = deque()
        """With the time since when; the one used last is used next, the first is let go."""
        self._lock = Lock()
        self._open = True

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        until = time.monotonic() + self._seconds
        connection = self._take()
        try:
            answer = connection.handle_request(request)
        except BaseException:
            connection.close()
            raise
        assert isinstance(answer.stream, httpx2.SyncByteStream)
        return httpx2.Response(
            answer.status_code,
            headers=answer.headers,
            stream=_BoundedStream(answer.stream, until, partial(self._give_back, connection)),
            extensions=answer.extensions,
        )

    def _take(self) -> httpx2.HTTPTransport:
        with self._lock:
            if self._idle:
                return self._idle.pop()[1]
        one = httpx2.Limits(max_connections=1, keepalive_expiry=KEPT_SECONDS)
        return httpx2.HTTPTransport(verify=self._tls, trust_env=False, limits=one)

    def _give_back(self, connection: httpx2.HTTPTransport) -> None:
        now = time.monotonic()
        unused = []
        with self._lock:
            if self._open:
                self._idle.append((now, connection))
            else:
                unused.append(connection)
            while self._idle and now - self._idle[0][0] > KEPT_SECONDS:
                unused.append(self._idle.popleft()[1])
        for one in unused:
            one.close()

    def close(self) -> None:
        """What is under way comes to its end."""
        with self._lock:
            self._open = False
            unused = [connection for _, connection in self._idle]
            self._idle.clear()
        for connection in unused:
            connection.close()


class _BoundedStream(httpx2.SyncByteStream):
    def __init__(
        self, stream: httpx2.SyncByteStream, until: float, at_end: Callable[[], None]
    ) -> None:
        self._stream = stream
        self._until = until
        self._at_end = at_end
        self._closed = False

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for piece in self._stream:
            size += len(piece)
            if size > LARGEST_ANSWER:
                raise NoAnswerError("an answer larger than any that was asked for")
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the deadline is over")
            yield piece

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._stream.close()
            self._at_end()
