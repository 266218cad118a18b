"""Faults that need a clock or a verb of the test's own: long backlogs, poison, clock jumps."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Row, select

from morningdeck.app import system_clock
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items
from morningdeck.work import Done, Job, Outcome
from tests.conftest import ManualClock
from tests.factories import make_items, make_source
from tests.faults.audit import Account
from tests.faults.rig import rig
from tests.waiting import until

LOSSES = 3
JOB_SECONDS = 8
BACKLOG = 600


def _rows(database: Database) -> list[Row[Any]]:
    with database.read() as connection:
        return list(connection.execute(select(items).order_by(items.c.id)))


def _account(database: Database, recovered: int) -> Account:
    rows, counted = _rows(database), _statuses(database)
    again = sum(row.attempts - 1 for row in rows)
    return Account(
        attempted=len(rows),
        done=counted["DONE"],
        lost=len(rows) - counted["DONE"] - counted["ERROR"],
        duplicated=again - recovered,
        recovered=recovered,
        dead=counted["ERROR"],
    )


def _statuses(database: Database) -> Counter[str]:
    return Counter(row.status for row in _rows(database))


def test_h3_a_backlog_that_waits_for_hours_is_no_error(
    database: Database, clock: ManualClock, tell: Callable[[object], None]
) -> None:
    make_items(database, make_source(database), BACKLOG)
    one_at_a_time = threading.Lock()
    recovered: list[int] = []

    def slow(job: Job) -> Outcome:
        with one_at_a_time:  # as the heartbeat and the recovery would in these seconds
            clock.pass_(seconds=JOB_SECONDS)
            run.heartbeat.beat()
            recovered.append(run.engine.recover())
        return Done()

    run = rig(database, slow, clock)
    run.engine.start()
    until(lambda: _statuses(database)["DONE"] == BACKLOG, 120)
    assert run.engine.stop(10)
    rows = _rows(database)
    tell(_account(database, sum(recovered)))
    assert clock() - rows[0].first_seen_at == timedelta(seconds=BACKLOG * JOB_SECONDS)
    assert {(row.attempts, row.losses, row.failures) for row in rows} == {(1, 0, 0)}
    assert sum(recovered) == 0


def test_a_job_that_kills_its_process_ends_as_a_dead_letter(
    database_url: str, database: Database, tell: Callable[[object], None]
) -> None:
    ids = make_items(database, make_source(database), 60)
    poison = ids[30]
    words = (
        sys.executable,
        "-m",
        "tests.faults.rig",
        database_url,
        str(poison),
        system_clock().isoformat(),
    )
    root = Path(__file__).parents[2]
    deaths = 0
    while subprocess.run(words, cwd=root, stderr=subprocess.DEVNULL, check=False).returncode:
        deaths += 1
        assert deaths < 10
    counted = _statuses(database)
    recovered = sum(row.attempts - 1 for row in _rows(database))
    tell(_account(database, recovered))
    assert deaths == LOSSES
    assert [row.id for row in _rows(database) if row.status == "ERROR"] == [poison]
    assert counted == {"DONE": 59, "ERROR": 1}


class WallClock:
    """The real time, until somebody sets the clock."""

    def __init__(self) -> None:
        self.offset = timedelta(0)

    def __call__(self) -> datetime:
        return system_clock() + self.offset


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_is_set_steals_nothing_and_stops_nothing(
    database: Database, hours: int, tell: Callable[[object], None]
) -> None:
    clock = WallClock()
    source = make_source(database)
    long_job, *_ = make_items(database, source, 10)
    began, may_end = threading.Event(), threading.Event()
    runs: Counter[int] = Counter()

    def verb(job: Job) -> Outcome:
        runs[job.id] += 1
        if job.id == long_job:
            began.set()
            may_end.wait(60)
        return Done()

    run = rig(database, verb, clock, recovery_seconds=0.2)
    run.engine.tick("processing", 0.2)
    run.engine.start()
    assert began.wait(20)
    clock.offset = timedelta(hours=hours)
    run.engine.look_at_the_clock()  # the daemon does, every second
    make_items(database, source, 10)
    until(lambda: _statuses(database)["DONE"] == 19)
    recovered = run.engine.recover()
    may_end.set()
    until(lambda: _statuses(database)["DONE"] == 20)
    assert run.engine.stop(10)
    tell(_account(database, recovered))
    assert recovered == 0
    assert set(runs.values()) == {1}
    assert {row.attempts for row in _rows(database)} == {1}
