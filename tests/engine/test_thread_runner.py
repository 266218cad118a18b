"""Threads that serve a queue in memory keep the promises of every runner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from tests.contracts.runner import Build, RunnerContract


class TestThreadRunner(RunnerContract):
    @pytest.fixture
    def build(self) -> Iterator[Build]:
        built: list[ThreadRunner] = []

        def build(capacity: int, workers: int) -> tuple[MemoryQueue, ThreadRunner]:
            queue = MemoryQueue(capacity)
            built.append(ThreadRunner("test", queue, workers=workers))
            return queue, built[-1]

        yield build
        for runner in built:
            runner.stop()
