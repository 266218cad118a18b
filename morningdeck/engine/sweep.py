"""The loop of a stage without a queue: deliveries, each on a thread of its own, a few at a time.

A round begins as many as there is room for and waits for none of them. A sender past the
stage's deadline is named in the log and counts no longer: the heartbeat has let go of its row,
recovery gives the row to another sender, for which there is room.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from morningdeck.engine.leases import Holder
from morningdeck.engine.loop import Dispatcher, is_due, seconds_until_due
from morningdeck.engine.worker import Worker
from morningdeck.logs import log

LOOK_SECONDS = 1.0
"""While a sender works, due rows are looked for no more often: they may be the one it sends."""


class Sender(threading.Thread):
    """Sends one delivery, and is expected to be done with it by `until`."""

    def __init__(self, job_id: int, seconds: float, send: Callable[[Sender], None]) -> None:
        super().__init__(name=f"sender-{job_id}", daemon=True)
        self.job_id = job_id
        self.until = time.monotonic() + seconds
        self.named = False
        self._send = send

    def run(self) -> None:
        self._send(self)


class Sweep(Dispatcher):
    def __init__(
        self,
        worker: Worker,
        holder: Holder,
        *,
        workers: int,
        every_seconds: float,
        deadline: timedelta,
    ) -> None:
        super().__init__(worker.stage.value, self._round, every_seconds=every_seconds)
        self.worker = worker
        self._holder = holder
        self._workers = workers
        self._deadline = deadline
        self._lock = threading.Lock()
        self._senders: set[Sender] = set()

    def _round(self) -> float | None:
        senders = self._in_time()
        if len(senders) < self._workers:
            self._begin({sender.job_id for sender in senders})
            senders = self._in_time()
        if len(senders) >= self._workers:
            return max(0.0, min(sender.until for sender in senders) - time.monotonic())
        pause = seconds_until_due(self._holder, self.worker.stage)
        return max(pause, LOOK_SECONDS) if pause is not None and senders else pause

    def _begin(self, begun: set[int]) -> None:
        """Rows that have begun may still look due: ask for as many more."""
        mine, room = self._holder, self._workers + len(begun)
        ids = mine.jobs.due(self.worker.stage, room, mine.clock())
        for job_id in [one for one in ids if one not in begun][: self._workers - len(begun)]:
            if self._stopping:
                return
            sender = Sender(job_id, self._deadline.total_seconds(), self._send)
            with self._lock:  # one that has begun cannot end before it is known
                sender.start()
                self._senders.add(sender)

    def _send(self, sender: Sender) -> None:
        try:
            self.worker.run(sender.job_id)
        except BaseException:
            log.exception("worker_survived_a_bug", queue=self.name, began_with=sender.job_id)
        finally:
            with self._lock:
                self._senders.discard(sender)
            self.wake()

    def _in_time(self) -> list[Sender]:
        now = time.monotonic()
        with self._lock:
            senders = list(self._senders)
        for sender in senders:
            if sender.until <= now and not sender.named:
                sender.named = True
                log.error(
                    "sender_hangs",
                    stage=self.name,
                    id=sender.job_id,
                    after_seconds=self._deadline.total_seconds(),
                    advice="its delivery goes to another",
                )
        return [sender for sender in senders if sender.until > now]

    def join(self, timeout: float) -> bool:
        patience = time.monotonic() + timeout
        finished = super().join(timeout)
        for sender in self._in_time():
            sender.join(max(0.0, patience - time.monotonic()))
        return finished and not self._in_time()

    def busy(self, horizon: datetime) -> bool:
        if is_due(self._holder, self.worker.stage, horizon):
            return True
        # in the order in which a delivery travels, so that it is not missed on its way
        return self.in_round or bool(self._in_time())
