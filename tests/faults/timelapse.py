"""The fetching of a daemon in virtual time: hours pass as fast as its store can follow.

Everything is real but the requests: they take the time that they are told to take, and
whom they asked when is written down. The clock moves on only when every worker waits for it.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from morningdeck.app import App
from morningdeck.engine.feeders import Feeder
from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.engine.node import join_as_node
from morningdeck.net import GuardedClient, answers
from morningdeck.net.urls import Target
from morningdeck.settings.sections import FetchSettings, Settings
from morningdeck.sockets import Deadline
from morningdeck.store.database.connect import open_database
from morningdeck.work import Stage
from tests.conftest import NOW
from tests.waiting import until

LOOK = timedelta(seconds=Settings().look_seconds)
MOMENT = timedelta(seconds=0.3)
"""Between two looks; a real daemon looks the moment that something is due."""
WORKERS = 12
POLL_SECONDS = 0.0005


class VirtualClock:
    """Stands still while anybody works."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now
        self.changed = threading.Condition()
        self._numbers = count()
        self._sleepers: list[tuple[datetime, int, threading.Event]] = []

    def __call__(self) -> datetime:
        return self.now

    def sleep(self, much: timedelta) -> None:
        awake = threading.Event()
        with self.changed:
            heapq.heappush(self._sleepers, (self.now + much, next(self._numbers), awake))
            self.changed.notify()
        awake.wait()

    @property
    def sleeping(self) -> int:
        return len(self._sleepers)

    def move_on(self, until: datetime) -> None:
        """To the first moment at which somebody wakes up, or until then."""
        with self.changed:
            if self._sleepers:
                until = min(until, self._sleepers[0][0])
            self.now = max(self.now, until)
            while self._sleepers and self._sleepers[0][0] <= self.now:
                heapq.heappop(self._sleepers)[2].set()

    def wake_all(self) -> None:
        while self._sleepers:
            self.move_on(self._sleepers[0][0])


@dataclass(frozen=True, slots=True)
class Answer:
    takes: timedelta
    error: Exception | None = None
    leads_to: str | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    url: str
    began: datetime
    ended: datetime


class ScriptedClient(GuardedClient):
    """Does no request, but takes its time: nothing new anywhere, trouble, or a redirect."""

    def __init__(self, clock: VirtualClock, answers: Callable[[str], Answer]) -> None:
        super().__init__(user_agent="MorningDeck/test")
        self.visits: list[Visit] = []
        self._clock = clock
        self._answers = answers

    def ask(
        self,
        target: Target,
        headers: Mapping[str, str],
        deadline: Deadline,
        form: bytes | None = None,
    ) -> answers.Answer:
        began, answer = self._clock(), self._answers(target.url)
        self._clock.sleep(answer.takes)
        self.visits.append(Visit(target.url, began, self._clock()))
        if answer.error is not None:
            raise answer.error
        if answer.leads_to is not None:
            return answers.Answer(302, {"location": answer.leads_to}, b"")
        return answers.Answer(304, {}, b"")


class FetchLane:
    """What a daemon fetches with; it looks for work when `engine.lanes` would."""

    def __init__(self, app: App, clock: VirtualClock) -> None:
        of = app.settings.fetch
        self.runs = 0
        """How often a worker took a source, whether its host could be asked or not."""
        self.looks_at = clock()
        self._clock = clock
        self._workers = of.workers
        self._store = app.store.jobs
        self._worker = app.workers[Stage.FETCH]
        self._queue = MemoryQueue(of.capacity)
        self._runner = ThreadRunner("fetch", self._queue, workers=of.workers)
        self._feeder = Feeder(
            Stage.FETCH,
            self._queue,
            self._runner,
            replace(app.holder, clock=clock),
            batch=of.batch,
        )
        self._runner.start(self._run)

    def _run(self, source_id: int) -> None:
        self._worker.run(source_id, self._settled)

    def _settled(self, due_at: datetime | None) -> None:
        with self._clock.changed:
            self.runs += 1
            if due_at is not None:
                self.looks_at = min(self.looks_at, due_at)
            self._clock.changed.notify()

    def look(self) -> None:
        """Feed the workers if it is time, or if they have done most of what they had."""
        if self._clock() < self.looks_at and not self.hungry():
            return
        self.looks_at = self._clock() + LOOK
        self._feeder.feed()
        due_at = None if self._feeder.more else self._store.next_due_at(Stage.FETCH, self._clock())
        with self._clock.changed:
            if due_at is not None:
                self.looks_at = max(min(self.looks_at, due_at), self._clock() + MOMENT)

    def hungry(self) -> bool:
        return self._feeder.more and self._feeder.wants_more()

    def visiting(self) -> int | None:
        """How many workers wait for a host; None while one of them does anything else."""
        busy = self._runner.in_work()
        return busy if busy == self._workers or self._queue.size() == 0 else None

    def stop(self) -> None:
        self._runner.stop()
        until(self._ended)

    def _ended(self) -> bool:
        self._clock.wake_all()
        return self._runner.join(0)


def pass_time(clock: VirtualClock, end: datetime, *lanes: FetchLane) -> None:
    while clock() < end:
        for lane in lanes:
            lane.look()
        _until_all_wait(clock, lanes)
        if not any(lane.hungry() for lane in lanes):
            clock.move_on(min(end, *(lane.looks_at for lane in lanes)))


def _until_all_wait(clock: VirtualClock, lanes: Sequence[FetchLane]) -> None:
    def still() -> bool:
        visiting = [number for lane in lanes if (number := lane.visiting()) is not None]
        return len(visiting) == len(lanes) and sum(visiting) == clock.sleeping

    with clock.changed:
        while not still():
            clock.changed.wait(POLL_SECONDS)


@contextmanager
def fetching(
    database_url: str, data_dir: Path, clock: VirtualClock, client: ScriptedClient
) -> Iterator[FetchLane]:
    """A daemon that does nothing else, with more workers than it has by itself."""
    database, node = open_database(database_url), join_as_node(data_dir)
    settings = Settings(data_dir=data_dir, fetch=FetchSettings(workers=WORKERS))
    app = App(settings, database, node, clock, client=client)
    lane = FetchLane(app, clock)
    try:
        yield lane
    finally:
        lane.stop()
        database.close()
        node.close()
