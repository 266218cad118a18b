"""The steps of the heartbeat, of recovery, of death and of time."""

from __future__ import annotations

from collections.abc import Iterator

from tests.faults.model import statements
from tests.faults.model.designs import Design
from tests.faults.model.state import (
    CLAIMED,
    LEASE,
    LEFT,
    NOTHING,
    QUEUED,
    RUNNING,
    Beat,
    Held,
    Process,
    State,
    Worker,
    later,
)
from tests.faults.model.steps import Step, Turn, trust


def fresh_process(rows: int, workers: int) -> Process:
    return Process(held=(Held(),) * rows, workers=(Worker(),) * workers)


# ---- the heartbeat


def heartbeat(turn: Turn) -> Iterator[Step]:
    process, beat = turn.process, turn.process.beat
    if not beat.seen:
        seen = _renewable(turn)
        if any(fence != NOTHING for fence in seen):
            for fresh in LEFT:
                yield from _renew(turn, seen, fresh)
        return
    noted = zip(process.held, beat.seen, beat.kept, strict=True)
    held = tuple(
        Held(fence, trust(beat.fresh) if kept else 0)
        if fence == seen and fence > CLAIMED
        else Held(fence, left)  # started or finished meanwhile
        for (fence, left), seen, kept in noted
    )
    yield turn.step("note", process._replace(held=held, beat=Beat()))


def _renewable(turn: Turn) -> tuple[int, ...]:
    """The fences to be renewed; what hangs is beyond its deadline and left out."""
    process = turn.process
    if turn.design.renews == "owner":
        return tuple(CLAIMED if row.owner == turn.owner else NOTHING for row in turn.state.rows)
    hung = {(worker.row, worker.fence) for worker in process.workers if worker.doing == "hangs"}
    return tuple(
        NOTHING if (position, held.fence) in hung else held.fence
        for position, held in enumerate(process.held)
    )


def _renew(turn: Turn, seen: tuple[int, ...], fresh: int) -> Iterator[Step]:
    """The statement happens now, but its lease counts from when the heartbeat read its clock."""
    process, age = turn.process, LEASE - fresh
    rows, kept = list(turn.state.rows), [False] * len(turn.state.rows)
    for position, fence in enumerate(seen):
        renewed = statements.renew(rows[position], turn.owner, fence, fresh, turn.design)
        if renewed is not None:
            rows[position], kept[position] = renewed
    here = turn._replace(state=turn.state._replace(rows=tuple(rows)))
    answered = Beat(seen, tuple(kept), fresh)
    yield here.step("renew", process._replace(beat=answered), age=age)
    if turn.faults:
        yield here.step("renew (lost)", process, age=age, fault=True)


# ---- recovery


def recovery(turn: Turn) -> Iterator[Step]:
    process, design = turn.process, turn.design
    if process.selected != NOTHING:
        row = statements.give_back(turn.state.rows[process.selected], design, unseen=True)
        done = process._replace(selected=NOTHING)
        yield turn.step("recover: update", done, process.selected, row)
        return
    for position, row in enumerate(turn.state.rows):
        if statements.is_lost(row, design):
            if design.recovers_in_one_statement or row.status == QUEUED:
                yield turn.step("recover", process, position, statements.give_back(row, design))
            else:
                yield turn.step("recover: select", process._replace(selected=position), position)


# ---- death and what follows


def crash(turn: Turn) -> Iterator[Step]:
    if turn.faults:
        yield _dead(turn).step("crash", Process((), (), alive=False), fault=True)


def kill(turn: Turn) -> Iterator[Step]:
    """Deadly work: whoever runs it dies of it."""
    for index, worker in enumerate(turn.process.workers):
        if worker.doing == "runs":
            gone = Process((), (), alive=False)
            yield _dead(turn).step("kill", gone, worker.row, worker=index)


def _dead(turn: Turn) -> Turn:
    """Its name stays in its rows, but is no longer the name of anybody."""
    rows = tuple(
        row._replace(owner=-turn.owner) if row.owner == turn.owner else row
        for row in turn.state.rows
    )
    return turn._replace(state=turn.state._replace(rows=rows))


def restart(turn: Turn, workers: int) -> Iterator[Step]:
    """The node's lock proves the earlier incarnation dead: its rows wait again at once."""
    process = fresh_process(len(turn.state.rows), workers)
    rows = tuple(
        statements.give_back(row, turn.design)
        if row.owner == -turn.owner and row.status in (QUEUED, RUNNING)
        else row
        for row in turn.state.rows
    )
    yield turn._replace(state=turn.state._replace(rows=rows)).step("restart", process)
    if turn.faults:
        yield turn.step("restart (away)", process, fault=True)


# ---- time


def tick(design: Design, state: State) -> Iterator[Step]:
    passed = later(state, ages=design.recovers_by == "age")
    if passed != state:
        fair = not _stalls(design, state, passed)
        yield Step("tick", NOTHING, NOTHING, NOTHING, 0, passed, fair, "")


def _stalls(design: Design, state: State, passed: State) -> bool:
    """Would a lease lapse here that a live heartbeat, were it on time, would have renewed?"""
    lapsed = {
        position
        for position, (row, then) in enumerate(zip(state.rows, passed.rows, strict=True))
        if row.lease and not then.lease
    }
    return bool(lapsed) and any(
        seen != NOTHING and state.rows[position].owner == number + 1 and position in lapsed
        for number, process in enumerate(state.processes)
        if process.alive
        for position, seen in enumerate(_renewable(Turn(design, state, number)))
    )
