"""The queue in memory keeps the promises of every job queue."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from morningdeck.engine.memory_queue import MemoryQueue
from tests.engine.contract_job_queue import Build, JobQueueContract


class TestMemoryQueue(JobQueueContract):
    @pytest.fixture
    def build(self) -> Iterator[Build]:
        built: list[MemoryQueue] = []

        def build(capacity: int, workers: int) -> MemoryQueue:
            built.append(MemoryQueue("test", capacity=capacity, workers=workers))
            return built[-1]

        yield build
        for queue in built:
            queue.stop()
