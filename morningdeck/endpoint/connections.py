"""Connections to an endpoint: one for each call under way, kept a while for the next call.

The package's own pool opens a hundred and keeps twenty, and looks at each of them before and
after every call. No answer by these is longer than a cap, none takes longer than its deadline:
the package's timeouts are for each read.
"""

from __future__ import annotations

import ssl
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock

import httpx2

from morningdeck.endpoint.chat import NoAnswerError
from morningdeck.endpoint.on_time import TimeLimit, bound

LARGEST_ANSWER = 512 << 10
KEPT_SECONDS = 5.0
"""Many servers hang up after as long."""


class KeptConnection:
    """A connection, and until when whoever uses it may wait for it."""

    def __init__(self, tls: ssl.SSLContext) -> None:
        one = httpx2.Limits(max_connections=1, keepalive_expiry=KEPT_SECONDS)
        self.transport = httpx2.HTTPTransport(verify=tls, trust_env=False, limits=one)
        self.limit = TimeLimit()
        bound(self.transport, self.limit)


class Connections(httpx2.BaseTransport):
    """Safe to be used by many threads at once."""

    def __init__(self, seconds: float) -> None:
        """An answer may take so long, to its last byte."""
        self._seconds = seconds
        self._tls = httpx2.create_ssl_context(trust_env=False)
        self._idle: deque[tuple[float, KeptConnection]] = deque()
        """With the time since when; the one used last is used next, the first is let go."""
        self._lock = Lock()
        self._open = True

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        line = self._take()
        line.limit.end_at(time.monotonic() + self._seconds)
        try:
            answer = line.transport.handle_request(request)
        except BaseException:
            line.transport.close()
            raise
        assert isinstance(answer.stream, httpx2.SyncByteStream)
        return httpx2.Response(
            answer.status_code,
            headers=answer.headers,
            stream=_BoundedStream(answer.stream, partial(self._give_back, line)),
            extensions=answer.extensions,
        )

    def _take(self) -> KeptConnection:
        with self._lock:
            if self._idle:
                return self._idle.pop()[1]
        return KeptConnection(self._tls)

    def _give_back(self, line: KeptConnection) -> None:
        now = time.monotonic()
        unused = []
        with self._lock:
            if self._open:
                self._idle.append((now, line))
            else:
                unused.append(line)
            while self._idle and now - self._idle[0][0] > KEPT_SECONDS:
                unused.append(self._idle.popleft()[1])
        for one in unused:
            one.transport.close()

    def close(self) -> None:
        """What is under way comes to its end."""
        with self._lock:
            self._open = False
            unused = [line for _, line in self._idle]
            self._idle.clear()
        for line in unused:
            line.transport.close()


class _BoundedStream(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, at_end: Callable[[], None]) -> None:
        self._stream = stream
        self._at_end = at_end
        self._closed = False

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for piece in self._stream:
            size += len(piece)
            if size > LARGEST_ANSWER:
                raise NoAnswerError("an answer larger than any that was asked for")
            yield piece

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._stream.close()
            self._at_end()
