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

    def make_safe(self) -> None:
        """Wait until the disk has what was committed; the next transaction may be open."""

    def close(self) -> None: ...


@dataclass(slots=True, eq=False)
class Group:
    """The threads whose changes are committed together."""

    members: int = 0
    lasting: bool = False
    error: BaseException | None = None
    over: threading.Event = field(default_factory=threading.Event)


class SharedTransaction:
    """Lets one thread at a time into the transaction that is open, or into a new one."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._inside = threading.Lock()
        """Held by the thread that is inside."""
        self._group: Group | None = None
        self._closed = False
        self.waiting = 0
        self._deciding = threading.Lock()
        """Guards `waiting`, so that nobody hands over to a waiter who is giving up."""

    @contextmanager
    def share(self, *, lasting: bool = True) -> Iterator[None]:
        """The changes made inside are committed when the block ends, and safe on the disk."""
        group = self._enter()
        group.lasting |= lasting
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
            if self._closed:
                raise DatabaseBusyError("database: closed")
            if self._group is None:
                self._transaction.begin()
                self._group = Group()
            else:
                self._transaction.save()
        except BaseException:
            self._close_or_hand_over()
            raise
        return self._group

    def close(self) -> None:
        """Once nobody is inside: SQLite crashes if its connection is closed while it works."""
        self._closed = True
        self._wait()
        while self._group is not None:
            self._end(self._group, None, self._transaction.commit)
            self._wait()
        try:
            self._transaction.close()
        finally:
            self._inside.release()

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
            if group.lasting and group.error is None:
                self._make_safe(group)
            group.over.set()

    def _make_safe(self, group: Group) -> None:
        try:
            self._transaction.make_safe()
        except BaseException as failed:
            group.error = failed


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
    lasting: bool = True
    rows: Rows = field(default_factory=list)
    error: BaseException | None = None
    committed: bool = False
    unsafe: Sequence[PendingWrite] = ()
    """For one of those that were committed together: for whom it waits for the disk."""
    called: threading.Lock = field(default_factory=threading.Lock)
    """Held until the caller may go on: an Event would cost more than many a statement."""

    def __post_init__(self) -> None:
        self.called.acquire()

    def wait(self) -> BaseException | None:
        """An interrupt is kept for later: others may count on this caller. A second one is not."""
        try:
            self.called.acquire()
        except BaseException as interrupt:
            self.called.acquire()
            return interrupt
        return None


class GatheredWrites:
    """`commit` has all that wait done in one transaction, `make_safe` waits for the disk.

    While one thread waits for the disk the next transaction goes on, and who need not last is
    not kept from it.
    """

    def __init__(
        self, commit: Callable[[Sequence[PendingWrite]], None], make_safe: Callable[[], None]
    ) -> None:
        self._commit = commit
        self._make_safe = make_safe
        self._waiting: list[PendingWrite] = []
        self._led = False
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many will share the next commit."""
        return len(self._waiting)

    def run(self, sql: str, parameters: dict[str, Any], *, lasting: bool = True) -> Rows:
        """Committed when it returns, and safe on the disk if it is to last."""
        mine = PendingWrite(sql, parameters, lasting)
        with self._lock:
            self._waiting.append(mine)
            follows, self._led = self._led, True
        interrupt = mine.wait() if follows else None
        if not mine.committed:
            self._lead(mine)
        if mine.unsafe:
            self._wait_for_disk(mine)
        if error := interrupt or mine.error:
            raise error
        return mine.rows

    def _lead(self, mine: PendingWrite) -> None:
        with self._lock:
            writes, self._waiting = self._waiting, []
        try:
            self._commit(writes)
        except BaseException as error:
            _fail(writes, error, mine)
        finally:
            with self._lock:
                next_leader = self._waiting[0] if self._waiting else None
                self._led = next_leader is not None
            if next_leader is not None:
                next_leader.called.release()
            for write in writes:
                write.committed = True
            self._let_go(writes, mine)

    def _let_go(self, writes: Sequence[PendingWrite], mine: PendingWrite) -> None:
        """Those that must last wait for one of them, who waits for the disk."""
        unsafe = [write for write in writes if write.lasting and write.error is None]
        if unsafe:
            first = mine if mine in unsafe else unsafe[0]
            first.unsafe = unsafe
        for write in writes:
            if write not in unsafe or write.unsafe:
                write.called.release()

    def _wait_for_disk(self, mine: PendingWrite) -> None:
        try:
            self._make_safe()
        except BaseException as error:
            _fail(mine.unsafe, error, mine)
        finally:
            for write in mine.unsafe:
                if write is not mine:
                    write.called.release()


def _fail(writes: Sequence[PendingWrite], error: BaseException, mine: PendingWrite) -> None:
    for write in writes:
        write.error = write.error or (error if write is mine else for_others(error))
