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
from tests.faults.model.steps import Move, Step, trust


def fresh_process(rows: int, workers: int) -> Process:
    return Process(held=(Held(),) * rows, workers=(Worker(),) * workers)


# ---- the heartbeat


def heartbeat(move: Move) -> Iterator[Step]:
    process, beat = move.process, move.process.beat
    if not beat.seen:
        seen = _renewable(move)
        if any(fence != NOTHING for fence in seen):
            for fresh in LEFT:
                yield from _renew(move, seen, fresh)
        return
    noted = zip(process.held, beat.seen, beat.kept, strict=True)
    held = tuple(
        Held(fence, trust(beat.fresh) if kept else 0)
        if fence == seen and fence > CLAIMED
        else Held(fence, left)  # started or finished meanwhile
        for (fence, left), seen, kept in noted
    )
    yield move.step("note", process._replace(held=held, beat=Beat()))


def _renewable(move: Move) -> tuple[int, ...]:
    """The fences to be renewed; what hangs is beyond its deadline and left out."""
    process = move.process
    if move.design.renews == "owner":
        return tuple(CLAIMED if row.owner == move.owner else NOTHING for row in move.state.rows)
    hung = {(worker.row, worker.fence) for worker in process.workers if worker.doing == "hangs"}
    return tuple(
        NOTHING if (position, held.fence) in hung else held.fence
        for position, held in enumerate(process.held)
    )


def _renew(move: Move, seen: tuple[int, ...], fresh: int) -> Iterator[Step]:
    """The statement happens now, but its lease counts from when the heartbeat read its clock."""
    process, age = move.process, LEASE - fresh
    rows, kept = list(move.state.rows), [False] * len(move.state.rows)
    for position, fence in enumerate(seen):
        renewed = statements.renew(rows[position], move.owner, fence, fresh, move.design)
        if renewed is not None:
            rows[position], kept[position] = renewed
    here = move._replace(state=move.state._replace(rows=tuple(rows)))
    answered = Beat(seen, tuple(kept), fresh)
    yield here.step("renew", process._replace(beat=answered), age=age)
    if move.faults:
        yield here.step("renew (lost)", process, age=age, fault=True)


# ---- recovery


def recovery(move: Move) -> Iterator[Step]:
    process, design = move.process, move.design
    if process.selected != NOTHING:
        row = statements.give_back(move.state.rows[process.selected], design, unseen=True)
        done = process._replace(selected=NOTHING)
        yield move.step("recover: update", done, process.selected, row)
        return
    for position, row in enumerate(move.state.rows):
        if statements.is_lost(row, design):
            if design.recovers_in_one_statement or row.status == QUEUED:
                yield move.step("recover", process, position, statements.give_back(row, design))
            else:
                yield move.step("recover: select", process._replace(selected=position), position)


# ---- death and what follows


def crash(move: Move) -> Iterator[Step]:
    if move.faults:
        yield _dead(move).step("crash", Process((), (), alive=False), fault=True)


def kill(move: Move) -> Iterator[Step]:
    """Deadly work: whoever runs it dies of it."""
    for index, worker in enumerate(move.process.workers):
        if worker.doing == "runs":
            gone = Process((), (), alive=False)
            yield _dead(move).step("kill", gone, worker.row, worker=index)


def _dead(move: Move) -> Move:
    """Its name stays in its rows, but is no longer the name of anybody."""
    rows = tuple(
        row._replace(owner=-move.owner) if row.owner == move.owner else row
        for row in move.state.rows
    )
    return move._replace(state=move.state._replace(rows=rows))


def restart(move: Move, workers: int) -> Iterator[Step]:
    """The node's lock proves the earlier incarnation dead: its rows wait again at once."""
    process = fresh_process(len(move.state.rows), workers)
    rows = tuple(
        statements.give_back(row, move.design)
        if row.owner == -move.owner and row.status in (QUEUED, RUNNING)
        else row
        for row in move.state.rows
    )
    yield move._replace(state=move.state._replace(rows=rows)).step("restart", process)
    if move.faults:
        yield move.step("restart (away)", process, fault=True)


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
        for position, seen in enumerate(_renewable(Move(design, state, number)))
    )
