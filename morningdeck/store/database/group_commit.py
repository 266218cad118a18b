"""Group commit: writers that come while a transaction is open share it, and its commit.

A commit waits for the disk, and SQLite has one writer, so the threads of an engine would
wait in line, one fsync each. Instead whoever is done leaves the transaction to the next in
line, and the last commits for all. Single statements are gathered as well: one thread runs
those of all who wait. No thread goes on before its own changes are safe on the disk, and
what fails is undone alone. PostgreSQL does this by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from morningdeck.errors import DatabaseAwayError, DatabaseBusyError
from morningdeck.store.database.prepared import Rows

PATIENCE_SECONDS = 30.0
MOST_MEMBERS = 16
"""After so many members a transaction is committed, even if more writers wait."""


class Transaction(Protocol):
    """The transaction that is shared; one thread at a time calls it."""

    def begin(self) -> None: ...

    def save(self) -> None:
        """Set the savepoint to which `undo` goes back."""

    def undo(self) -> None: ...

    def is_open(self) -> bool:
        """False after trouble upon which the database itself has undone everything."""

    def commit(self) -> None: ...

    def rollback(self) -> None: ...


@dataclass(slots=True, eq=False)
class Group:
    """The threads whose changes are committed together."""

    members: int = 0
    error: BaseException | None = None
    over: threading.Event = field(default_factory=threading.Event)


class SharedTransaction:
    """Lets one thread at a time into the transaction that is open, or into a new one."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._inside = threading.Lock()
        """Held by the thread that is inside."""
        self._group: Group | None = None
        self.waiting = 0
        self._deciding = threading.Lock()
        """Guards `waiting`, so that nobody hands over to a waiter who is giving up."""

    @contextmanager
    def share(self) -> Iterator[None]:
        """The changes made inside are safe on the disk when the block ends."""
        group = self._enter()
        try:
            yield
        except BaseException as error:
            self._fail(group, error)
            raise
        group.members += 1
        if not self._close_or_hand_over():
            group.over.wait()
        if group.error is not None:
            raise for_others(group.error)

    def _enter(self) -> Group:
        self._wait()
        try:
            if self._group is None:
                self._transaction.begin()
                self._group = Group()
            else:
                self._transaction.save()
        except BaseException:
            self._close_or_hand_over()
            raise
        return self._group

    def _wait(self) -> None:
        with self._deciding:
            self.waiting += 1
        mine = False
        try:
            mine = self._inside.acquire(timeout=PATIENCE_SECONDS)
        finally:
            with self._deciding:
                self.waiting -= 1
                late = not mine and self._inside.acquire(blocking=False)
            if late:  # somebody has counted on us
                self._close_or_hand_over()
        if not mine:
            raise DatabaseAwayError("database: a writer of this process has been busy for 30 s")

    def _fail(self, group: Group, error: BaseException) -> None:
        """Undo this member's changes alone, or all where no savepoint is left."""
        if group.members and self._transaction.is_open():
            self._transaction.undo()
            self._close_or_hand_over()
        else:
            self._end(group, error, self._transaction.rollback)

    def _close_or_hand_over(self) -> bool:
        """True when the group was committed, False when a waiting thread will commit it."""
        group = self._group
        if group is None:
            self._inside.release()
            return True
        with self._deciding:
            if self.waiting and group.members < MOST_MEMBERS:
                self._inside.release()
                return False
        self._end(group, None, self._transaction.commit)
        return True

    def _end(self, group: Group, error: BaseException | None, how: Callable[[], None]) -> None:
        group.error = error
        try:
            how()
        except BaseException as failed:
            group.error = group.error or failed
        finally:
            self._group = None
            self._inside.release()
            group.over.set()


def for_others(error: BaseException) -> BaseException:
    """Others get the same error; an interrupt is one thread's own, they get DatabaseBusyError."""
    if isinstance(error, Exception):
        return error
    return DatabaseBusyError("database: a commit was interrupted")


@dataclass(slots=True, eq=False)
class PendingWrite:
    """The statement of one caller, and what became of it."""

    sql: str
    parameters: dict[str, Any]
    rows: Rows = field(default_factory=list)
    error: BaseException | None = None
    over: bool = False
    called: threading.Lock = field(default_factory=threading.Lock)
    """Held until the caller may go on: an Event would cost more than many a statement."""

    def __post_init__(self) -> None:
        self.called.acquire()


class GatheredWrites:
    """`commit` has all that wait done in one transaction."""

    def __init__(self, commit: Callable[[Sequence[PendingWrite]], None]) -> None:
        self._commit = commit
        self._waiting: list[PendingWrite] = []
        self._led = False
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many will share the next commit."""
        return len(self._waiting)

    def run(self, sql: str, parameters: dict[str, Any]) -> Rows:
        """Safe on the disk when it returns."""
        mine = PendingWrite(sql, parameters)
        with self._lock:
            self._waiting.append(mine)
            follows, self._led = self._led, True
        if follows:
            mine.called.acquire()
        if not mine.over:
            self._lead(mine)
        if mine.error is not None:
            raise mine.error
        return mine.rows

    def _lead(self, mine: PendingWrite) -> None:
        with self._lock:
            writes, self._waiting = self._waiting, []
        try:
            self._commit(writes)
        except BaseException as error:
            for write in writes:
                write.error = write.error or (error if write is mine else for_others(error))
        finally:
            with self._lock:
                next_leader = self._waiting[0] if self._waiting else None
                self._led = next_leader is not None
            for write in writes:
                write.over = True
                write.called.release()
            if next_leader is not None:
                next_leader.called.release()
