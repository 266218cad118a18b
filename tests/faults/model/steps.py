"""One step of one thread, and the process that is about to take it.

    step                    stands for
    ----------------------  -----------------------------------------------------------
    claim                   `SqlJobStore.claim`, called by `Feeder.feed`
    enqueue                 `Leases.hold`, then `MemoryQueue.enqueue`
    give back               `Feeder.give_back`: `Leases.drop`, `SqlJobStore.release`
    start                   `SqlJobStore.start` of the queue's next id, by `Worker.run`
    started                 `Leases.started`, or `Leases.drop` when the row was gone
    effect                  `Leases.trusted`, then a model call or a send
    settle, fail, postpone  `SqlJobStore.settle`, then `Leases.drop`, by `Worker.run`
    renew, note             `SqlJobStore.renew`, and its answer in `Leases.renew`
    recover                 `SqlJobStore.recover`, or its two halves in a wrong design
    crash, kill, restart    SIGKILL; the next incarnation's `SqlJobStore.recover`
    tick                    time passes

Threads take their steps in every order, and time passes whenever it likes. So a slow
worker, a stalled heartbeat and a process that is stopped for longer than its lease are
nothing but orders in which somebody does not get on; what was asked before such a
stop and happens after it is marked `age`.

The rest costs one of the world's few faults: a crash, a hung thread, a failure, a
duplicate in the queue, a database that goes away. Of that there are two kinds: "lost" is
a statement that happened although its caller was told it had not, "away" is one that did
not happen and that its caller gave up.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.faults.model.designs import Design
from tests.faults.model.state import (
    NOTHING,
    UNTRUSTED,
    Held,
    Process,
    Row,
    State,
    Worker,
    put,
    tidy,
)


class Step(NamedTuple):
    what: str
    process: int
    row: int
    worker: int
    age: int
    """How many ticks ago the statement's clock was read."""
    after: State
    fair: bool
    """It happens by itself, sooner or later; a fault or a drain may never happen."""
    broken: str
    """The promise that this very step broke."""


class Move(NamedTuple):
    """One process in one state, about to do something."""

    design: Design
    state: State
    number: int

    @property
    def process(self) -> Process:
        return self.state.processes[self.number]

    @property
    def owner(self) -> int:
        return self.number + 1

    @property
    def faults(self) -> bool:
        return self.state.faults > 0

    def step(
        self,
        what: str,
        process: Process,
        position: int = NOTHING,
        row: Row | None = None,
        *,
        worker: int = NOTHING,
        age: int = 0,
        fair: bool = True,
        fault: bool = False,
        broken: str = "",
    ) -> Step:
        """`process` is what it becomes; `row`, if given, what the row at `position` becomes."""
        rows = self.state.rows if row is None else put(self.state.rows, position, row)
        processes = put(self.state.processes, self.number, tidy(process))
        after = State(rows, processes, self.state.faults - fault)
        return Step(
            what, self.number, position, worker, age, after, fair and not (fault or age), broken
        )


def at_work(process: Process, index: int, worker: Worker) -> Process:
    return process._replace(workers=put(process.workers, index, worker))


def drop(process: Process, row: int, fence: int) -> Process:
    """`Leases.drop`: never the successor's entry."""
    if process.held[row].fence != fence:
        return process
    return process._replace(held=put(process.held, row, Held()))


def trust(fresh: int) -> int:
    """The ticks for which a holder may act, of those that its lease has left."""
    return max(fresh - UNTRUSTED, 0)


def trusted(process: Process, worker: Worker) -> bool:
    """`Leases.trusted`"""
    held = process.held[worker.row]
    return held.fence == worker.fence and held.trust > 0
