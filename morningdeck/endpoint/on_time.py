"""A connection that is read and written only up to a deadline.

The package's timeouts are for each read: a server that sends a byte of its headers now and then
would keep its caller, and the place that this has among those who may ask at once.
"""

from __future__ import annotations

import math
import time
from typing import Any

import httpx2


class TimeLimit:
    """For the call that is under way; the next one on the same connection has another."""

    def __init__(self) -> None:
        self._until = math.inf

    def end_at(self, until: float) -> None:
        self._until = until

    def left(self, timeout: float | None) -> float:
        """How long to wait at most."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise httpx2.ReadTimeout("the deadline is over")
        return left if timeout is None else min(timeout, left)


def bound(transport: httpx2.HTTPTransport, limit: TimeLimit) -> None:
    """Have all connections of this transport, which has none yet, keep to the limit."""
    pool: Any = transport._pool  # there is no public way to another backend
    pool._network_backend = _Backend(pool._network_backend, limit)


class _Backend:
    def __init__(self, backend: Any, limit: TimeLimit) -> None:
        self._backend = backend
        self._limit = limit

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, **more: Any
    ) -> _Stream:
        timeout = self._limit.left(timeout)
        stream = self._backend.connect_tcp(host, port, timeout=timeout, **more)
        return _Stream(stream, self._limit)

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)


class _Stream:
    def __init__(self, stream: Any, limit: TimeLimit) -> None:
        self._stream = stream
        self._limit = limit

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        read: bytes = self._stream.read(max_bytes, self._limit.left(timeout))
        return read

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._limit.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(self, *args: Any, timeout: float | None = None, **more: Any) -> _Stream:
        left = self._limit.left(timeout)
        return _Stream(self._stream.start_tls(*args, timeout=left, **more), self._limit)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
