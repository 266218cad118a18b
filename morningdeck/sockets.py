"""Sockets on which no wait outlasts a deadline.

Timeouts of sockets are per call, so that a server which drips bytes holds its reader for ever.
Here each wait is given what is left of the time.
"""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PIECE = 64 * 1024


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

    def receive_now(self) -> bytes | None:
        """What has come already: None if nothing has, no bytes if the other side has closed."""
        try:
            return self.inner.recv(PIECE)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return None
        except ssl.SSLEOFError:
            return b""

    @property
    def is_quiet(self) -> bool:
        """Nothing to read: a server that speaks unasked has hung up or is confused."""
        if isinstance(self.inner, ssl.SSLSocket) and self.inner.pending():
            return False
        self._poll.modify(self.inner, select.POLLIN)
        return not self._poll.poll(0)

    def close(self) -> None:
        self.inner.close()


def connect(addresses: Sequence[str], port: int, deadline: Deadline) -> socket.socket:
    """To the first address that answers; each gets its share of the time."""
    *others, last = addresses
    for waiting, address in zip(range(len(addresses), 1, -1), others, strict=True):
        try:
            return socket.create_connection((address, port), deadline.remaining() / waiting)
        except OSError:
            continue
    return socket.create_connection((last, port), deadline.remaining())
