"""Ours keeps every promise in every order of events; each design without one of its rules fails.

Run with `-s` to read the counterexamples.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator

import pytest

from tests.faults.model.designs import (
    ALL_MINE,
    BARE_RESET,
    BLIND,
    BY_AGE,
    BY_STATUS,
    LATE_TRUST,
    ONE_COUNTER,
    OURS,
    REQUEUED,
    SELECT_FIRST,
    SHORTENING,
    Design,
)
from tests.faults.model.explore import STUCK, UNDUE_LOSS, Explorer, World, steps, told
from tests.faults.model.state import State, fingerprint
from tests.faults.model.working import STOLEN_EFFECT, STOLEN_ENDING

WORLDS = {
    "two processes, a crash at any step": World(workers=(1, 1), faults=1, troubles=("crash",)),
    "two processes and deadly work": World(workers=(1, 1), deadly=True),
    "two workers in one process, a fault": World(workers=(2,), faults=1),
    "two workers in one process, recurring work": World(workers=(2,), rounds=2),
    "one process, two rows": World(workers=(1,), rows=2),
    "one process, two faults": World(workers=(1,), faults=2),
}


@pytest.fixture(autouse=True)
def _no_garbage_collection() -> Iterator[None]:
    """States have no cycles, and to look for cycles in a million of them takes half the time."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS.keys())
def test_ours_keeps_every_promise_in_every_order_of_events(world: World) -> None:
    explorer = Explorer(OURS, world)

    violation = explorer.explore()

    print(f"{explorer.states:,} states, {explorer.steps:,} steps")
    assert violation is None, told(violation)


@pytest.mark.parametrize(
    ("design", "world", "promise", "at_most"),
    [
        (BY_AGE, World(), STOLEN_EFFECT, 10),
        (BLIND, World(), STOLEN_ENDING, 6),
        (BY_STATUS, World(), STOLEN_ENDING, 9),
        (SELECT_FIRST, World(), UNDUE_LOSS, 7),
        (ONE_COUNTER, World(workers=(2,), rounds=2), STOLEN_ENDING, 15),
        (ALL_MINE, World(workers=(1,), faults=1), STUCK, 2),
        (BARE_RESET, World(workers=(1,), deadly=True), STUCK, 6),
        (LATE_TRUST, World(), STOLEN_EFFECT, 6),
        (REQUEUED, World(), STOLEN_EFFECT, 9),
        (SHORTENING, World(), STOLEN_EFFECT, 7),
    ],
    ids=lambda value: value.name if isinstance(value, Design) else "",
)
def test_without_one_of_its_rules_a_short_story_breaks_it(
    design: Design, world: World, promise: str, at_most: int
) -> None:
    violation = Explorer(design, world).explore()

    assert violation is not None
    print(f"\n{design.name}: {told(violation)}")
    assert violation.promise == promise
    assert len(violation.trace) + len(violation.loop) <= at_most


def test_the_explorer_visits_what_it_claims_to_visit() -> None:
    """A model that can do nothing would keep every promise too."""
    explorer = Explorer(OURS, World(workers=(1,), faults=2))
    explorer.explore()

    assert explorer.kinds >= {"claim", "enqueue", "enqueue twice", "give back", "start", "started"}
    assert explorer.kinds >= {"effect", "settle", "fail", "postpone", "renew", "note", "recover"}
    assert explorer.kinds >= {"claim (lost)", "start (lost)", "settle (lost)", "settle (away)"}
    assert explorer.kinds >= {"crash", "restart", "restart (away)", "tick"}


@pytest.mark.parametrize(
    "world",
    [World(faults=1), World(workers=(2,), faults=1), World(rows=2)],
    ids=["processes", "workers", "rows"],
)
def test_states_that_count_as_one_have_the_same_future(world: World) -> None:
    """Or merging them would hide what only one of them can get into."""
    known: dict[object, State] = {}
    twins = 0
    chance = random.Random(7)
    while twins < 1_000:
        state = world.start()
        for _ in range(40):
            twin = known.setdefault(fingerprint(state, fence_grows=True), state)
            if twin != state:
                assert _future(world, state) == _future(world, twin)
                twins += 1
            if not (possible := [step.after for step in steps(OURS, world, state)]):
                break
            state = chance.choice(possible)


def _future(world: World, state: State) -> set[object]:
    return {
        (step.what, step.fair, step.broken, fingerprint(step.after, fence_grows=True))
        for step in steps(OURS, world, state)
    }
