"""Connections to checked addresses, in which no wait outlasts the request's deadline.

Timeouts of sockets are per call, so that a server which drips bytes holds its reader for ever.
Here each wait is given what is left of the request's time: this covers the
handshake, the headers and the body without a watchdog, and ends exactly.
"""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Self

from morningdeck.net.response import PIECE, Incoming, Response
from morningdeck.net.urls import Origin

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment by which a request is over, whatever the other side does."""

    ends_at: float
    """On the monotonic clock."""

    @classmethod
    def after(cls, seconds: float) -> Self:
        return cls(monotonic() + seconds)

    def sooner(self, seconds: float) -> Deadline:
        """This deadline, or one that many seconds from now if that comes first."""
        return Deadline(min(self.ends_at, monotonic() + seconds))

    def remaining(self) -> float:
        """The seconds left, always positive; raises TimeoutError once there are none."""
        left = self.ends_at - monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        return left

    def leaves(self, seconds: float) -> bool:
        """Whether that many seconds can be spent before it."""
        return monotonic() + seconds < self.ends_at


class TimedSocket:
    """A socket whose calls wait until the deadline at most."""

    def __init__(self, inner: socket.socket) -> None:
        inner.setblocking(False)
        self.inner = inner
        self.deadline = Deadline(0)
        self._asked = False
        self._poll = select.poll()
        self._poll.register(inner, select.POLLIN)

    def sendall(self, sent: ReadableBuffer) -> None:
        left = memoryview(sent)
        while left:
            self.deadline.remaining()
            try:
                left = left[self.inner.send(left) :]
            except (BlockingIOError, ssl.SSLWantWriteError):
                self._wait(select.POLLOUT)
            except ssl.SSLWantReadError:
                self._wait(select.POLLIN)
        self._asked = True

    def receive(self) -> bytes:
        """The next bytes; none after the other side has closed in order."""
        self.deadline.remaining()
        if self._asked:  # no server answers so fast that reading at once would pay
            self._asked = False
            self._wait(select.POLLIN)
        while True:
            try:
                return self.inner.recv(PIECE)
            except (BlockingIOError, ssl.SSLWantReadError):
                self._wait(select.POLLIN)
            except ssl.SSLWantWriteError:
                self._wait(select.POLLOUT)
            except ssl.SSLEOFError:
                # Cut by the server, or by somebody between: no page ends like that.
                raise ConnectionResetError("the secure connection was cut off") from None

    def _wait(self, for_event: int) -> None:
        self._poll.modify(self.inner, for_event)
        self._poll.poll(self.deadline.remaining() * 1000)
        self.deadline.remaining()

    @property
    def is_quiet(self) -> bool:
        """Nothing to read: a server that speaks unasked has hung up or is confused."""
        if isinstance(self.inner, ssl.SSLSocket) and self.inner.pending():
            return False
        self._poll.modify(self.inner, select.POLLIN)
        return not self._poll.poll(0)

    def close(self) -> None:
        self.inner.close()


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
    opened = _dial(addresses, origin.port, deadline)
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


def _dial(addresses: Sequence[str], port: int, deadline: Deadline) -> socket.socket:
    *others, last = addresses
    for waiting, address in zip(range(len(addresses), 1, -1), others, strict=True):
        try:
            return socket.create_connection((address, port), deadline.remaining() / waiting)
        except OSError:
            continue
    return socket.create_connection((last, port), deadline.remaining())


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
