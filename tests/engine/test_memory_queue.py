"""The queue in memory keeps the promises of every job queue."""

from __future__ import annotations

import pytest

from morningdeck.engine.memory_queue import MemoryQueue
from tests.contracts.job_queue import Build, JobQueueContract


class TestMemoryQueue(JobQueueContract):
    @pytest.fixture
    def build(self) -> Build:
        return MemoryQueue
