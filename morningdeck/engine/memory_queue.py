"""The built-in queue, a short backlog of ids in memory, and the threads that serve it.

Nothing is lost when the process dies: the queue holds only claims, and the rows of running
jobs come back when their leases run out.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from morningdeck.engine.threads import lasting
from morningdeck.logs import log

POLL_SECONDS = 0.5
"""How long an idle worker sleeps before it looks whether it should stop."""


class MemoryQueue:
    """The port `JobQueue`: one feeder puts ids in, one runner takes them out."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._ids: queue.Queue[int] = queue.Queue(maxsize=capacity)

    def enqueue(self, job_id: int) -> bool:
        try:
            self._ids.put_nowait(job_id)
        except queue.Full:
            return False
        return True

    def enqueue_all(self, ids: Sequence[int]) -> int:
        refused = (number for number, job_id in enumerate(ids) if not self.enqueue(job_id))
        return next(refused, len(ids))

    def can_accept(self) -> bool:
        return not self._ids.full()

    def size(self) -> int:
        return self._ids.qsize()

    def withdraw(self) -> tuple[int, ...]:
        """Take back the ids that no worker has taken."""
        left: list[int] = []
        while (job_id := self.take(0.0)) is not None:
            self.done()
            left.append(job_id)
        return tuple(left)

    # ---- for the runner

    def take(self, seconds: float) -> int | None:
        """The next id, to be `done` with later; None when none came in that time."""
        try:
            return self._ids.get(timeout=seconds) if seconds else self._ids.get_nowait()
        except queue.Empty:
            return None

    def done(self) -> None:
        self._ids.task_done()

    def taken(self) -> int:
        """How many ids are taken and not done."""
        # counted from what is not done: an id on its way to a worker is never in neither place
        return max(0, self._ids.unfinished_tasks - self._ids.qsize())


class Taken(Protocol):
    """Where the threads of a runner take ids from, as from a `MemoryQueue`."""

    def take(self, seconds: float) -> int | None: ...

    def done(self) -> None: ...

    def taken(self) -> int: ...


class ThreadRunner:
    """The port `Runner`: a few threads, which die with the process, whatever they wait for."""

    def __init__(
        self, name: str, queue: Taken, *, workers: int, poll_seconds: float = POLL_SECONDS
    ) -> None:
        self.workers = workers
        self._name = name
        self._queue = queue
        self._poll_seconds = poll_seconds
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self, run: Callable[[int], None], freed: Callable[[], None] = lambda: None) -> None:
        serve = lasting(self._name, partial(self._serve, run, freed))
        self._threads = [
            threading.Thread(target=serve, name=f"{self._name}_{number}", daemon=True)
            for number in range(self.workers)
        ]
        for thread in self._threads:
            thread.start()

    def in_work(self) -> int:
        return self._queue.taken()

    def is_served(self) -> bool:
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
        self._stopping.set()

    def join(self, timeout: float) -> bool:
        patience = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, patience - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)
