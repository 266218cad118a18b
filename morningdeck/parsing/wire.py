"""What the pool and its children say to each other: length-prefixed frames of JSON.

A child has met hostile bytes, so what it sends is data and nothing else: JSON,
read back into exactly the types that were asked for. Nothing is ever unpickled.
"""

from __future__ import annotations

import io
import json
import socket
import struct
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from itertools import chain
from types import NoneType, UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from morningdeck.model import Entry

MAX_FRAME_BYTES = 64 << 20
FEW = 50

Entries = tuple[Entry, ...]

T = TypeVar("T")

_SIZES = struct.Struct(">II")


@dataclass(frozen=True, slots=True)
class Status:
    """What comes with every answer; a child that is `retiring` takes no further job."""

    error: str | None
    retiring: bool


def send(channel: socket.socket, head: bytes, body: bytes = b"") -> None:
    channel.sendall(_SIZES.pack(len(head), len(body)) + head)
    channel.sendall(body)


def receive(channel: socket.socket, deadline: float | None = None) -> tuple[bytes, bytes]:
    """One frame as (head, body); EOFError at the end, TimeoutError after the deadline."""
    head_size, body_size = _SIZES.unpack(_read(channel, _SIZES.size, deadline))
    if head_size + body_size > MAX_FRAME_BYTES:
        raise EOFError("the other side sent nonsense")
    return _read(channel, head_size, deadline), _read(channel, body_size, deadline)


def _read(channel: socket.socket, size: int, deadline: float | None) -> bytes:
    buffer = bytearray(size)
    view = memoryview(buffer)
    while view:
        if deadline is not None:
            channel.settimeout(max(deadline - time.monotonic(), 0.001))
        count = channel.recv_into(view)
        if not count:
            raise EOFError("the other side is gone")
        view = view[count:]
    return bytes(buffer)


def encode(value: object) -> bytes:
    """A line of JSON, then one for every few of its entries: nobody holds all of them twice.

    Half characters, which no database takes either, become `?`.
    """
    entries: tuple[Entry, ...] = getattr(value, "entries", ())
    if not entries:
        return _line(value)
    few = [entries[start : start + FEW] for start in range(0, len(entries), FEW)]
    return b"\n".join(map(_line, (replace(cast("Any", value), entries=()), *few)))


def _line(value: object) -> bytes:
    return _JSON.encode(value).encode("utf-8", "replace")


def _plain(value: object) -> object:
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case _ if is_dataclass(value):
            return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} does not travel")


_JSON = json.JSONEncoder(default=_plain, ensure_ascii=False)


def decode(kind: type[T], payload: bytes) -> T:
    """The value of that very type; ValueError when the JSON is anything else."""
    lines = iter(io.BytesIO(payload))
    value = cast("T", _reader(cast("Hashable", kind))(json.loads(next(lines, b""))))
    read = _reader(Entries)
    entries = tuple(chain.from_iterable(read(json.loads(line)) for line in lines))
    return cast("T", replace(cast("Any", value), entries=entries)) if entries else value


@cache
def _reader(kind: Hashable) -> Callable[[Any], Any]:
    """What makes a value of `kind` of plain JSON; `Any`, as only run time knows the types."""
    arguments = get_args(kind)
    if kind is datetime:
        return lambda value: datetime.fromisoformat(_checked(str, value))
    if kind is timedelta:
        return lambda value: timedelta(seconds=_checked(float, value))
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return _object_reader(kind, {name: _reader(hint) for name, hint in hints.items()})
    if get_origin(kind) is UnionType:
        (some,) = (_reader(option) for option in arguments if option is not NoneType)
        return lambda value: None if value is None else some(value)
    if get_origin(kind) is tuple and arguments[1:] == (...,):
        member = _reader(arguments[0])
        return lambda value: tuple([member(each) for each in _checked(list, value)])
    if get_origin(kind) is tuple:
        members = [_reader(argument) for argument in arguments]
        return lambda value: tuple(
            [read(each) for read, each in zip(members, _checked(list, value), strict=True)]
        )
    if not isinstance(kind, type):
        raise TypeError(f"{kind} does not travel")
    return lambda value: _checked(kind, value)


def _object_reader(
    kind: Callable[..., Any], readers: dict[str, Callable[[Any], Any]]
) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        given = _checked(dict, value)
        if given.keys() != readers.keys():
            raise ValueError(f"expected {sorted(readers)}")
        return kind(**{name: read_one(given[name]) for name, read_one in readers.items()})

    return read


def _checked(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise ValueError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value
