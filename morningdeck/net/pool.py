"""Open connections that wait for their next request."""

from __future__ import annotations

from threading import Lock
from time import monotonic

from morningdeck.net.connection import GuardedConnection
from morningdeck.net.urls import Origin


class Pool:
    """Thread safe. Keeps the `size` latest, none longer than `idle_seconds`."""

    def __init__(self, *, size: int = 64, idle_seconds: float = 30) -> None:
        self._size = size
        self._idle_seconds = idle_seconds
        self._idle: list[GuardedConnection] = []
        self._lock = Lock()
        self._closed = False

    def take(self, origin: Origin) -> GuardedConnection | None:
        """A connection that its server still keeps open, as far as can be seen."""
        while (connection := self._newest(origin)) is not None:
            if monotonic() - connection.idle_since < self._idle_seconds and connection.is_quiet:
                return connection
            connection.close()
        return None

    def give(self, connection: GuardedConnection) -> None:
        now = connection.idle_since = monotonic()
        with self._lock:
            self._idle.append(connection)
            keep = 0 if self._closed else self._size
            # They are in the order they were given, so the stale ones come first.
            stale = sum(now - one.idle_since >= self._idle_seconds for one in self._idle)
            cut = max(stale, len(self._idle) - keep)
            surplus, self._idle = self._idle[:cut], self._idle[cut:]
        for one in surplus:
            one.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _newest(self, origin: Origin) -> GuardedConnection | None:
        with self._lock:
            for index in range(len(self._idle) - 1, -1, -1):
                if self._idle[index].origin == origin:
                    return self._idle.pop(index)
        return None
