"""Every step that the row protocol can take from a state, named after the code that takes it.

    step                    stands for
    ----------------------  ------------------------------------------------------------
    claim                   `SqlWorkStore.claim`, called by `Feeder._claim`
    enqueue                 `Leases.hold`, then `MemoryQueue.enqueue`
    give back               `Feeder.give_back`: `Leases.drop`, then `SqlWorkStore.release`
    take                    `MemoryQueue._serve`, as far as the question in `Worker.run`
    start                   `SqlWorkStore.start`
    started, stale          `Leases.started`, or `Leases.drop` when the row was gone
    effect                  `Leases.trusted`, then a model call or a send
    settle, fail, postpone  `SqlWorkStore.settle` with what `work.settle` made of the outcome
    drop                    `Leases.drop` at the end of `Worker.run`
    beat, renew, note       `Leases._renew_stage`, `SqlWorkStore.renew`, `Leases._note`
    recover                 `SqlWorkStore.recover`, or its two halves in a wrong design
    crash, restart          SIGKILL; `SqlWorkStore.recover_node` by the next incarnation
    tick                    time passes

Threads take turns in every possible order, and time passes whenever it likes: a slow
worker, a heartbeat that stalls and a process under SIGSTOP for longer than its lease are
nothing but orders in which somebody does not get his turn. What does cost one of the few
`faults` is a crash, a hung thread, a failure, a duplicate in the queue, and a database
that goes away: "lost" is the statement that happened although nobody was told, "away"
the one that did not happen and that its caller gave up.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from morningdeck.work import Done, Failed, Job, Lost, Outcome, Postponed, RetryPolicy, Stage, settle
from tests.faults.model.designs import Design
from tests.faults.model.state import (
    CLAIMED,
    DONE,
    LEASE,
    NOBODY,
    NOTHING,
    OLD,
    QUEUED,
    RUNNING,
    UNTRUSTED,
    WAITING,
    Beat,
    Held,
    Process,
    Row,
    State,
    Worker,
    later,
    put,
)

CAPACITY = 2
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
POLICY = RetryPolicy((timedelta(0),), jitter=0.0)
OUTCOMES: dict[str, Outcome] = {
    "settle": Done(),
    "fail": Failed("it did not work"),
    "postpone": Postponed(NOON, "its lease was lost"),
}


class Step(NamedTuple):
    what: str
    process: int
    row: int
    after: State
    fair: bool = True
    """It happens by itself if it can; a fault or a give-back need not ever happen."""
    broken: str = ""
    """The promise that this very step broke."""
    worker: int = NOTHING


class Protocol:
    """All steps of all threads under one design; `deadly` work kills whoever runs it."""

    def __init__(self, design: Design, *, deadly: bool = False) -> None:
        self.design = design
        self._deadly = deadly

    def steps(self, state: State) -> Iterator[Step]:
        for number, process in enumerate(state.processes):
            if process.alive:
                yield from self._feeder(state, number, process)
                yield from self._workers(state, number, process)
                yield from self._heartbeat(state, number, process)
                yield from self._recovery(state, number, process)
                if state.faults:
                    yield self._crash(state, number, "crash", fault=True)
            else:
                yield from self._restart(state, number, process)
        passed = later(state, ages=self.design.recovers_by == "age")
        if passed != state:
            yield Step("tick", NOTHING, NOTHING, passed, fair=not self._stalls(state, passed))

    # ---- the feeder

    def _feeder(self, state: State, number: int, process: Process) -> Iterator[Step]:
        if process.claimed != NOTHING:
            yield from self._enqueue(state, number, process)
        elif len(process.queue) < CAPACITY:
            for position, row in enumerate(state.rows):
                if row.status == WAITING:
                    yield from self._claim(state, number, process, position)
        for position in set(process.queue):
            yield from self._give_back(state, number, process, position)

    def _claim(
        self, state: State, number: int, process: Process, position: int
    ) -> Iterator[Step]:
        row = state.rows[position]._replace(status=QUEUED, owner=number + 1, lease=LEASE, age=0)
        told = process._replace(claimed=position)
        yield Step("claim", number, position, state.change(position, row, number, told))
        if state.faults:
            after = state.change(position, row, number, process, fault=True)
            yield Step("claim (lost)", number, position, after, fair=False)

    def _enqueue(self, state: State, number: int, process: Process) -> Iterator[Step]:
        position = process.claimed
        held = put(process.held, position, Held(CLAIMED))
        for copies in (1, 2) if state.faults else (1,):
            queue = process.queue + (position,) * copies
            if len(queue) <= CAPACITY:
                after = process._replace(claimed=NOTHING, held=held, queue=queue)
                changed = state.change(position, None, number, after, fault=copies > 1)
                what = "enqueue" if copies == 1 else "enqueue twice"
                yield Step(what, number, position, changed, fair=copies == 1)

    def _give_back(
        self, state: State, number: int, process: Process, position: int
    ) -> Iterator[Step]:
        queue = list(process.queue)
        queue.remove(position)
        after = _drop(process._replace(queue=tuple(queue)), position, CLAIMED)
        row = state.rows[position]
        if row.status == QUEUED and row.owner == number + 1:
            row = _freed(row)
        yield Step(
            "give back", number, position, state.change(position, row, number, after), fair=False
        )
        if state.faults:
            changed = state.change(position, None, number, after, fault=True)
            yield Step("give back (away)", number, position, changed, fair=False)

    # ---- the workers

    def _workers(self, state: State, number: int, process: Process) -> Iterator[Step]:
        for index, worker in enumerate(process.workers):
            match worker.doing:
                case "idle" if process.queue:
                    asks = Worker("asks", process.queue[0], fresh=LEASE)
                    after = _at_work(process._replace(queue=process.queue[1:]), index, asks)
                    yield _local("take", state, number, after, index)
                case "asks":
                    yield from self._start(state, number, process, index)
                case "began":
                    yield self._started(state, number, process, index)
                case "runs":
                    yield from self._run(state, number, process, index)
                case "ends":
                    idle = _at_work(process, index, Worker())
                    after = _drop(idle, worker.row, worker.fence)
                    yield _local("drop", state, number, after, index)

    def _start(
        self, state: State, number: int, process: Process, index: int
    ) -> Iterator[Step]:
        worker = process.workers[index]
        row, changed = state.rows[worker.row], None
        answer = worker._replace(doing="began")
        if row.status == QUEUED:
            fence, run = row.fence + 1, row.run + 1
            changed = row._replace(
                status=RUNNING, owner=number + 1, lease=worker.fresh, fence=fence, run=run, age=0
            )
            answer = answer._replace(fence=fence, run=run)
        told = _at_work(process, index, answer)
        yield Step(
            "start", number, worker.row, state.change(worker.row, changed, number, told),
            worker=index,
        )
        if state.faults:
            asks_again = _at_work(process, index, worker._replace(fresh=LEASE))
            after = state.change(worker.row, changed, number, asks_again, fault=True)
            yield Step("start (lost)", number, worker.row, after, fair=False, worker=index)
            gone = _drop(_at_work(process, index, Worker()), worker.row, CLAIMED)
            after = state.change(worker.row, None, number, gone, fault=True)
            yield Step("start (away)", number, worker.row, after, fair=False, worker=index)

    def _started(self, state: State, number: int, process: Process, index: int) -> Step:
        worker = process.workers[index]
        if not worker.fence:
            after = _drop(_at_work(process, index, Worker()), worker.row, CLAIMED)
            return _local("stale", state, number, after, index)
        trust = _trust(worker.fresh if self.design.trusts_from == "question" else LEASE)
        held = put(process.held, worker.row, Held(worker.fence, trust))
        runs = worker._replace(doing="runs", fresh=0)
        after = _at_work(process._replace(held=held), index, runs)
        return _local("started", state, number, after, index)

    def _run(self, state: State, number: int, process: Process, index: int) -> Iterator[Step]:
        worker = process.workers[index]
        if self._deadly:
            yield self._crash(state, number, "kill", fault=False)
            return
        trusted = _trusted(process, worker)
        if worker.acted:
            yield from self._settle(state, number, process, index, "settle")
        elif not trusted:
            yield from self._settle(state, number, process, index, "postpone")
        else:
            after = _at_work(process, index, worker._replace(acted=True))
            step = _local("effect", state, number, after, index)
            if not _truly_holds(worker, state.rows[worker.row]):
                step = step._replace(broken="an effect came from a holder whose claim was gone")
            yield step
        if state.faults:
            yield from self._settle(state, number, process, index, "fail")
            hung = _at_work(process, index, worker._replace(doing="hangs"))
            yield _local("hang", state, number, hung, index, fault=True)

    def _settle(
        self, state: State, number: int, process: Process, index: int, what: str
    ) -> Iterator[Step]:
        worker = process.workers[index]
        row, changed, broken = state.rows[worker.row], None, ""
        if self._may_settle(row, number, worker):
            changed = self._settled(row, OUTCOMES[what])._replace(ended=worker.run)
            broken = _settled_wrongly(row, worker)
        position, failed = worker.row, what == "fail"
        ends = _at_work(process, index, worker._replace(doing="ends"))
        after = state.change(position, changed, number, ends, fault=failed)
        yield Step(what, number, position, after, not failed, broken, index)
        if state.faults and not failed:
            tries_again = process if _trusted(process, worker) else ends
            after = state.change(position, changed, number, tries_again, fault=True)
            yield Step(f"{what} (lost)", number, position, after, False, broken, index)
            after = state.change(position, None, number, ends, fault=True)
            yield Step(f"{what} (away)", number, position, after, False, "", index)

    def _may_settle(self, row: Row, number: int, worker: Worker) -> bool:
        demands = self.design.settles_under
        return (
            ("status" not in demands or row.status == RUNNING)
            and ("fence" not in demands or row.fence == worker.fence)
            and ("owner" not in demands or row.owner == number + 1)
        )

    def _settled(self, row: Row, outcome: Outcome) -> Row:
        status, failures, losses = _decide(outcome, row.failures, row.losses)
        rounds = row.rounds - (status == DONE)
        if status == DONE and rounds:
            status = WAITING  # recurring work is due again
        fence = row.fence
        if isinstance(outcome, Done) and not self.design.fence_grows_for_ever:
            fence = 0
        return _freed(row)._replace(
            status=status, failures=failures, losses=losses, rounds=rounds, fence=fence
        )

    # ---- the heartbeat

    def _heartbeat(self, state: State, number: int, process: Process) -> Iterator[Step]:
        beat = process.beat
        match beat.doing:
            case "rests":
                seen = self._seen(state, number, process)
                if any(fence != NOTHING for fence in seen):
                    asks = process._replace(beat=Beat("asks", seen, fresh=LEASE))
                    yield _local("beat", state, number, asks)
            case "asks":
                yield from self._renew(state, number, process)
            case "notes":
                held = tuple(
                    Held(fence, _trust(beat.fresh) if kept else 0)
                    if fence == seen and fence > CLAIMED
                    else Held(fence, trust)
                    for (fence, trust), seen, kept in zip(
                        process.held, beat.seen, beat.kept, strict=True
                    )
                )
                yield _local("note", state, number, process._replace(held=held, beat=Beat()))

    def _seen(self, state: State, number: int, process: Process) -> tuple[int, ...]:
        """The fences under which rows will be renewed; what hangs is beyond its deadline."""
        if self.design.renews == "owner":
            return tuple(CLAIMED if row.owner == number + 1 else NOTHING for row in state.rows)
        hung = {(worker.row, worker.fence) for worker in process.workers if worker.doing == "hangs"}
        return tuple(
            NOTHING if (position, held.fence) in hung else held.fence
            for position, held in enumerate(process.held)
        )

    def _renew(self, state: State, number: int, process: Process) -> Iterator[Step]:
        beat, rows = process.beat, list(state.rows)
        kept = [False] * len(rows)
        for position, (row, fence) in enumerate(zip(state.rows, beat.seen, strict=True)):
            if fence != NOTHING and row.owner == number + 1:
                fresh = max(beat.fresh, row.lease * self.design.renewal_never_shortens)
                rows[position] = row._replace(lease=fresh)
                proved = self.design.renewal_proves == "latest" or row.status == RUNNING
                kept[position] = fence == CLAIMED or (fence == row.fence and proved)
        notes = beat._replace(doing="notes", kept=tuple(kept))
        for fault, after in ((False, notes), (True, Beat())):
            if not fault or state.faults:
                processes = put(state.processes, number, process._replace(beat=after))
                what = "renew (lost)" if fault else "renew"
                changed = State(tuple(rows), processes, state.faults - fault)
                yield Step(what, number, NOTHING, changed, not fault)

    # ---- recovery

    def _recovery(self, state: State, number: int, process: Process) -> Iterator[Step]:
        if process.selected != NOTHING:
            row = self._given_back(state.rows[process.selected], blindly=True)
            after = process._replace(selected=NOTHING)
            changed = state.change(process.selected, row, number, after)
            yield Step("recover: update", number, process.selected, changed)
            return
        for position, row in enumerate(state.rows):
            if row.status not in (QUEUED, RUNNING) or not self._is_lost(row):
                continue
            if self.design.recovers_in_one_statement:
                after = state.change(position, self._given_back(row), number, process)
                yield Step("recover", number, position, after)
            else:
                after = state.change(position, None, number, process._replace(selected=position))
                yield Step("recover: select", number, position, after)

    def _is_lost(self, row: Row) -> bool:
        return row.age >= OLD if self.design.recovers_by == "age" else row.lease == 0

    def _given_back(self, row: Row, *, blindly: bool = False) -> Row:
        if row.status == RUNNING or blindly:
            return self._settled(row, Lost()) if self.design.counts_losses else _freed(row)
        return _freed(row)
