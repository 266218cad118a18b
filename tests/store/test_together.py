"""Group commit on SQLite: many callers, one commit, and none pays for another's mistake."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest
from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import IntegrityError

from morningdeck.errors import DatabaseAwayError, DatabaseBusyError
from morningdeck.store.database import group_commit
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.database.group_commit import (
    SharedTransaction,
)
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.tables.news import items
from tests.factories import make_items, make_source, rows_of
from tests.waiting import until

RENAME = (
    update(items)
    .where(items.c.id == bindparam("which"))
    .values(guid=bindparam("new"))
    .returning(items.c.guid)
)
RENAMING = Prepared(RENAME)


def guids(database: Database) -> set[str]:
    with database.read() as connection:
        return set(connection.scalars(select(items.c.guid)))


def test_statements_from_many_threads_are_all_stored_and_answered(database: Database) -> None:
    ids = make_items(database, make_source(database), 40)

    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(lambda id_: database.run(RENAMING, {"which": id_, "new": f"n{id_}"}), ids)
        )

    assert answers == [[(f"n{id_}",)] for id_ in ids]
    assert guids(database) == {f"n{id_}" for id_ in ids}


def test_one_bad_statement_fails_alone(database: Database) -> None:
    ids = make_items(database, make_source(database), 40)

    def attempt(id_: int) -> bool:
        name = "the same" if id_ in ids[:20] else f"n{id_}"
        try:
            database.run(RENAMING, {"which": id_, "new": name})
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


def test_a_transaction_that_panics_fails_alone_among_others_and_statements(
    database: Database,
) -> None:
    ids = make_items(database, make_source(database), 60)

    def attempt(id_: int) -> bool:
        values = {"which": id_, "new": f"n{id_}"}
        if id_ in ids[::3]:
            return bool(database.run(RENAMING, values))
        try:
            with database.write() as connection:
                connection.execute(RENAME, values)
                if id_ in ids[1::3]:
                    raise Panic
        except Panic:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(attempt, ids))

    assert done == [True, False, True] * 20
    kept = {f"n{id_}" for id_ in (*ids[::3], *ids[2::3])}
    assert {name for name in guids(database) if name.startswith("n")} == kept


def test_of_two_statements_both_are_stored_or_neither(database: Database) -> None:
    ids = make_items(database, make_source(database), 60)
    this = items.c.id == bindparam("which")
    entitle = Prepared(update(items).where(this).values(title=bindparam("new")))

    def attempt(id_: int) -> bool:
        name = "the same" if id_ in ids[:30] else f"n{id_}"
        try:
            rows = database.run_both(entitle, RENAMING, {"which": id_, "new": name})
        except IntegrityError:
            return False
        return rows == [(name,)]

    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(attempt, ids))

    assert done.count(False) == 29
    assert all(done[30:])
    titles = [row.title for row in rows_of(database, items) if not row.title.startswith("Item")]
    assert sorted(titles) == sorted(["the same", *(f"n{id_}" for id_ in ids[30:])])


# ---- whoever waits shares what is open


class Paper:
    """A transaction that notes what is done with it."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.is_broken = False
        self.trouble: list[Exception] = []

    def begin(self) -> None:
        self.notes.append("begin")

    def save(self) -> None:
        self.notes.append("save")

    def undo(self) -> None:
        self.notes.append("undo")

    def is_open(self) -> bool:
        return not self.is_broken

    def commit(self) -> None:
        self.notes.append("commit")
        if self.trouble:
            raise self.trouble.pop()

    def make_safe(self) -> None:
        self.notes.append("safe")

    def rollback(self) -> None:
        self.notes.append("rollback")
        self.is_broken = False

    def close(self) -> None:
        self.notes.append("close")


class Hall:
    """Threads that write, the first of them only until it is let go."""

    def __init__(self) -> None:
        self.paper = Paper()
        self.shared = SharedTransaction(self.paper)
        self.inside, self.let_go = threading.Event(), threading.Event()

    def first(self) -> None:
        with self.shared.share():
            self.inside.set()
            assert self.let_go.wait(10)

    def other(self, error: Exception | None = None, *, lasting: bool = True) -> None:
        with self.shared.share(lasting=lasting):
            if error is not None:
                raise error

    def _is_waited_for(self, count: int) -> bool:
        return self.shared.waiting == count

    def run(self, *errors: Exception | None) -> list[BaseException | None]:
        """The first, and behind it one with each of these errors; returns theirs, in order."""
        with ThreadPoolExecutor(1 + len(errors)) as threads:
            running = [threads.submit(self.first)]
            assert self.inside.wait(10)
            for number, error in enumerate(errors, 1):
                running.append(threads.submit(self.other, error))
                until(partial(self._is_waited_for, number))
            self.let_go.set()
            return [one.exception(10) for one in running]


def test_who_waits_for_a_transaction_shares_it_and_its_commit() -> None:
    hall = Hall()

    assert hall.run(None, None) == [None] * 3

    assert hall.paper.notes == ["begin", "save", "save", "commit", "safe"]


def test_a_member_that_fails_undoes_its_own_part_alone() -> None:
    hall, bug = Hall(), ValueError("a bug")

    assert hall.run(bug) == [None, bug]

    assert hall.paper.notes == ["begin", "save", "undo", "commit", "safe"]


def test_what_the_database_has_undone_fails_for_all_who_shared_it() -> None:
    hall, full = Hall(), sqlite3.OperationalError("disk full")
    hall.paper.is_broken = True

    assert hall.run(full) == [full, full]

    assert hall.paper.notes == ["begin", "save", "rollback"]


def test_a_failed_commit_is_everybodys_error_and_the_next_one_goes_on() -> None:
    hall, full = Hall(), OSError("disk full")
    hall.paper.trouble.append(full)

    assert hall.run(None) == [full, full]
    hall.other()

    assert hall.paper.notes == ["begin", "save", "commit", "begin", "commit", "safe"]


@pytest.mark.parametrize("lasting", [True, False])
def test_a_commit_waits_for_the_disk_if_one_of_its_members_must_last(lasting: bool) -> None:
    hall = Hall()
    hall.other(lasting=False)
    with ThreadPoolExecutor(1) as threads:
        with hall.shared.share(lasting=False):
            other = threads.submit(hall.other, lasting=lasting)
            until(lambda: hall.shared.waiting == 1)
        assert other.exception(10) is None

    end = ["commit", "safe"] if lasting else ["commit"]
    assert hall.paper.notes == ["begin", "commit", "begin", "save", *end]


def test_while_the_disk_is_waited_for_the_next_transaction_goes_on() -> None:
    hall, slow, let_go = Hall(), threading.Event(), threading.Event()

    def make_safe() -> None:
        slow.set()
        assert let_go.wait(10)
        raise OSError("no disk")

    hall.paper.make_safe = make_safe  # type: ignore[method-assign]
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(hall.other)
        assert slow.wait(10)
        hall.other(lasting=False)
        assert not first.done()
        let_go.set()
        assert isinstance(first.exception(10), OSError)

    assert hall.paper.notes == ["begin", "commit", "begin", "commit"]


def test_who_gives_up_waiting_leaves_nobody_uncommitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "PATIENCE_SECONDS", 0.02)
    hall = Hall()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(hall.first)
        hall.inside.wait(10)
        other = threads.submit(hall.other)
        with pytest.raises(DatabaseAwayError, match="busy"):
            other.result(10)
        hall.let_go.set()
        first.result(10)

    assert hall.paper.notes == ["begin", "commit", "safe"]


def test_closing_waits_for_who_is_inside_and_commits_what_counts_on_it() -> None:
    hall = Hall()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(hall.first)
        assert hall.inside.wait(10)
        closing = threads.submit(hall.shared.close)
        until(lambda: hall.shared.waiting == 1)
        hall.let_go.set()
        assert first.exception(10) is None
        assert closing.exception(10) is None
    with pytest.raises(DatabaseBusyError, match="closed"):
        hall.other()

    assert hall.paper.notes == ["begin", "commit", "safe", "close"]


def test_a_database_may_be_closed_while_threads_write_and_read(sqlite_url: str) -> None:
    database = open_database(sqlite_url)
    (item,) = make_items(database, make_source(database), 1)
    looking = Prepared(select(items.c.guid).where(items.c.id == bindparam("which")))

    def work_until_closed(statement: Prepared) -> None:
        with suppress(DatabaseBusyError):
            while True:
                database.run(statement, {"which": item, "new": "renamed"})

    with ThreadPoolExecutor(4) as threads:
        working = [threads.submit(work_until_closed, one) for one in (RENAMING, looking) * 2]
        until(lambda: guids(database) == {"renamed"})
        database.close()
        assert [one.exception(10) for one in working] == [None] * 4
