"""Jobs that a test holds in its hand."""

from __future__ import annotations

import threading

from morningdeck.work import Done, Job, Outcome
from tests.waiting import LIMIT_SECONDS, until


class Gate:
    """Jobs tell when they have begun, and end when the gate is opened."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.ended: list[int] = []
        self._open = threading.Event()

    def __call__(self, job_id: int) -> None:
        self.begun.append(job_id)
        assert self._open.wait(LIMIT_SECONDS)
        self.ended.append(job_id)

    def verb(self, job: Job) -> Outcome:
        self(job.id)
        return Done()

    def open(self) -> None:
        self._open.set()

    def wait_for(self, count: int) -> None:
        """Until so many have begun."""
        until(lambda: len(self.begun) >= count)
