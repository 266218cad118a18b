"""The bytes that a connection brings, taken by lines and by pieces.

What came along with a line and was not asked for yet stays here, so that nothing is read
twice, nothing is lost, and a server that has said more than it was asked is found out.
"""

from __future__ import annotations

from collections.abc import Callable
from http.client import LineTooLong


class Incoming:
    """`receive` gives some bytes, and none at the end."""

    def __init__(self, receive: Callable[[], bytes]) -> None:
        self._receive = receive
        self._held = b""
        self._at = 0

    @property
    def is_empty(self) -> bool:
        """Whether all that was received has been taken."""
        return not self._held

    def line(self, most: int, kind: str) -> bytes:
        """A line with its line feed; at the end of the connection, what is left without one."""
        end = self._held.find(b"\n", self._at) + 1
        if not end:
            return self._long_line(most, kind)
        line = self._held[self._at : end]
        if len(line) > most:
            raise LineTooLong(kind)
        self._taken(end)
        return line

    def piece(self, most: int) -> bytes:
        """What is there or comes next, and nothing after the end."""
        if not self._held:
            self._held = self._receive()
        piece = self._held[self._at : self._at + most]
        self._taken(self._at + len(piece))
        return piece

    def _taken(self, until: int) -> None:
        self._at = until
        if until == len(self._held):
            self._held, self._at = b"", 0

    def _long_line(self, most: int, kind: str) -> bytes:
        """A line that has not been received whole yet."""
        line = bytearray(self._held[self._at :])
        self._taken(len(self._held))
        while not line.endswith(b"\n") and (held := self._receive()):
            end = held.find(b"\n") + 1 or len(held)
            line += held[:end]
            self._held = held
            self._taken(end)
            if len(line) > most:
                raise LineTooLong(kind)
        return bytes(line)
