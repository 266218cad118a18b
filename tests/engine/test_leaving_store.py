"""The store that leaves now and then is, while it is there, one like any other."""

from __future__ import annotations

import pytest

from morningdeck.store.database.connect import Database
from morningdeck.store.results import SAVERS
from tests.contracts.job_store import JobStoreContract, Waiting
from tests.engine.process import LeavingStore
from tests.factories import make_items
from tests.store.working import LEASE


class TestLeavingStore(JobStoreContract):
    @pytest.fixture
    def store(self, database: Database) -> LeavingStore:
        return LeavingStore(database, SAVERS, lease=LEASE)

    @pytest.fixture
    def waiting(self, database: Database, source: int) -> Waiting:
        return lambda count: make_items(database, source, count)
