"""The mail server that briefings leave by, and what it takes to ask it."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from morningdeck.ports.asking import Breaker
    from morningdeck.ports.engine import Clock
    from morningdeck.sockets import Deadline

Encryption = Literal["starttls", "tls", "none"]


@dataclass(frozen=True, slots=True)
class MailServer:
    """`timeout_seconds` are for each step; with `connections` it is asked by so many at a time."""

    host: str
    port: int
    security: Encryption
    sender: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    timeout_seconds: float = 60
    connections: int = 2
    mails_per_connection: int = 100
    idle_seconds: float = 20

    @property
    def name(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class PostOffice:
    """`lookup` has the addresses of a host by the deadline, or raises OSError."""

    server: MailServer
    breaker: Breaker
    clock: Clock
    lookup: Callable[[str, Deadline], Sequence[str]]
    tls: Callable[[], ssl.SSLContext] = ssl.create_default_context
