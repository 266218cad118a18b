"""Clients that are allowed to visit the scripted server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from morningdeck.net import GuardedClient
from morningdeck.ports import Http

ClientMaker = Callable[..., GuardedClient]


@pytest.fixture
def make_client() -> Iterator[ClientMaker]:
    """Builds clients that may visit loopback and do not retry, unless told otherwise."""
    made: list[GuardedClient] = []

    def make(**settings: object) -> GuardedClient:
        given = {
            "user_agent": "MorningDeck/test (+https://news.example)",
            "allow_networks": ("127.0.0.0/8",),
            "retry_delays": (),
            **settings,
        }
        made.append(GuardedClient(**given))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def client(make_client: ClientMaker) -> Http:
    return make_client()
