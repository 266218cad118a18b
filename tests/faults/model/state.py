"""What the model knows at one moment: rows as the database has them, processes as they think.

Everything is a tuple, so a state is its own fingerprint. Time is relative and coarse: a
lease is two ticks, a holder trusts it for one (0.6 of it in seconds), and only what is
left is kept. Numbers that nobody could tell apart are the same number (`fingerprint`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple, TypeVar

from morningdeck.work import LIFECYCLES, Stage

STATES = LIFECYCLES[Stage.PROCESSING]
WAITING, RUNNING, DONE = STATES.waiting, STATES.running, STATES.done
QUEUED, DEAD = STATES.queued or "", STATES.dead or ""

LEASE = 2
"""Ticks until a lease lapses."""
LEFT = (LEASE, 0)
"""What is left of a lease when its statement happens: on time, or after a long freeze."""
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
Key = tuple[Any, ...]  # nested tuples of what can be compared
View = tuple[int, int, int, bool]
"""What tells a process's numbers apart: the row's fence, last run, last ended run; is it held?"""


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
    """`doing`: idle, began (its start is answered, not registered), runs, hangs."""

    doing: str = "idle"
    row: int = NOTHING
    fence: int = 0
    run: int = 0
    fresh: int = 0  # what is left of the lease, counted from when it was asked for
    acted: bool = False


class Beat(NamedTuple):
    """A renewal whose answer is not noted yet; one that saw nothing is none."""

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
    aged = process._replace(
        held=tuple(Held(fence, trust - 1 if trust else 0) for fence, trust in process.held),
        workers=tuple(
            worker._replace(fresh=worker.fresh - 1) if worker.fresh else worker
            for worker in process.workers
        ),
        beat=beat._replace(fresh=beat.fresh - 1) if beat.fresh else beat,
    )
    return tidy(aged)


def tidy(process: Process) -> Process:
    """Forget what can make no difference any more: threads whose next step changes nothing."""
    workers, beat = process.workers, process.beat
    if any(worker.doing == "began" for worker in workers):
        workers = tuple(_tidy_worker(worker, process.held) for worker in workers)
    if beat.seen:
        seen = tuple(
            fence if fence > CLAIMED and fence == held.fence else NOTHING
            for fence, held in zip(beat.seen, process.held, strict=True)
        )
        kept = tuple(
            kept and fence != NOTHING and beat.fresh > UNTRUSTED
            for kept, fence in zip(beat.kept, seen, strict=True)
        )
        beat = Beat(seen, kept, beat.fresh if any(kept) else 0)
        if seen.count(NOTHING) == len(seen):
            beat = Beat()
    if workers is process.workers and beat is process.beat:
        return process
    return process._replace(workers=workers, beat=beat)


def _tidy_worker(worker: Worker, held: tuple[Held, ...]) -> Worker:
    doing, row, fence, _, fresh, _ = worker
    if doing == "began" and not fence:
        return worker if held[row].fence == fence else Worker()
    if doing == "began" and 0 < fresh <= UNTRUSTED:
        return worker._replace(fresh=0)
    return worker


# ---- symmetric states are one


def fingerprint(state: State, *, fence_grows: bool) -> Key:
    """The same for states that differ only in names: of processes, rows, workers, numbers.

    A fence that only grows is only ever compared with the row's and with others in the
    same process, so apart from the row's present fence only the order counts.
    """
    orders = permutations(range(len(state.rows)))
    return min(_renamed(state, order, fence_grows) for order in orders)


def _renamed(state: State, order: tuple[int, ...], fence_grows: bool) -> Key:
    keys = []
    for owner, process in enumerate(state.processes, start=1):
        seen = tuple((row.fence, row.run, row.ended, abs(row.owner) == owner) for row in state.rows)
        keys.append(_process_key(process, seen, order, fence_grows))
    rows = tuple(
        (row.status, row.owner > 0, row.lease, 0 if fence_grows else row.fence, *row[4:8])
        for row in (state.rows[position] for position in order)
    )
    return (rows, tuple(sorted(keys)), state.faults)


@lru_cache(maxsize=2**18)
def _process_key(
    process: Process, seen: tuple[View, ...], order: tuple[int, ...], grows: bool
) -> Key:
    owns = tuple(seen[position][3] for position in order)
    if not process.alive:
        return (False, owns)
    name = {old: new for new, old in enumerate(order)} | {NOTHING: NOTHING}
    ranks = [_ranks(process, position, row[0], grows) for position, row in enumerate(seen)]
    workers = tuple(sorted(_worker_key(worker, seen, name, ranks) for worker in process.workers))
    beat = process.beat
    return (
        True,
        owns,
        tuple((ranks[old][process.held[old].fence], process.held[old].trust) for old in order),
        workers,
        name[process.claimed],
        tuple(name[row] for row in process.queue),
        tuple(ranks[old][beat.seen[old]] for old in order) if beat.seen else (),
        tuple(beat.kept[old] for old in order) if beat.kept else (),
        beat.fresh,
        name[process.selected],
    )


def _worker_key(
    worker: Worker, seen: tuple[View, ...], name: dict[int, int], ranks: list[dict[int, int]]
) -> Key:
    doing, position, fence, run, fresh, acted = worker
    if position == NOTHING:
        return (doing,)
    _, latest, ended, _ = seen[position]
    fence = ranks[position][fence]
    return (doing, name[position], fence, 0 < run == latest, 0 < run == ended, fresh, acted)


def _ranks(process: Process, row: int, current: int, grows: bool) -> dict[int, int]:
    fences = {worker.fence for worker in process.workers if worker.row == row}
    fences.add(process.held[row].fence)
    if process.beat.seen:
        fences.add(process.beat.seen[row])
    if not grows:
        return {fence: fence for fence in fences}
    ranks = {NOTHING: NOTHING, current: 1, CLAIMED: CLAIMED}
    for fence in sorted(fences - ranks.keys()):
        ranks[fence] = len(ranks)
    return ranks
