"""A client that may visit the scripted server, a parser in a child process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from morningdeck.net import PoliteClient
from morningdeck.parsing.pool import ParserPool
from tests.asking import asked_database, endpoint, model, models
from tests.net.conftest import polite

__all__ = ["asked_database", "endpoint", "model", "models"]


@pytest.fixture(scope="session")
def parser() -> Iterator[ParserPool]:
    pool = ParserPool(workers=1)
    yield pool
    pool.close()


@pytest.fixture
def http() -> Iterator[PoliteClient]:
    client = polite()
    yield client
    client.close()
