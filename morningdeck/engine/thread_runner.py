"""The built-in runner: a few threads that serve a queue in memory.

The threads die with the process, whatever they wait for; the rows of their jobs come back
when their leases run out.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

from morningdeck import logs
from morningdeck.engine.memory_queue import MemoryQueue
from morningdeck.engine.threads import lasting

POLL_SECONDS = 0.5
"""How long an idle worker sleeps before it looks whether it should stop."""

log = logs.get(__name__)


class ThreadRunner:
    def __init__(
        self, name: str, queue: MemoryQueue, *, workers: int, poll_seconds: float = POLL_SECONDS
    ) -> None:
        self.workers = workers
        self._name = name
        self._queue = queue
        self._poll_seconds = poll_seconds
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self, run: Callable[[int], None], freed: Callable[[], None] = lambda: None) -> None:
        """Every id of the queue goes through `run` on a worker, which then is `freed`."""
        serve = lasting(self._name, partial(self._serve, run, freed))
        self._threads = [
            threading.Thread(target=serve, name=f"{self._name}_{number}", daemon=True)
            for number in range(self.workers)
        ]
        for thread in self._threads:
            thread.start()

    def in_work(self) -> int:
        """How many ids workers hold right now."""
        return self._queue.taken()

    def is_served(self) -> bool:
        """Is any worker there for what waits? Before the start, yes: they are to come."""
        return not self._threads or any(thread.is_alive() for thread in self._threads)

    def _serve(self, run: Callable[[int], None], freed: Callable[[], None]) -> None:
        while not self._stopping.is_set():
            job_id = self._queue.take(self._poll_seconds)
            if job_id is None:
                continue
            try:
                run(job_id)
            except BaseException:
                log.exception("worker_survived_a_bug", queue=self._name, began_with=job_id)
            finally:
                self._queue.done()
            freed()

    def stop(self) -> None:
        """Begin nothing more."""
        self._stopping.set()

    def join(self, timeout: float) -> bool:
        """Wait for running work after `stop`; False when some is still running."""
        patience = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, patience - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)
