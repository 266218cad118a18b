"""What a process and its note-taker say to each other: a number, a length, and a pickled value.

Both are ours, and run the same code on the same texts: neither has reason to trust the other less
than itself, as it has with a parser, which foreign libraries work in.
"""

from __future__ import annotations

import pickle
import socket
import struct
from typing import Any

HEARD_AT_ONCE = 1 << 17
"""Larger than nearly all that is said, so that one call takes it in."""
_HEAD = struct.Struct(">QI")
_NUMBER = struct.Struct(">Q")
NUMBER_BYTES = _NUMBER.size


def number_bytes(number: int) -> bytes:
    return _NUMBER.pack(number)


def say(line: socket.socket, number: int, value: Any) -> None:
    payload = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    line.sendall(_HEAD.pack(number, len(payload)) + payload)


def hear(line: socket.socket) -> tuple[int, Any]:
    """EOFError when the other side is gone."""
    said = _more(line)
    while len(said) < _HEAD.size:
        said += _more(line)
    number, size = _HEAD.unpack_from(said)
    while len(said) < _HEAD.size + size:
        said += _more(line)
    return number, pickle.loads(memoryview(said)[_HEAD.size :])


def _more(line: socket.socket) -> bytes:
    piece = line.recv(HEARD_AT_ONCE)
    if not piece:
        raise EOFError("the other side is gone")
    return piece
