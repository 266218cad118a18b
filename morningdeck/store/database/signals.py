"""How the processes that use one database learn that another has brought work.

PostgreSQL tells them (LISTEN and NOTIFY), a SQLite file shows that it was changed. Both may
fail to, so whoever waits for work also looks by itself, only less often.
"""

from __future__ import annotations

import os
import select
import sqlite3
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, suppress
from typing import Any

from sqlalchemy import Dialect
from sqlalchemy.engine import URL

from morningdeck.errors import MorningDeckError
from morningdeck.logs import log
from morningdeck.work import ANY

CHANNEL = "morningdeck"
UNAWAITED = "SET LOCAL synchronous_commit = off;"
"""Sent with a statement, whose commit is then on the disk by the next one that waits, or soon.
Set for the session it could stay behind in a pooler, for somebody who must wait.
"""
FILE_LOOK_SECONDS = 1.0
RECONNECT_SECONDS = 1.0
LISTENER_STOP_SECONDS = 2.0

Heard = Callable[[str], None]


class FileSignals:
    """Changes of a SQLite file by other processes. Once a second it looks whether there was any
    change; only then `by_others`, which has to wait for the writers, says whether it was ours.
    """

    def __init__(
        self,
        path: str,
        by_others: Callable[[], int],
        errors: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """`by_others` returns another number after others have committed."""
        self._path = path
        self._by_others = by_others
        self._errors = errors
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def send(self, loop: str) -> None:
        """Nothing to do: the write itself is the signal."""

    def listen(self, heard: Heard) -> None:
        with self._errors():
            own = sqlite3.connect(self._path, check_same_thread=False)
            seen = _version(own)
        before = self._by_others()
        self._thread = _thread("file-signals", lambda: self._look(own, seen, before, heard))

    def only_send(self) -> None:
        """Nothing to do either."""

    def _look(self, own: sqlite3.Connection, seen: int, before: int, heard: Heard) -> None:
        with closing(own) as connection:
            while not self._stopping.wait(FILE_LOOK_SECONDS):
                # it is in trouble, of which others tell
                with suppress(sqlite3.Error, MorningDeckError):
                    now = _version(connection)
                    if now == seen:
                        continue
                    others = self._by_others()
                    if others != before:
                        heard(ANY)
                    seen, before = now, others

    def close(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(LISTENER_STOP_SECONDS)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


class ServerSignals:
    """PostgreSQL's notifications, on one connection that both listens and sends, or only sends.

    Without either there is no connection: then `direct` sends.
    """

    def __init__(self, url: URL, dialect: Dialect, options: dict[str, Any], direct: Heard) -> None:
        self._words, self._named = dialect.create_connect_args(url)
        self._named = {**self._named, **options}
        self._driver: Any = dialect.loaded_dbapi
        self._direct = direct
        self._to_send: set[str] = set()
        self._sending = threading.Lock()
        self._stopping = threading.Event()
        self._bell: tuple[int, int] = (-1, -1)
        self._thread: threading.Thread | None = None

    @property
    def listens(self) -> bool:
        return self._thread is not None

    def send(self, loop: str) -> None:
        if self._thread is None:
            self._direct(loop)
            return
        with self._sending:
            self._to_send.add(loop)
        self._ring()

    def _ring(self) -> None:
        with suppress(BlockingIOError):  # as long as it cannot connect, nobody empties the pipe
            os.write(self._bell[1], b"!")

    def listen(self, heard: Heard) -> None:
        self._begin(heard)

    def only_send(self) -> None:
        self._begin(None)

    def _begin(self, heard: Heard | None) -> None:
        self._bell = os.pipe()
        os.set_blocking(self._bell[1], False)
        self._thread = _thread("server-signals", lambda: self._attend(heard))

    def _attend(self, heard: Heard | None) -> None:
        while not self._stopping.is_set():
            try:
                with closing(self._driver.connect(*self._words, **self._named)) as connection:
                    self._exchange(connection, heard)
            except self._driver.Error as error:
                log.debug("signals_wait", error=str(error).partition("\n")[0])
                self._stopping.wait(RECONNECT_SECONDS)

    def _exchange(self, connection: Any, heard: Heard | None) -> None:
        connection.autocommit = True
        cursor = connection.cursor()
        if heard is not None:
            cursor.execute(f"LISTEN {CHANNEL}")
            heard(ANY)  # what was told before
        while not self._stopping.is_set():
            ready, _, _ = select.select([connection, self._bell[0]], [], [])
            if self._bell[0] in ready:
                os.read(self._bell[0], 4096)
                self._send_all(cursor)
            connection.poll()
            while connection.notifies:
                told = connection.notifies.pop(0)
                if heard is not None and told.pid != connection.info.backend_pid:
                    heard(told.payload)

    def _send_all(self, cursor: Any) -> None:
        with self._sending:
            loops, self._to_send = self._to_send, set()
        if loops:  # no signal has to survive the server
            tell = f"{UNAWAITED}SELECT pg_notify(%s, loop) FROM unnest(%s) AS loop"
            cursor.execute(tell, (CHANNEL, sorted(loops)))

    def close(self) -> None:
        """The pipe stays open: a late `send` must not write to a file that took its number."""
        self._stopping.set()
        if self._thread is not None:
            self._ring()
            self._thread.join(LISTENER_STOP_SECONDS)


def _thread(name: str, loop: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            loop()
        except BaseException:
            log.exception("signals_bug", thread=name)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread
