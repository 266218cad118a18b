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
from typing import TYPE_CHECKING

from morningdeck.net.deadline import Deadline
from morningdeck.net.incoming import Incoming
from morningdeck.net.response import Response
from morningdeck.net.urls import Origin

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


PIECE = 64 * 1024


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
