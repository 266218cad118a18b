"""Host names to addresses, within a deadline.

The system's resolver can hang for minutes and can't be interrupted, so a real lookup runs in
a thread that is left behind when time is up. Numeric hosts (all the ways to write
one: 127.0.0.1, 2130706433, 0x7f.1) and names asked for a moment ago need no thread.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Thread
from time import monotonic

from morningdeck.sockets import Deadline

Lookup = Callable[[str], Sequence[str]]
"""A host name to its addresses in the order to try them; raises OSError when there are none."""

REMEMBERED = 1024
MOST_ADDRESSES = 16
"""Of one host: an answer may hold thousands, more than can be tried in time."""


def system_lookup(host: str, flags: int = 0) -> tuple[str, ...]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=flags)
    return tuple(dict.fromkeys(_text(address) for *_, address in found))


class Resolver:
    """Thread safe. What it remembers, it remembers for a few seconds only."""

    def __init__(self, lookup: Lookup | None = None, *, remember_seconds: float = 5) -> None:
        self._lookup = lookup or system_lookup
        self._remember_seconds = remember_seconds
        self._known: dict[str, tuple[float, tuple[str, ...]]] = {}

    def addresses(self, host: str, deadline: Deadline) -> tuple[str, ...]:
        """At least one address; the caller checks them and connects to no others."""
        until, known = self._known.get(host, (0.0, ()))
        if monotonic() < until:
            return known
        found = (_numeric(host) or self._in_thread(host, deadline))[:MOST_ADDRESSES]
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "the name has no address")
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[host] = (monotonic() + self._remember_seconds, found)
        return found

    def _in_thread(self, host: str, deadline: Deadline) -> tuple[str, ...]:
        answer: Future[tuple[str, ...]] = Future()

        def ask() -> None:
            try:
                answer.set_result(tuple(self._lookup(host)))
            except Exception as error:
                answer.set_exception(error)

        # A thread of its own, as hung lookups would fill a pool.
        Thread(target=ask, name="resolve", daemon=True).start()
        return answer.result(timeout=deadline.remaining())


def _numeric(host: str) -> tuple[str, ...]:
    try:
        return system_lookup(host, socket.AI_NUMERICHOST)
    except socket.gaierror:
        return ()


def _text(address: tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]) -> str:
    """The address as text, with the zone that a link-local one needs."""
    match address:
        case (str() as text, _, _, int() as zone) if zone:
            return f"{text}%{zone}"
        case (text, *_):
            return str(text)
