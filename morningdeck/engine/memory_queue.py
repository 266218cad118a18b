"""The built-in queue: a short backlog of ids in memory.

Nothing is lost when the process dies, because the queue holds only claims.
"""

from __future__ import annotations

import queue


class MemoryQueue:
    """For one feeder, which puts ids in, and one runner, which takes them out."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._ids: queue.Queue[int] = queue.Queue(maxsize=capacity)

    def enqueue(self, job_id: int) -> bool:
        """Take the id, or return False at once: never blocks."""
        try:
            self._ids.put_nowait(job_id)
        except queue.Full:
            return False
        return True

    def can_accept(self) -> bool:
        return not self._ids.full()

    def size(self) -> int:
        """How many ids wait in the queue."""
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
