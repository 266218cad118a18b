"""Clients that are allowed to visit the scripted server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from morningdeck.model.reading import Visit
from morningdeck.net import GuardedClient, PoliteClient
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import Http, Pace
from tests.servers.web import CERTIFICATE, Server

from .directory import Directory

ClientMaker = Callable[..., PoliteClient]
GUARDED = {"user_agent", "connect_seconds", "max_body_bytes", "allow_networks", "resolver"}


class NoPace:
    """The port `Pace` of a net without hosts that mind how often they are asked."""

    def apart(self, host: str) -> timedelta:
        return timedelta(0)

    def enter(self, host: str, who: str, patience: timedelta | None = None) -> Visit:
        return Visit(host)

    def leave(self, visit: Visit, requests: int = 1) -> None: ...


def system_clock() -> datetime:
    return datetime.now(UTC)


def polite(pace: Pace | None = None, clock: Clock = system_clock, **settings: Any) -> PoliteClient:
    """Without pace, allowed on loopback, and without retries, unless told otherwise."""
    given = {
        "user_agent": "MorningDeck/test (+https://news.example)",
        "allow_networks": ("127.0.0.0/8",),
        "retry_delays": (),
        **settings,
    }
    guarded = {name: given.pop(name) for name in GUARDED & given.keys()}
    return PoliteClient(GuardedClient(**guarded), pace or NoPace(), clock, **given)


@pytest.fixture
def make_client() -> Iterator[ClientMaker]:
    """Builds clients that may visit loopback and do not retry, unless told otherwise."""
    made: list[PoliteClient] = []

    def make(**settings: Any) -> PoliteClient:
        made.append(polite(**settings))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def client(make_client: ClientMaker) -> Http:
    return make_client()


@pytest.fixture
def secure_server() -> Iterator[Server]:
    with Server(tls=True) as server:
        yield server


@pytest.fixture
def trusting(make_client: ClientMaker, monkeypatch: pytest.MonkeyPatch) -> PoliteClient:
    """Believes the secure server's certificate, which is for news.example, for two questions."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    return make_client(resolver=Directory(["127.0.0.1"], ["127.0.0.1"]))
