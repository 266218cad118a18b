"""What the model knows at one moment: rows as the database has them, processes as they think.

Everything is a tuple, so a state is its own fingerprint. Time is relative and coarse: a
lease is two ticks, a holder trusts it for one (0.6 of it in seconds), and only what is
left is kept. Numbers that nobody could tell apart are the same number (`fingerprint`).
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple, TypeVar

from morningdeck.work import LIFECYCLES, Stage

STATES = LIFECYCLES[Stage.PROCESSING]
WAITING, RUNNING, DONE = STATES.waiting, STATES.running, STATES.done
QUEUED, DEAD = STATES.queued or "", STATES.dead or ""

LEASE = 2
"""Ticks until a lease lapses."""
UNTRUSTED = 1
"""The ticks at the end of a lease in which its holder no longer acts."""
OLD = 2
"""Ticks after which recovery by age takes a row."""

NOBODY = 0
NOTHING = -1
"""No row, no entry in the registry."""
CLAIMED = 0
"""The registry's fence of a row that is queued, not started (`Held.fence` is None)."""

T = TypeVar("T")


class Row(NamedTuple):
    """The columns, and below them what only an onlooker knows."""

    status: str = WAITING
    owner: int = NOBODY  # n + 1 is process n, -(n + 1) a dead incarnation of it
    lease: int = 0
    fence: int = 0
    failures: int = 0
    losses: int = 0
    age: int = 0

    rounds: int = 1  # how often it still becomes due
    run: int = 0  # which start was the last
    ended: int = 0  # which start was settled last


class Held(NamedTuple):
    """An entry of the registry (`leases.Held`)."""

    fence: int = NOTHING
    trust: int = 0


class Worker(NamedTuple):
    """`doing`: idle, asks (to start), began, runs, hangs, ends."""

    doing: str = "idle"
    row: int = NOTHING
    fence: int = 0
    run: int = 0
    fresh: int = 0  # what is left of a lease that is counted from its question
    acted: bool = False


class Beat(NamedTuple):
    """A heartbeat under way. `doing`: rests, asks, notes."""

    doing: str = "rests"
    seen: tuple[int, ...] = ()
    kept: tuple[bool, ...] = ()
    fresh: int = 0


class Process(NamedTuple):
    held: tuple[Held, ...]
    workers: tuple[Worker, ...]
    alive: bool = True
    claimed: int = NOTHING  # the feeder's claim that is not in the queue yet
    queue: tuple[int, ...] = ()
    beat: Beat = Beat()
    selected: int = NOTHING  # what a recovery that selects first is about to update


class State(NamedTuple):
    rows: tuple[Row, ...]
    processes: tuple[Process, ...]
    faults: int
    """How much may still go wrong; slowness is free."""


def put(things: tuple[T, ...], position: int, thing: T) -> tuple[T, ...]:
    return (*things[:position], thing, *things[position + 1 :])


def later(state: State, *, ages: bool) -> State:
    """One tick: every count of time that is left goes down."""
    rows = tuple(
        row._replace(
            lease=max(row.lease - 1, 0),
            age=min(row.age + 1, OLD) if ages and row.owner else 0,
        )
        for row in state.rows
    )
    return State(rows, tuple(_later(process) for process in state.processes), state.faults)


def _later(process: Process) -> Process:
    beat = process.beat
    return process._replace(
        held=tuple(Held(fence, trust - 1 if trust else 0) for fence, trust in process.held),
        workers=tuple(
            worker._replace(fresh=worker.fresh - 1) if worker.fresh else worker
            for worker in process.workers
        ),
        beat=beat._replace(fresh=beat.fresh - 1) if beat.fresh else beat,
    )


# ---- symmetric states are one


def fingerprint(state: State, *, fence_grows: bool) -> tuple[object, ...]:
    """The same for states that differ only in names: of processes, rows, workers, numbers."""
    return min(
        _renamed(state, order, fence_grows) for order in permutations(range(len(state.rows)))
    )


def _renamed(state: State, order: tuple[int, ...], fence_grows: bool) -> tuple[object, ...]:
    name = {old: new for new, old in enumerate(order)} | {NOTHING: NOTHING}
    fences = [_ranks(_fences(state, row), grows=fence_grows) for row in order]
    runs = [_ranks(_runs(state, row), grows=True) for row in order]
    rows = [_row_key(state.rows[row], fences[name[row]], runs[name[row]]) for row in order]
    owned = [
        (_process_key(process, order, name, fences, runs), number + 1)
        for number, process in enumerate(state.processes)
    ]
    owned.sort(key=lambda pair: (pair[0], [abs(row[1]) != pair[1] for row in rows]))
    owner = {NOBODY: NOBODY}
    for new, (_, old) in enumerate(owned, start=1):
        owner[old], owner[-old] = new, -new
    rows = [(row[0], owner[row[1]], *row[2:]) for row in rows]
    return (*rows, *(key for key, _ in owned), state.faults)


def _ranks(numbers: set[int], *, grows: bool) -> dict[int, int]:
    """Numbers that only grow are only ever compared: their order is all there is to them."""
    if not grows:
        return {number: number for number in numbers | {NOTHING, 0}}
    ranks = {NOTHING: NOTHING, 0: 0}
    for number in sorted(numbers):
        ranks.setdefault(number, len(ranks) - 1)
    return ranks


def _fences(state: State, row: int) -> set[int]:
    numbers = {state.rows[row].fence}
    for process in state.processes:
        if process.alive:
            numbers.add(process.held[row].fence)
            numbers.update(worker.fence for worker in process.workers if worker.row == row)
            if process.beat.seen:
                numbers.add(process.beat.seen[row])
    return numbers


def _runs(state: State, row: int) -> set[int]:
    return {state.rows[row].run} | {
        worker.run
        for process in state.processes
        for worker in process.workers
        if worker.row == row
    }


def _row_key(row: Row, fences: dict[int, int], runs: dict[int, int]) -> tuple[object, ...]:
    ended = runs.get(row.ended, 0)
    return (*row[:3], fences[row.fence], *row[4:8], runs[row.run], ended)


def _process_key(
    process: Process,
    order: tuple[int, ...],
    name: dict[int, int],
    fences: list[dict[int, int]],
    runs: list[dict[int, int]],
) -> tuple[object, ...]:
    ranks = [fences[name[row]] for row in range(len(order))]
    beat = process.beat
    return (
        tuple((fences[new][process.held[old].fence], process.held[old].trust)
              for new, old in enumerate(order)) if process.held else (),
        tuple(sorted(
            (doing, name[row], ranks[row][fence], runs[name[row]][run], fresh, acted)
            if row != NOTHING else (doing, row, 0, 0, 0, False)
            for doing, row, fence, run, fresh, acted in process.workers
        )),
        process.alive,
        name[process.claimed],
        tuple(name[row] for row in process.queue),
        beat.doing,
        tuple(fences[new][beat.seen[old]] for new, old in enumerate(order)) if beat.seen else (),
        tuple(beat.kept[old] for old in order) if beat.kept else (),
        beat.fresh,
        name[process.selected],
    )
