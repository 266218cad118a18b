"""A client that may visit the scripted server, a parser in a child process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from morningdeck.net import GuardedClient
from morningdeck.parsing.pool import ParserPool


@pytest.fixture(scope="session")
def parser() -> Iterator[ParserPool]:
    pool = ParserPool(workers=1)
    yield pool
    pool.close()


@pytest.fixture
def http() -> Iterator[GuardedClient]:
    client = GuardedClient(
        user_agent="MorningDeck/test", allow_networks=("127.0.0.0/8",), retry_delays=()
    )
    yield client
    client.close()
