"""Group commit: what comes while one commit is under way shares the next one.

A commit waits for the disk, and SQLite has one writer, so the threads of an engine would
wait in line, one fsync each. Instead, the first in line takes along all who stand behind
it. No thread goes on before its own statement is safe on the disk. PostgreSQL does this
by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Turn:
    """What one caller wants done, and what became of it."""

    work: Callable[[Connection], Any]
    result: Any = None
    error: BaseException | None = None
    over: bool = False
    called: threading.Lock = field(default_factory=threading.Lock)
    """Held until whoever waits may go on: an Event would cost more than many a statement."""

    def __post_init__(self) -> None:
        self.called.acquire()

    def take(self, connection: Connection) -> None:
        self.result = self.work(connection)

    def take_alone(self, connection: Connection) -> None:
        try:
            with connection.begin():
                self.take(connection)
        except BaseException as error:  # raised again where it was asked for
            self.error = error


class Together:
    """`commit` has all turns taken in one transaction."""

    def __init__(self, commit: Callable[[Sequence[Turn]], None]) -> None:
        self._commit = commit
        self._waiting: list[Turn] = []
        self._led = False
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many will share the next commit."""
        return len(self._waiting)

    def run(self, work: Callable[[Connection], T]) -> T:
        """Safe on the disk when it returns. It may be done twice: what failed along with
        others is done again by itself.
        """
        turn = Turn(work)
        with self._lock:
            self._waiting.append(turn)
            follows, self._led = self._led, True
        if follows:
            turn.called.acquire()
        if not turn.over:
            self._lead()
        if turn.error is not None:
            raise turn.error
        result: T = turn.result
        return result

    def _lead(self) -> None:
        with self._lock:
            turns, self._waiting = self._waiting, []
        try:
            self._commit(turns)
        except BaseException as error:
            for turn in turns:
                turn.error = error
        finally:
            with self._lock:
                next_leader = self._waiting[0] if self._waiting else None
                self._led = next_leader is not None
            for turn in turns:
                turn.over = True
                turn.called.release()
            if next_leader is not None:
                next_leader.called.release()
