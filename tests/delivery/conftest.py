"""A channel for mail and a server that plays its part."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from morningdeck.delivery import TellStep, tell_nobody
from morningdeck.delivery.mail_server import MailServer, PostOffice
from morningdeck.delivery.smtp import SmtpChannel
from morningdeck.errors import EndpointHeldError
from morningdeck.model.asking import Admission, FailureKind
from morningdeck.model.sending import Step
from morningdeck.sockets import Deadline
from tests.conftest import NOW
from tests.servers.mail import ScriptedMailServer
from tests.servers.web import CERTIFICATE

SENDER = "Morning Deck <deck@example.org>"
OpenChannel = Callable[..., SmtpChannel]


class OpenBreaker:
    """The port `Breaker` that holds nobody up unless it is told to; keeps what it is told."""

    def __init__(self) -> None:
        self.failures: list[tuple[FailureKind, str]] = []
        self.successes = 0
        self.held: EndpointHeldError | None = None

    def admit(self, endpoint: str) -> Admission:
        if self.held is not None:
            raise self.held
        return Admission(endpoint)

    def look_again(self, endpoint: str) -> None:
        self.held = None

    def succeeded(self, admission: Admission) -> None:
        self.successes += 1

    def failed(
        self, admission: Admission, retry_after: str | None, kind: FailureKind, why: str = ""
    ) -> None:
        self.failures.append((kind, why))


@pytest.fixture
def mail_server() -> Iterator[ScriptedMailServer]:
    with ScriptedMailServer() as server:
        yield server


@pytest.fixture
def breaker() -> OpenBreaker:
    return OpenBreaker()


@pytest.fixture
def steps() -> list[Step]:
    """What the channel has said and heard."""
    return []


def at_home(host: str, deadline: Deadline) -> tuple[str, ...]:
    """Every name is this machine's."""
    return ("127.0.0.1",)


@pytest.fixture
def open_channel(breaker: OpenBreaker) -> Iterator[OpenChannel]:
    opened: list[SmtpChannel] = []

    def make(
        server: ScriptedMailServer,
        *,
        trusts: bool = True,
        tell: TellStep = tell_nobody,
        **changes: object,
    ) -> SmtpChannel:
        authority = str(CERTIFICATE) if trusts else None
        settings = MailServer(
            "127.0.0.1", server.port, "none", SENDER, timeout_seconds=5, connections=2
        )
        office = PostOffice(
            replace(settings, **changes),  # type: ignore[arg-type]
            breaker,
            lambda: NOW,
            at_home,
            lambda: ssl.create_default_context(cafile=authority),
        )
        opened.append(SmtpChannel(office, tell=tell))
        return opened[-1]

    yield make
    for channel in opened:
        channel.close()


@pytest.fixture
def channel(open_channel: OpenChannel, mail_server: ScriptedMailServer) -> SmtpChannel:
    return open_channel(mail_server)
