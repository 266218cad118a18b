"""The model is about the real store: what one does to a row, the other does too.

Random walks through the model are replayed against `SqlJobStore`, one call a step, on
both databases; after every step the row must have the columns that the model says.
"""

from __future__ import annotations

import random
import re
from datetime import datetime, timedelta

import pytest

from morningdeck.engine.feeders import Feeder
from morningdeck.engine.leases import Leases
from morningdeck.engine.memory_queue import MemoryQueue
from morningdeck.engine.worker import Worker
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.news import items
from morningdeck.work import Job, Lost, Settlement, Stage, decide
from tests.conftest import NOW
from tests.factories import make_item, make_source, row_of
from tests.faults.model import steps as modelled_steps
from tests.faults.model.designs import OURS
from tests.faults.model.explore import World, steps
from tests.faults.model.state import LEASE, NOBODY, Process, Row, State
from tests.faults.model.statements import OUTCOMES, POLICY, renew
from tests.faults.model.steps import Step

STAGE = Stage.PROCESSING
TICK = timedelta(seconds=60)
LEASE_TIME = timedelta(seconds=90)
"""Lapsed after two ticks, trusted (0.6 of it) for less than one: as in the model."""
WORLD = World(workers=(2, 1), faults=4)
WALKS, LENGTH = 150, 30


class Replay:
    """One row in the real store, moved by the steps of the model."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._store = SqlJobStore(database, {}, lease=LEASE_TIME)
        self._id = make_item(database, make_source(database))
        self._now = NOW
        self._lives = [0 for _ in WORLD.workers]

    def follow(self, state: State, step: Step) -> None:
        """Do to the row what the step does, and check what the caller is told."""
        if step.what == "tick":
            self._now += TICK
            return
        process, what = state.processes[step.process], step.what.removesuffix(" (lost)")
        owner, asked_at = self._owner(step.process), self._now - step.age * TICK
        match what:
            case "claim":
                assert self._store.claim(STAGE, 1, owner, self._now) == (self._id,)
            case "start":
                job = self._store.start(STAGE, self._id, owner, asked_at)
                was, row = state.rows[0], step.after.rows[0]
                assert (job and job.attempt) == (row.fence if row.fence > was.fence else None)
            case "settle" | "fail" | "postpone":
                self._finish(state, step, process, what, owner)
            case "give back":
                self._store.release(STAGE, [self._id], owner, self._now)
            case "renew":
                self._renew(state, step, process, owner)
            case "recover":
                assert self._store.recover(STAGE, self._now, self._lost) == 1
            case "crash":
                self._lives[step.process] += 1
            case "restart":
                node = owner.partition(":")[0]
                self._store.recover(STAGE, self._now, self._lost, node=node, owner=owner)

    def _finish(self, state: State, step: Step, process: Process, what: str, owner: str) -> None:
        row, worker = state.rows[0], process.workers[step.worker]
        job = Job(STAGE, self._id, worker.fence, row.failures, row.losses)
        ending = decide(job, OUTCOMES[what], policy=POLICY, now=self._now, chance=0.0)
        stored = self._store.settle(job, owner, ending, self._now)
        assert stored == (step.after.rows[0] != row)

    def _renew(self, state: State, step: Step, process: Process, owner: str) -> None:
        fence, fresh = process.held[0].fence, LEASE - step.age
        asked_at = self._now - step.age * TICK
        held = self._store.renew(STAGE, {self._id: fence or None}, owner, asked_at)
        answer = renew(state.rows[0], step.process + 1, fence, fresh, OURS)
        assert (self._id in held) == (answer is not None and answer[1])

    def _lost(self, job: Job) -> Settlement:
        return decide(job, Lost(), policy=POLICY, now=self._now, chance=0.0)

    def _owner(self, number: int) -> str:
        return f"{'AB'[number]}:{self._lives[number]}"

    def check(self, expected: Row) -> None:
        real = row_of(self._database, items, self._id)
        assert (real.status, real.attempts, real.failures, real.losses) == (
            expected.status,
            expected.fence,
            expected.failures,
            expected.losses,
        )
        assert real.claimed_by == self._claimed_by(expected.owner)
        assert self._ticks_left(real.lease_until) == expected.lease

    def _claimed_by(self, owner: int) -> str | None:
        if owner == NOBODY:
            return None
        name = self._owner(abs(owner) - 1)
        return name if owner > 0 else f"{name[0]}:{self._lives[-owner - 1] - 1}"

    def _ticks_left(self, lease_until: datetime | None) -> int:
        left = timedelta(0) if lease_until is None else lease_until - self._now
        return max(0, min(LEASE, -(-left // TICK)))

    def close(self) -> None:
        """The next walk has the tables to itself."""
        with self._database.write() as connection:
            connection.execute(items.delete())


@pytest.mark.parametrize("seed", range(3))
def test_the_real_store_does_what_the_model_says(database: Database, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(WALKS // 3):
        replay, state = Replay(database), WORLD.start()
        story: list[str] = []
        while len(story) < LENGTH and (step := _any_step(chance, state)) is not None:
            story.append(step.what)
            try:
                replay.follow(state, step)
                replay.check(step.after.rows[0])
            except AssertionError as error:
                error.add_note(" > ".join(story))
                raise
            state = step.after
        replay.close()


@pytest.mark.parametrize("name", re.findall(r"`(\w+\.\w+)`", modelled_steps.__doc__ or ""))
def test_every_step_names_code_that_exists(name: str) -> None:
    owner, method = name.split(".")
    code = {each.__name__: each for each in (SqlJobStore, Feeder, Worker, Leases, MemoryQueue)}

    assert callable(getattr(code[owner], method))


def _any_step(chance: random.Random, state: State) -> Step | None:
    """Each kind of step as likely as any other: the rare ones are what matters."""
    possible = [step for step in steps(OURS, WORLD, state) if "(away)" not in step.what]
    if not possible:
        return None
    kind = chance.choice(sorted({step.what for step in possible}))
    return chance.choice([step for step in possible if step.what == kind])
