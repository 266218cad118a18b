"""Morning Deck on a system whose name lookup turns against it.

Run like the program itself. A name that ends in `.turning.test` leads to loopback when it is
asked for first, and to a private network ever after.
"""

from __future__ import annotations

import socket
from typing import Any

from morningdeck.__main__ import main

TURNING = ".turning.test"
AT_FIRST, LATER = "127.0.0.1", "10.0.0.1"

_system = socket.getaddrinfo
_asked: set[str] = set()


def lookup(host: Any, *arguments: Any, **named: Any) -> Any:
    """What the system says, but for the names that turn."""
    if not str(host).endswith(TURNING) or named.get("flags", 0) & socket.AI_NUMERICHOST:
        return _system(host, *arguments, **named)
    address = LATER if host in _asked else AT_FIRST
    _asked.add(host)
    return _system(address, *arguments, **named)


if __name__ == "__main__":
    socket.getaddrinfo = lookup
    main()
