"""A model on loopback, asked under the ledger, the breaker and the cache that there are.

The fixtures are for the folders whose conftest imports them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from morningdeck.endpoint.openai_model import Endpoint, OpenAIModel
from morningdeck.prices import PriceList
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.answer_cache import SqlAnswerCache
from morningdeck.store.rows.breaker import SqlBreaker
from morningdeck.store.rows.ledger import SqlLedger
from tests.conftest import ManualClock
from tests.factories import make_user
from tests.servers.endpoint import ModelServer

KEY = "sk-the-key"


@pytest.fixture
def asked_database(sqlite_url: str) -> Iterator[Database]:
    """With two users."""
    database = open_database(sqlite_url)
    assert [make_user(database), make_user(database)] == [1, 2]
    yield database
    database.close()


@pytest.fixture
def endpoint() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@dataclass
class Models:
    """Makes models, each as a process of its own would."""

    endpoint: ModelServer
    database: Database
    clock: ManualClock
    stack: ExitStack

    def make(self, budget: Decimal | None = None, **how: Any) -> OpenAIModel:
        settings = Endpoint(self.endpoint.base_url, KEY, "small", "large", timeout_seconds=5)
        model = OpenAIModel(
            replace(settings, **how),
            ledger=SqlLedger(self.database, self.clock, PriceList("small", 1, 1).find, budget),
            breaker=SqlBreaker(self.database, self.clock, lease=timedelta(seconds=10)),
            answers=SqlAnswerCache(self.database, self.clock),
            clock=self.clock,
        )
        self.stack.callback(model.close)
        return model


@pytest.fixture
def models(endpoint: ModelServer, asked_database: Database, clock: ManualClock) -> Iterator[Models]:
    with ExitStack() as stack:
        yield Models(endpoint, asked_database, clock, stack)


@pytest.fixture
def model(models: Models) -> OpenAIModel:
    return models.make()
