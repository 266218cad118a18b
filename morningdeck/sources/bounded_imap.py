"""imaplib within bounds: what a server wants to send is weighed before it is taken, and a
session ends at its time, from the greeting to the goodbye.
"""

from __future__ import annotations

import imaplib
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

MOST_AT_ONCE = 16 << 20
"""The largest message that is read, and a little more."""
MOST_BYTES, MOST_ANSWER_PIECES = 96 << 20, 50_000
"""Of one session, in lines and messages; a piece is either."""
LAST_SECONDS = 90.0

if TYPE_CHECKING:
    _Connection = imaplib.IMAP4
else:
    _Connection = object


class _Bounds(_Connection):
    _bytes_left = MOST_BYTES
    _pieces_left = MOST_ANSWER_PIECES
    _watch: threading.Timer

    def open(self, host: str = "", port: int | None = None, timeout: float | None = None) -> None:
        super().open(host, port or 143, timeout)
        # a server that drips keeps every time limit of a single step, the greeting's too
        self._watch = threading.Timer(LAST_SECONDS, self._cut)
        self._watch.daemon = True
        self._watch.start()

    def shutdown(self) -> None:
        self._watch.cancel()
        super().shutdown()

    def _cut(self) -> None:
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)

    def read(self, size: int) -> bytes:
        if size > MOST_AT_ONCE:
            raise self.abort(f"it wants to send {size} bytes at once")
        self._take(size)
        return super().read(size)

    def readline(self) -> bytes:
        line = super().readline()
        self._take(len(line))
        return line

    def _take(self, size: int) -> None:
        self._bytes_left -= size
        self._pieces_left -= 1
        if self._bytes_left < 0 or self._pieces_left < 0:
            raise self.abort("it sends more than anybody asked for")


class BoundedIMAP4(_Bounds, imaplib.IMAP4):
    """Unencrypted at first."""


class BoundedIMAP4OverTLS(_Bounds, imaplib.IMAP4_SSL):
    """Encrypted from the first byte."""
