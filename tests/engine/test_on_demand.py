"""Work that somebody waits for: done here, or left to whoever has it already."""

from __future__ import annotations

import time

import pytest

from morningdeck.engine.on_demand import OnDemand
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items
from morningdeck.work import Stage
from tests.conftest import NOW
from tests.engine.conftest import Start
from tests.engine.gate import Gate
from tests.engine.process import Process
from tests.factories import make_items, row_of
from tests.waiting import LIMIT_SECONDS, until

ITEMS = Stage.PROCESSING


def soon() -> float:
    return time.monotonic() + LIMIT_SECONDS


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def work(process: Process, gate: Gate) -> OnDemand:
    return process.on_demand(gate.verb)


def test_rows_that_are_named_are_worked_on_until_they_are_settled(
    work: OnDemand, gate: Gate, database: Database, source: int
) -> None:
    rows = make_items(database, source, 3)
    gate.open()

    with work.at_work(), work.crews([ITEMS], soon()) as (crew,):
        crew.give(rows)
        until(lambda: len(gate.ended) == 3)

    assert {row_of(database, items, row).status for row in rows} == {"DONE"}


def test_a_row_that_is_named_again_while_it_is_here_is_worked_on_once(
    work: OnDemand, gate: Gate, database: Database, source: int
) -> None:
    rows = make_items(database, source, 1)

    with work.crews([ITEMS], soon()) as (crew,):
        crew.give(rows)
        gate.wait_for(1)
        crew.give(rows)
        gate.open()

    assert row_of(database, items, rows[0]).attempts == 1


def test_a_row_that_somebody_else_has_is_left_to_them(
    begin: Start, work: OnDemand, gate: Gate, database: Database, source: int
) -> None:
    theirs, free = make_items(database, source, 2)
    other = begin(owner="elsewhere/0:x")
    assert other.store.claim_one(ITEMS, theirs, other.owner, NOW)
    gate.open()

    assert not work.claim(ITEMS, theirs)
    with work.crews([ITEMS], soon()) as (crew,):
        crew.give((theirs, free))
        until(lambda: gate.ended == [free])

    assert row_of(database, items, theirs).claimed_by == other.owner


def test_what_is_not_done_in_time_waits_again_without_blame(
    work: OnDemand, gate: Gate, database: Database, source: int
) -> None:
    (row,) = make_items(database, source, 1)

    with work.crews([ITEMS], time.monotonic() + 0.05) as (crew,):
        crew.give((row,))
        gate.wait_for(1)

    found = row_of(database, items, row)
    assert (found.status, found.claimed_by, found.failures, found.losses) == ("NEW", None, 0, 0)
    gate.open()


def test_whoever_interrupts_it_waits_no_longer(
    work: OnDemand, gate: Gate, database: Database, source: int
) -> None:
    rows = make_items(database, source, 1)
    began = time.monotonic()

    def interrupted() -> None:
        with work.crews([ITEMS], began + 3600) as (crew,):
            crew.give(rows)
            gate.wait_for(1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert time.monotonic() - began < LIMIT_SECONDS
    assert row_of(database, items, rows[0]).status == "NEW"
    gate.open()


def test_what_this_nodes_dead_process_held_waits_again_first(
    begin: Start, work: OnDemand, database: Database, source: int
) -> None:
    (row,) = make_items(database, source, 1)
    dead = begin(owner="host/0:dead")
    assert dead.store.claim_one(ITEMS, row, dead.owner, NOW)

    with work.at_work():
        assert work.claim(ITEMS, row)
