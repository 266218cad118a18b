"""Group commit on SQLite: many callers, one commit, and none pays for another's mistake."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.exc import IntegrityError

from morningdeck.store.database.connect import Database
from morningdeck.store.database.group_commit import Together, Turn
from morningdeck.store.tables import items
from tests.factories import make_items, make_source

RENAME = (
    update(items)
    .where(items.c.id == bindparam("which"))
    .values(guid=bindparam("new"))
    .returning(items.c.guid)
)


def guids(database: Database) -> set[str]:
    with database.read() as connection:
        return set(connection.scalars(select(items.c.guid)))


def test_statements_from_many_threads_are_all_stored_and_answered(database: Database) -> None:
    ids = make_items(database, make_source(database), 40)
    rename = database.prepare(RENAME)

    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(lambda id_: database.run(rename, {"which": id_, "new": f"n{id_}"}), ids)
        )

    assert answers == [[(f"n{id_}",)] for id_ in ids]
    assert guids(database) == {f"n{id_}" for id_ in ids}


def test_one_bad_statement_fails_alone(database: Database) -> None:
    ids = make_items(database, make_source(database), 40)
    rename = database.prepare(RENAME)

    def attempt(id_: int) -> bool:
        name = "the same" if id_ in ids[:20] else f"n{id_}"
        try:
            database.run(rename, {"which": id_, "new": name})
        except IntegrityError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(attempt, ids))

    assert done.count(False) == 19
    assert all(done[20:])
    assert {"the same", *(f"n{id_}" for id_ in ids[20:])} <= guids(database)


class Panic(BaseException):
    """As what is written in Rust raises."""


def test_work_that_panics_fails_alone(database: Database) -> None:
    ids = make_items(database, make_source(database), 40)
    rename = database.prepare(RENAME)

    def attempt(id_: int) -> bool:
        step = database.step(rename, {"which": id_, "new": f"n{id_}"})

        def work(connection: Connection) -> None:
            step(connection)
            if id_ in ids[::2]:
                raise Panic

        try:
            database.commit(work)
        except Panic:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(attempt, ids))

    assert done == [False, True] * 20
    assert {f"n{id_}" for id_ in ids[1::2]} <= guids(database)


class HeldDisk:
    """Commits what it is given, the first time only when it is let go."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.reached = threading.Event()
        self.let_go = threading.Event()

    def commit(self, turns: Sequence[Turn]) -> None:
        self.batches.append(len(turns))
        self.reached.set()
        assert self.let_go.wait(10)


def nothing(_: Connection) -> str:
    return "never done"


def test_who_comes_during_a_commit_shares_the_next() -> None:
    disk = HeldDisk()
    together = Together(disk.commit)

    with ThreadPoolExecutor(5) as threads:
        first = threads.submit(together.run, nothing)
        assert disk.reached.wait(10)
        others = [threads.submit(together.run, nothing) for _ in range(4)]
        while together.waiting < 4:
            threading.Event().wait(0.001)
        assert not first.done()
        disk.let_go.set()
        assert [one.result(10) for one in others] == [None] * 4

    assert disk.batches == [1, 4]


def test_a_failed_commit_is_everybodys_error_and_the_next_one_goes_on() -> None:
    failures = [OSError("disk full")]

    def commit(turns: Sequence[Turn]) -> None:
        if failures:
            raise failures.pop()

    together = Together(commit)

    with pytest.raises(OSError, match="disk full"):
        together.run(nothing)
    together.run(nothing)
