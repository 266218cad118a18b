"""The steps of the feeder and of the workers."""

from __future__ import annotations

from collections.abc import Iterator

from tests.faults.model import statements
from tests.faults.model.state import (
    CLAIMED,
    LEASE,
    LEFT,
    NOTHING,
    RUNNING,
    Held,
    Row,
    Worker,
    put,
)
from tests.faults.model.steps import Move, Step, at_work, drop, trust, trusted

CAPACITY = 2
IDLE = Worker()


STOLEN_EFFECT = "an effect came from a holder whose claim was gone"
STOLEN_ENDING = "a settlement came from a holder whose claim was gone"
SECOND_ENDING = "one claim was settled twice"


# ---- the feeder


def feeder(move: Move) -> Iterator[Step]:
    process = move.process
    if process.claimed != NOTHING:
        yield from _enqueue(move)
    elif len(process.queue) < CAPACITY:
        for position, row in enumerate(move.state.rows):
            if (taken := statements.claim(row, move.owner)) is not None:
                claimed = process._replace(claimed=position)
                yield move.step("claim", claimed, position, taken)
                if move.faults:
                    yield move.step("claim (lost)", process, position, taken, fault=True)
    for position in sorted(set(process.queue)):
        yield from _give_back(move, position)


def _enqueue(move: Move) -> Iterator[Step]:
    process, position = move.process, move.process.claimed
    held = put(process.held, position, Held(CLAIMED))
    after = process._replace(claimed=NOTHING, held=held, queue=(*process.queue, position))
    yield move.step("enqueue", after, position)
    if move.faults and len(after.queue) < CAPACITY:
        twice = after._replace(queue=(*after.queue, position))
        yield move.step("enqueue twice", twice, position, fault=True)


def _give_back(move: Move, position: int) -> Iterator[Step]:
    queue = list(move.process.queue)
    queue.remove(position)
    after = drop(move.process._replace(queue=tuple(queue)), position, CLAIMED)
    released = statements.release(move.state.rows[position], move.owner)
    yield move.step("give back", after, position, released, fair=False)
    if move.faults:
        yield move.step("give back (away)", after, position, fault=True)


# ---- the workers


def workers(move: Move, *, deadly: bool = False) -> Iterator[Step]:
    process = move.process
    for index, worker in enumerate(process.workers):
        match worker.doing:
            case "idle" if process.queue:
                yield from _start(move, index)
            case "began":
                yield _started(move, index, worker)
            case "runs" if not deadly:
                yield from _run(move, index, worker)


def _start(move: Move, index: int) -> Iterator[Step]:
    """The statement happens now, but its lease counts from when the worker read its clock."""
    process, position = move.process, move.process.queue[0]
    taken = process._replace(queue=process.queue[1:])
    for fresh in LEFT:
        row = statements.start(move.state.rows[position], move.owner, fresh)
        if row is None:
            began = Worker("began", position)
            yield move.step("start", at_work(taken, index, began), position, worker=index)
            break
        began = Worker("began", position, row.fence, row.run, fresh)
        after = at_work(taken, index, began)
        yield move.step("start", after, position, row, worker=index, age=LEASE - fresh)
        if move.faults:  # it asks again
            yield move.step(
                "start (lost)", process, position, row, worker=index, age=LEASE - fresh, fault=True
            )
    if move.faults:
        gone = drop(taken, position, CLAIMED)
        yield move.step("start (away)", gone, position, worker=index, fault=True)


def _started(move: Move, index: int, worker: Worker) -> Step:
    process = move.process
    if not worker.fence:
        after = drop(at_work(process, index, IDLE), worker.row, CLAIMED)
        return move.step("stale", after, worker.row, worker=index)
    fresh = worker.fresh if move.design.trusts_from == "question" else LEASE
    held = put(process.held, worker.row, Held(worker.fence, trust(fresh)))
    runs = worker._replace(doing="runs", fresh=0)
    after = at_work(process._replace(held=held), index, runs)
    return move.step("started", after, worker.row, worker=index)


def _run(move: Move, index: int, worker: Worker) -> Iterator[Step]:
    if worker.acted:
        yield from _finish(move, index, worker, "settle")
    elif not trusted(move.process, worker):
        yield from _finish(move, index, worker, "postpone")
    else:
        acted = at_work(move.process, index, worker._replace(acted=True))
        broken = "" if _truly_holds(worker, move.state.rows[worker.row]) else STOLEN_EFFECT
        yield move.step("effect", acted, worker.row, worker=index, broken=broken)
    if move.faults:
        yield from _finish(move, index, worker, "fail")
        if _others_work(move, index):
            hung = at_work(move.process, index, worker._replace(doing="hangs"))
            yield move.step("hang", hung, worker.row, worker=index, fault=True)


def _others_work(move: Move, index: int) -> bool:
    """The protocol needs one worker that does not hang: its process renews what is queued."""
    others = enumerate(move.process.workers)
    return any(other != index and worker.doing != "hangs" for other, worker in others)


def _finish(move: Move, index: int, worker: Worker, what: str) -> Iterator[Step]:
    """A database that is away is asked again for as long as the lease is trusted."""
    process, position = move.process, worker.row
    row = move.state.rows[position]
    ending = statements.finish(row, move.owner, worker, what, move.design)
    broken = "" if ending is None else _wrong(worker, row)
    ends = drop(at_work(process, index, IDLE), position, worker.fence)
    fault = what == "fail"
    yield move.step(what, ends, position, ending, worker=index, fault=fault, broken=broken)
    if move.faults and not fault:
        again = process if trusted(process, worker) else ends
        yield move.step(
            f"{what} (lost)", again, position, ending, worker=index, fault=True, broken=broken
        )
        yield move.step(f"{what} (away)", ends, position, worker=index, fault=True)


def _truly_holds(worker: Worker, row: Row) -> bool:
    return row.status == RUNNING and row.run == worker.run


def _wrong(worker: Worker, row: Row) -> str:
    if row.ended == worker.run:
        return SECOND_ENDING
    return "" if _truly_holds(worker, row) else STOLEN_ENDING
