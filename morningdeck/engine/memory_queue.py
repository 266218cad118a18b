"""The built-in queue: a few threads and a short backlog, all in memory.

Nothing is lost when the process dies, because the queue holds only ids. Its threads die with
the process, whatever they wait for.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from functools import partial

from morningdeck import logs
from morningdeck.engine.threads import lasting

POLL_SECONDS = 0.5
"""How long an idle worker sleeps before it looks whether it should stop."""

log = logs.get(__name__)


class MemoryQueue:
    def __init__(
        self, name: str, *, capacity: int, workers: int, poll_seconds: float = POLL_SECONDS
    ) -> None:
        self.capacity = capacity
        self.workers = workers
        self._name = name
        self._poll_seconds = poll_seconds
        self._ids: queue.Queue[int] = queue.Queue(maxsize=capacity)
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    def enqueue(self, job_id: int) -> bool:
        """Take the id, or return False at once: never blocks."""
        if self._stopping.is_set():
            return False
        try:
            self._ids.put_nowait(job_id)
        except queue.Full:
            return False
        return True

    def can_accept(self) -> bool:
        return not self._stopping.is_set() and not self._ids.full()

    def size(self) -> int:
        """How many ids wait in the queue."""
        return self._ids.qsize()

    def in_work(self) -> int:
        """How many ids workers hold right now."""
        # counted from what is not done: an id on its way to a worker is never in neither place
        return max(0, self._ids.unfinished_tasks - self._ids.qsize())

    def start(self, run: Callable[[int], None], freed: Callable[[], None] = lambda: None) -> None:
        """Serve the queue: every id goes through `run` on a worker, who then is `freed`."""
        serve = lasting(self._name, partial(self._serve, run, freed))
        self._threads = [
            threading.Thread(target=serve, name=f"{self._name}_{number}", daemon=True)
            for number in range(self.workers)
        ]
        for thread in self._threads:
            thread.start()

    def is_served(self) -> bool:
        """Is any worker there for what waits? Before the start, yes: they are to come."""
        return not self._threads or any(thread.is_alive() for thread in self._threads)

    def _serve(self, run: Callable[[int], None], freed: Callable[[], None]) -> None:
        while not self._stopping.is_set():
            try:
                job_id = self._ids.get(timeout=self._poll_seconds)
            except queue.Empty:
                continue
            try:
                run(job_id)
            except BaseException:
                log.exception("worker_survived_a_bug", queue=self._name, began_with=job_id)
            finally:
                self._ids.task_done()
            freed()

    def stop(self) -> tuple[int, ...]:
        """Start no further work; returns the ids that no worker has taken."""
        self._stopping.set()
        return self.withdraw()

    def withdraw(self) -> tuple[int, ...]:
        """Take back the ids that no worker has taken."""
        left: list[int] = []
        while True:
            try:
                left.append(self._ids.get_nowait())
            except queue.Empty:
                break
            self._ids.task_done()
        return tuple(left)

    def join(self, timeout: float) -> bool:
        """Wait for running work after `stop`; False when some is still running."""
        patience = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, patience - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)
