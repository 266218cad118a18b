"""Every state that a design can get into, breadth first, and the first promise it breaks.

Two kinds of promises. What must never happen is looked for in every step: the shortest
way there is the counterexample. What must always remain possible is looked for from the
end: a state from which no fair steps lead to a settled row is a dead end or a livelock.
Fair steps are those that happen by themselves: no fault, no drain, no heartbeat so late
that a lease lapses under a living holder.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from morningdeck.work import LOSSES_ALLOWED
from tests.faults.model import keeping, working
from tests.faults.model.designs import Design
from tests.faults.model.state import (
    DEAD,
    DONE,
    NOBODY,
    NOTHING,
    RUNNING,
    WAITING,
    Row,
    State,
    fingerprint,
)
from tests.faults.model.steps import Move, Step

CAME_BACK = "a settled row came back"
UNDUE_LOSS = "a loss was counted although nothing ran"
IMMORTAL = "the third loss did not end the row"
UNCLAIMABLE = "a waiting row still has an owner"
STUCK = "no fair steps lead to an end any more"
SETTLED = (DONE, DEAD)
NAMES = "ABC"


@dataclass(frozen=True, slots=True)
class World:
    """What is explored: `workers` of each process, how many rows, how much goes wrong."""

    workers: tuple[int, ...] = (1, 1)
    rows: int = 1
    rounds: int = 1
    faults: int = 0
    troubles: tuple[str, ...] = ()
    """The only faults there are; () means all of them."""
    deadly: bool = False

    def start(self) -> State:
        processes = tuple(keeping.fresh_process(self.rows, count) for count in self.workers)
        return State((Row(rounds=self.rounds),) * self.rows, processes, self.faults)


@dataclass(frozen=True, slots=True)
class Violation:
    promise: str
    trace: tuple[Step, ...]
    loop: tuple[Step, ...] = ()
    """What goes on for ever after the trace."""


def steps(design: Design, world: World, state: State) -> Iterator[Step]:
    """All that may happen next in this world."""
    for step in _steps(design, world, state):
        if not world.troubles or step.after.faults == state.faults or step.what in world.troubles:
            yield step


def _steps(design: Design, world: World, state: State) -> Iterator[Step]:
    """All that may happen next, whichever process does it."""
    for number, process in enumerate(state.processes):
        move = Move(design, state, number)
        if not process.alive:
            yield from keeping.restart(move, world.workers[number])
            continue
        yield from working.feeder(move)
        yield from keeping.kill(move) if world.deadly else ()
        yield from working.workers(move, deadly=world.deadly)
        yield from keeping.heartbeat(move)
        yield from keeping.recovery(move)
        yield from keeping.crash(move)
    yield from keeping.tick(design, state)


class Explorer:
    def __init__(self, design: Design, world: World) -> None:
        self._design = design
        self._world = world
        self._numbers: dict[object, int] = {}
        self._states: list[State] = []
        self._came_by: list[tuple[int, Step] | None] = []
        self._fair_before: list[list[int]] = []
        self.steps = 0

    def explore(self) -> Violation | None:
        """None when every state was seen and every promise kept."""
        self._number(self._world.start(), None)
        for here, state in enumerate(self._states):  # grows while it is read
            for step in steps(self._design, self._world, state):
                self.steps += 1
                if broken := step.broken or broken_rows(state, step):
                    return Violation(broken, (*self._trace(here), step))
                there = self._number(step.after, (here, step))
                if step.fair:
                    self._fair_before[there].append(here)
        return self._stuck()

    @property
    def states(self) -> int:
        return len(self._states)

    @property
    def kinds(self) -> frozenset[str]:
        """The steps that led to new states, by name."""
        return frozenset(came_by[1].what for came_by in self._came_by if came_by)

    def _number(self, state: State, came_by: tuple[int, Step] | None) -> int:
        key = fingerprint(state, fence_grows=self._design.fence_grows_for_ever)
        number = self._numbers.setdefault(key, len(self._states))
        if number == len(self._states):
            self._states.append(state)
            self._came_by.append(came_by)
            self._fair_before.append([])
        return number

    def _trace(self, number: int) -> tuple[Step, ...]:
        trace: list[Step] = []
        while (came_by := self._came_by[number]) is not None:
            number, step = came_by
            trace.append(step)
        return tuple(reversed(trace))

    # ---- what must always remain possible

    def _stuck(self) -> Violation | None:
        """The first state that cannot end, with what it does for ever instead."""
        hopeful = {number for number, state in enumerate(self._states) if _is_over(state)}
        todo = deque(hopeful)
        while todo:
            for before in self._fair_before[todo.popleft()]:
                if before not in hopeful:
                    hopeful.add(before)
                    todo.append(before)
        for number in range(self.states):
            if number not in hopeful and (loop := self._loop(number)) is not None:
                return Violation(STUCK, self._trace(number), loop)
        return None

    def _loop(self, start: int) -> tuple[Step, ...] | None:
        """The shortest way from a state back to itself, () when nothing moves any more."""
        came_by: dict[int, tuple[int, Step]] = {}
        todo = deque([start])
        while todo:
            here = todo.popleft()
            for step in steps(self._design, self._world, self._states[here]):
                there = self._number(step.after, None)
                if not step.fair or there in came_by:
                    continue
                came_by[there] = here, step
                if there == start:
                    return _way(came_by, start)
                todo.append(there)
        return None if came_by else ()


def _way(came_by: dict[int, tuple[int, Step]], end: int) -> tuple[Step, ...]:
    way: list[Step] = []
    here = end
    while not way or here != end:
        here, step = came_by[here]
        way.append(step)
    return tuple(reversed(way))


def _is_over(state: State) -> bool:
    return all(row.status in SETTLED for row in state.rows)


def broken_rows(state: State, step: Step) -> str:
    """The promise that a step broke by what it made of a row, "" when none."""
    for before, after in zip(state.rows, step.after.rows, strict=True):
        if after is before:
            continue
        if before.status in SETTLED and after != before:
            return CAME_BACK
        if after.losses > before.losses and before.status != RUNNING:
            return UNDUE_LOSS
        if after.losses >= LOSSES_ALLOWED and after.status != DEAD:
            return IMMORTAL
        if after.status == WAITING and after.owner != NOBODY:
            return UNCLAIMABLE
    return ""


# ---- for people


def told(violation: Violation) -> str:
    """The counterexample, step by step, with what each made of the row."""
    lines = [violation.promise, *_lines(violation.trace)]
    if violation.loop:
        lines += ["and then for ever:", *_lines(violation.loop)]
    return "\n".join(lines)


def _lines(trace: Sequence[Step]) -> Iterator[str]:
    for number, step in enumerate(trace, start=1):
        who = NAMES[step.process] if step.process != NOTHING else " "
        what = step.what + (" (late)" if step.age else "")
        rows = "; ".join(_row(row) for row in step.after.rows)
        yield f"{number:3}  {who}  {what:16} {rows}"


def _row(row: Row) -> str:
    owner = "nobody" if row.owner == NOBODY else NAMES[abs(row.owner) - 1]
    dead = "'" if row.owner < NOBODY else ""
    holder = f"{row.status} of {owner}{dead}"
    return f"{holder:18} lease {row.lease}  fence {row.fence}  losses {row.losses}"
