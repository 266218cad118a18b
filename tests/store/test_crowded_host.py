"""A host with more visitors than it can serve, over hours of virtual time."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from random import Random

import pytest

from morningdeck.errors import HostBusyError
from morningdeck.model.reading import Visit
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.pace import HostPace
from tests.conftest import NOW, ManualClock

APART = timedelta(seconds=61)
REFRESH = timedelta(minutes=15)
PATIENCE = timedelta(minutes=2)
FEEDS, HOURS = 8, 6
PAGES_EVERY_SECONDS = 40
HOST = "www.reddit.com"


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


@dataclass
class Crowd:
    """Feeds that come again and again, and pages that come once and have little patience."""

    pace: HostPace
    clock: ManualClock
    chance: Random
    waits: list[timedelta] = field(default_factory=list)
    visits: int = 0
    _events: list[tuple[datetime, int, Callable[[], None]]] = field(default_factory=list)
    _numbers: count[int] = field(default_factory=count)

    def at(self, time: datetime, happens: Callable[[], None]) -> None:
        heapq.heappush(self._events, (time, next(self._numbers), happens))

    def run(self, end: datetime) -> None:
        for number in range(FEEDS):
            self.feed(f"feed {number}", NOW + self.chance.random() * REFRESH)
        came = NOW
        while (came := came + seconds(self.chance.expovariate(1 / PAGES_EVERY_SECONDS))) < end:
            self.come(f"page {came}", came, came, PATIENCE)
        while self._events and self._events[0][0] < end:
            time, _, happens = heapq.heappop(self._events)
            self.clock.now = max(self.clock.now, time)
            happens()

    def feed(self, who: str, due_at: datetime) -> None:
        self.come(who, due_at, due_at, None)

    def come(self, who: str, at: datetime, since: datetime, patience: timedelta | None) -> None:
        self.at(at, lambda: self._enter(who, since, patience))

    def _enter(self, who: str, since: datetime, patience: timedelta | None) -> None:
        try:
            visit = self.pace.enter(HOST, who, patience)
        except HostBusyError as busy:
            if patience is None or busy.until - self.clock() <= patience:
                late = seconds(2 * self.chance.random())  # until a worker is free
                self.come(who, busy.until + late, since, patience)
            return
        self.visits += 1
        self.at(self.clock() + seconds(self.chance.random()), lambda: self._leave(visit))
        if patience is None:
            self.waits.append(self.clock() - since)
            self.feed(who, self.clock() + REFRESH)

    def _leave(self, visit: Visit) -> None:
        self.pace.leave(visit)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_who_waits_for_a_crowded_host_is_not_passed_over(
    database: Database, clock: ManualClock, seed: int
) -> None:
    pace = HostPace(database, clock, APART, longest_visit=seconds(60))
    crowd = Crowd(pace, clock, Random(seed))
    end = NOW + timedelta(hours=HOURS)

    crowd.run(end)

    print(f"worst wait {max(crowd.waits)}, {crowd.visits} visits")
    assert max(crowd.waits) <= 3.5 * APART
    assert crowd.visits >= 0.93 * (end - NOW) / APART, "the host stands idle for nobody"
