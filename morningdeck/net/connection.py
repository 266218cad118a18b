"""Connections to checked addresses, in which no wait outlasts the request's deadline.

That covers the handshake, the headers and the body without a watchdog, and ends exactly.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPException
from threading import Lock
from time import monotonic

from morningdeck.errors import NotSentError
from morningdeck.net.response import Incoming, Response
from morningdeck.net.urls import Origin
from morningdeck.sockets import Deadline, TimedSocket, connect


class GuardedConnection:
    """One open connection; used by one thread at a time, and never reopened."""

    def __init__(self, origin: Origin, opened: socket.socket) -> None:
        self.origin = origin
        self.idle_since = 0.0
        self.is_open = True
        """Whether its server will take another request."""
        self._timed = TimedSocket(opened)
        self._incoming = Incoming(self._timed.receive)

    def ask(
        self,
        path: str,
        headers: Mapping[str, str],
        deadline: Deadline,
        form: bytes | None = None,
    ) -> Response:
        """Send the request, a POST if there is a form, and read the answer up to its body."""
        self._timed.deadline = deadline
        try:
            self._timed.sendall(_request(path, headers, form))
            response = Response(self._incoming)
            self.is_open = not response.will_close
            return response
        except BaseException:
            self.close()
            raise

    def post(
        self,
        path: str,
        headers: Mapping[str, str],
        body: bytes,
        deadline: Deadline,
        last_step: Callable[[], bool],
    ) -> Response | None:
        """As `ask`, but the last byte goes only once `last_step` allows it, else None.

        NotSentError where the other side has not got that byte, so that it has no whole request.
        """
        self._timed.deadline = deadline
        try:
            request = _request(path, headers, body)
            self._timed.sendall(request[:-1])
            if not last_step():
                return None
            try:
                self._timed.sendall(request[-1:])
            except OSError as error:
                raise NotSentError(f"{self.origin.host}: hung up before the end") from error
            return Response(self._incoming)
        finally:
            self.is_open = False

    def beginning(self, response: Response, most: int, deadline: Deadline) -> bytes:
        """Of an answer's body, what comes by then."""
        self._timed.deadline = deadline
        body = b""
        with suppress(OSError, HTTPException):
            for piece in response.pieces():
                body += piece
                if len(body) >= most:
                    break
        return body[:most]

    def close(self) -> None:
        self.is_open = False
        self._timed.close()

    @property
    def is_quiet(self) -> bool:
        return self._incoming.is_empty and self._timed.is_quiet


def _request(path: str, headers: Mapping[str, str], form: bytes | None) -> bytes:
    sent = dict(headers)
    if form is not None:
        sent["Content-Length"] = str(len(form))
    for name, value in sent.items():
        if "\r" in value or "\n" in value:
            raise ValueError(f"header {name}: {value!r} has a line break")
    lines = [f"{name}: {value}\r\n" for name, value in sent.items()]
    head = f"{'GET' if form is None else 'POST'} {path} HTTP/1.1\r\n{''.join(lines)}\r\n"
    return head.encode("latin-1") + (form or b"")


def dial(
    origin: Origin, addresses: Sequence[str], tls: ssl.SSLContext, deadline: Deadline
) -> GuardedConnection:
    """Connect to the first address that answers; each gets its share of the time."""
    opened = connect(addresses, origin.port, deadline)
    try:
        if origin.scheme == "https":
            opened.settimeout(deadline.remaining())
            opened = tls.wrap_socket(
                opened, server_hostname=origin.host, suppress_ragged_eofs=False
            )
        return GuardedConnection(origin, opened)
    except BaseException:
        opened.close()
        raise


class Pool:
    """Open connections that wait for their next request: the `size` latest, none longer than
    `idle_seconds`. Thread safe.
    """

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
