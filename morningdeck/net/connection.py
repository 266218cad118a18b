"""Connections to checked addresses, in which no wait outlasts the request's deadline.

Timeouts of sockets are per call, so that a server which drips bytes holds its reader for ever.
Here each call is given what is left of the request's time: this covers the
handshake, the headers and the body without a watchdog, and ends exactly.
"""

from __future__ import annotations

import io
import select
import socket
import ssl
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPResponse, NotConnected
from typing import TYPE_CHECKING, NoReturn

from morningdeck.net.deadline import Deadline
from morningdeck.net.urls import Origin

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


class TimedSocket:
    """As much of a socket as http.client needs."""

    def __init__(self, inner: socket.socket) -> None:
        self.inner = inner
        self.deadline = Deadline(0)
        self.in_body = False

    def sendall(self, sent: ReadableBuffer) -> None:
        self.inner.settimeout(self.deadline.remaining())
        self.inner.sendall(sent)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self))

    def close(self) -> None:
        self.inner.close()


class _TimedReader(io.RawIOBase):
    def __init__(self, timed: TimedSocket) -> None:
        self._timed = timed
        # The socket counts its files and closes with the last one.
        self._file = timed.inner.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        self._timed.inner.settimeout(self._timed.deadline.remaining())
        count = self._file.readinto(buffer)
        if not count and not self._timed.in_body:
            # http.client would take the headers so far for all, and the page for empty.
            raise ConnectionResetError("the connection was closed before the answer came")
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


class GuardedConnection(HTTPConnection):
    """One open connection; used by one thread at a time, and never reopened."""

    def __init__(self, origin: Origin, opened: socket.socket) -> None:
        super().__init__(origin.host, origin.port)
        self.origin = origin
        self.idle_since = 0.0
        self._timed = self.sock = TimedSocket(opened)

    def connect(self) -> NoReturn:
        # http.client calls this for a closed connection, and would look the name up unchecked.
        raise NotConnected

    def ask(
        self,
        path: str,
        headers: Mapping[str, str],
        deadline: Deadline,
        form: bytes | None = None,
    ) -> HTTPResponse:
        """Send the request, a POST if there is a form, and read the answer up to its body."""
        self._timed.deadline = deadline
        self._timed.in_body = False
        try:
            self.request("GET" if form is None else "POST", path, form, headers)
            response = self.getresponse()
            self._timed.in_body = True
            return response
        except BaseException:
            self.close()
            raise

    @property
    def is_open(self) -> bool:
        return self.sock is not None

    @property
    def is_quiet(self) -> bool:
        """Nothing to read: a server that speaks unasked has hung up or is confused."""
        poll = select.poll()
        poll.register(self._timed.inner, select.POLLIN)
        return not poll.poll(0)


def dial(
    origin: Origin, addresses: Sequence[str], tls: ssl.SSLContext, deadline: Deadline
) -> GuardedConnection:
    """Connect to the first address that answers; each gets its share of the time."""
    opened = _dial(addresses, origin.port, deadline)
    try:
        if origin.scheme == "https":
            opened.settimeout(deadline.remaining())
            opened = tls.wrap_socket(opened, server_hostname=origin.host)
        return GuardedConnection(origin, opened)
    except BaseException:
        opened.close()
        raise


def _dial(addresses: Sequence[str], port: int, deadline: Deadline) -> socket.socket:
    *others, last = addresses
    for waiting, address in zip(range(len(addresses), 1, -1), others, strict=True):
        try:
            return socket.create_connection((address, port), deadline.remaining() / waiting)
        except OSError:
            continue
    return socket.create_connection((last, port), deadline.remaining())
