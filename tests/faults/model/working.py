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
from tests.faults.model.steps import Step, Turn, at_work, drop, trust, trusted

CAPACITY = 2
IDLE = Worker()


STOLEN_EFFECT = "an effect came from a holder whose claim was gone"
STOLEN_ENDING = "a settlement came from a holder whose claim was gone"
SECOND_ENDING = "one claim was settled twice"


# ---- the feeder


def feeder(turn: Turn) -> Iterator[Step]:
    process = turn.process
    if process.claimed != NOTHING:
        yield from _enqueue(turn)
    elif len(process.queue) < CAPACITY:
        for position, row in enumerate(turn.state.rows):
            if (taken := statements.claim(row, turn.owner)) is not None:
                claimed = process._replace(claimed=position)
                yield turn.step("claim", claimed, position, taken)
                if turn.faults:
                    yield turn.step("claim (lost)", process, position, taken, fault=True)
    for position in sorted(set(process.queue)):
        yield from _give_back(turn, position)


def _enqueue(turn: Turn) -> Iterator[Step]:
    process, position = turn.process, turn.process.claimed
    held = put(process.held, position, Held(CLAIMED))
    after = process._replace(claimed=NOTHING, held=held, queue=(*process.queue, position))
    yield turn.step("enqueue", after, position)
    if turn.faults and len(after.queue) < CAPACITY:
        twice = after._replace(queue=(*after.queue, position))
        yield turn.step("enqueue twice", twice, position, fault=True)


def _give_back(turn: Turn, position: int) -> Iterator[Step]:
    queue = list(turn.process.queue)
    queue.remove(position)
    after = drop(turn.process._replace(queue=tuple(queue)), position, CLAIMED)
    released = statements.release(turn.state.rows[position], turn.owner)
    yield turn.step("give back", after, position, released, fair=False)
    if turn.faults:
        yield turn.step("give back (away)", after, position, fault=True)


# ---- the workers


def workers(turn: Turn, *, deadly: bool = False) -> Iterator[Step]:
    process = turn.process
    for index, worker in enumerate(process.workers):
        match worker.doing:
            case "idle" if process.queue:
                yield from _start(turn, index)
            case "began":
                yield _started(turn, index, worker)
            case "runs" if not deadly:
                yield from _run(turn, index, worker)


def _start(turn: Turn, index: int) -> Iterator[Step]:
    """The statement happens now, but its lease counts from when the worker read its clock."""
    process, position = turn.process, turn.process.queue[0]
    taken = process._replace(queue=process.queue[1:])
    for fresh in LEFT:
        row = statements.start(turn.state.rows[position], turn.owner, fresh)
        if row is None:
            began = Worker("began", position)
            yield turn.step("start", at_work(taken, index, began), position, worker=index)
            break
        began = Worker("began", position, row.fence, row.run, fresh)
        after = at_work(taken, index, began)
        yield turn.step("start", after, position, row, worker=index, age=LEASE - fresh)
        if turn.faults:  # it asks again
            yield turn.step(
                "start (lost)", process, position, row, worker=index, age=LEASE - fresh, fault=True
            )
    if turn.faults:
        gone = drop(taken, position, CLAIMED)
        yield turn.step("start (away)", gone, position, worker=index, fault=True)


def _started(turn: Turn, index: int, worker: Worker) -> Step:
    process = turn.process
    if not worker.fence:
        after = drop(at_work(process, index, IDLE), worker.row, CLAIMED)
        return turn.step("stale", after, worker.row, worker=index)
    fresh = worker.fresh if turn.design.trusts_from == "question" else LEASE
    held = put(process.held, worker.row, Held(worker.fence, trust(fresh)))
    runs = worker._replace(doing="runs", fresh=0)
    after = at_work(process._replace(held=held), index, runs)
    return turn.step("started", after, worker.row, worker=index)


def _run(turn: Turn, index: int, worker: Worker) -> Iterator[Step]:
    if worker.acted:
        yield from _finish(turn, index, worker, "settle")
    elif not trusted(turn.process, worker):
        yield from _finish(turn, index, worker, "postpone")
    else:
        acted = at_work(turn.process, index, worker._replace(acted=True))
        broken = "" if _truly_holds(worker, turn.state.rows[worker.row]) else STOLEN_EFFECT
        yield turn.step("effect", acted, worker.row, worker=index, broken=broken)
    if turn.faults:
        yield from _finish(turn, index, worker, "fail")
        if _others_work(turn, index):
            hung = at_work(turn.process, index, worker._replace(doing="hangs"))
            yield turn.step("hang", hung, worker.row, worker=index, fault=True)


def _others_work(turn: Turn, index: int) -> bool:
    """The protocol needs one worker that does not hang: its process renews what is queued."""
    others = enumerate(turn.process.workers)
    return any(other != index and worker.doing != "hangs" for other, worker in others)


def _finish(turn: Turn, index: int, worker: Worker, what: str) -> Iterator[Step]:
    """A database that is away is asked again for as long as the lease is trusted."""
    process, position = turn.process, worker.row
    row = turn.state.rows[position]
    ending = statements.finish(row, turn.owner, worker, what, turn.design)
    broken = "" if ending is None else _wrong(worker, row)
    ends = drop(at_work(process, index, IDLE), position, worker.fence)
    fault = what == "fail"
    yield turn.step(what, ends, position, ending, worker=index, fault=fault, broken=broken)
    if turn.faults and not fault:
        again = process if trusted(process, worker) else ends
        yield turn.step(
            f"{what} (lost)", again, position, ending, worker=index, fault=True, broken=broken
        )
        yield turn.step(f"{what} (away)", ends, position, worker=index, fault=True)


def _truly_holds(worker: Worker, row: Row) -> bool:
    return row.status == RUNNING and row.run == worker.run


def _wrong(worker: Worker, row: Row) -> str:
    if row.ended == worker.run:
        return SECOND_ENDING
    return "" if _truly_holds(worker, row) else STOLEN_ENDING
