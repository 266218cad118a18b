"""A child process that takes notes, so that a second processor works while this one's threads
read and write rows: Python has one lock for each process.

    thread --line--> child         each thread that asks has a line of its own; the child
    thread --line-->               serves them in turn, and waits for none of them

A child may die at any time. Whoever waited asks the next one; an article that two of them die
of is to blame, and its job fails. Where none can be started, all is done in this process, as is
what too many wait for.
"""

from __future__ import annotations

import mmap
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from morningdeck import memory
from morningdeck.errors import TransientError
from morningdeck.logs import log
from morningdeck.model.making import Article, Notes
from morningdeck.noting import lines
from morningdeck.ports.verbs import Embedder, NoteTaker

CHILD_PROGRAM = "morningdeck.noting.child"
LONGEST_NOTED = 20_000
"""Characters; nobody who takes notes reads more."""
MOST_CHILDREN = 5
"""That may die while somebody waits for one answer."""
MOST_DEATHS = 2
"""Of children that were at work on one article."""
MOST_WAITING = 16
"""Where more wait for the child, as with a hundred workers on a busy machine, each does it here."""
UNHEARD_SECONDS = 120
"""A child that says nothing for so long is ended; others are asked before it, each with a limit."""


class NoteChild:
    """A running note-taker, for any number of threads."""

    def __init__(self, program: str, *, tells: bool) -> None:
        self._lock = threading.Lock()
        self._idle: deque[socket.socket] = deque()
        self._asking = 0
        self._used_at = time.monotonic()
        self._at: bytes | None = None
        """What it was working at when it ended."""
        with tempfile.TemporaryFile() as current:
            # not truncated to its size: who touches a page that a full disk has no room for dies
            current.write(bytes(lines.NUMBER_BYTES))
            current.flush()
            self._control, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", program, str(tells), str(current.fileno())],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=[current.fileno()],
                    cwd="/",  # where we were started, anybody may have put a module
                    # Nothing of ours but the way to the code: no keys, no passwords.
                    env={
                        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                        **memory.FOR_CHILDREN,
                    },
                )
            self._current = mmap.mmap(current.fileno(), lines.NUMBER_BYTES)

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, number: int, request: object) -> Any:
        """EOFError or OSError when it has died, or has to: see `was_at`."""
        with self._lock:
            self._asking += 1
            line = self._idle.pop() if self._idle else None
        try:
            line = line or self._new_line()
            lines.say(line, number, request)
            _, answer = lines.hear(line)
        except BaseException:
            self._used(line, fit=False)
            raise
        self._used(line, fit=True)
        return answer

    def _new_line(self) -> socket.socket:
        mine, theirs = socket.socketpair()
        try:
            # not a timeout of Python's, which would ask the kernel twice for each answer
            patience = struct.pack("ll", UNHEARD_SECONDS, 0)
            mine.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, patience)
            with theirs, self._lock:
                socket.send_fds(self._control, [b"+"], [theirs.fileno()])
        except BaseException:
            mine.close()
            raise
        return mine

    def _used(self, line: socket.socket | None, *, fit: bool) -> None:
        with self._lock:
            self._asking -= 1
            self._used_at = time.monotonic()
            if line is not None and fit and self._at is None:
                self._idle.append(line)
            elif line is not None:
                line.close()

    def was_at(self, number: int) -> bool:
        """Whether it died, or was ended now, at work on that request."""
        self.end()
        return self._at == lines.number_bytes(number)

    @property
    def asking(self) -> int:
        """How many wait for an answer."""
        return self._asking

    def is_idle_since(self, moment: float) -> bool:
        with self._lock:
            return not self._asking and self._used_at <= moment

    def end(self) -> None:
        """At once, from any thread."""
        self._process.kill()
        self._process.wait()
        with self._lock:
            if self._at is None:
                self._at = self._current[:]
                self._current.close()
                for one in (self._control, *self._idle):
                    one.close()


class NotePool:
    """The ports `NoteTaker` and `Embedder`, safe for any number of threads."""

    def __init__(
        self,
        in_place: Callable[[], NoteTaker],
        embedder: Callable[[], Embedder],
        *,
        tells: bool,
        program: str = CHILD_PROGRAM,
    ) -> None:
        """What this process can do itself is made where no child can do it."""
        self._in_place = in_place
        self._embedder = embedder
        self._tells = tells
        self._program = program
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._child: NoteChild | None = None
        self._closed = False

    def take(self, article: Article, address: str | None, *, place: bool, tell: bool) -> Notes:
        short = replace(article, text=article.text[:LONGEST_NOTED])
        found: Notes | None = self._ask((short, address, place, tell))
        return found or self._in_place().take(article, address, place=place, tell=tell)

    def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        found: tuple[bytes, ...] | None = self._ask(list(texts)) if texts else ()
        return self._embedder().embed(texts) if found is None else found

    def _ask(self, request: object) -> Any:
        """None where no child has an answer."""
        deaths = 0
        for _ in range(MOST_CHILDREN):
            try:
                child = self._living()
            except OSError as error:
                log.warning("note_taker_not_started", error=str(error))
                return None
            if child.asking >= MOST_WAITING:
                return None
            number = next(self._numbers)
            try:
                return child.ask(number, request)
            except (EOFError, OSError):
                deaths += self._buried(child, number)
            if deaths == MOST_DEATHS:
                raise TransientError(f"its text has ended {MOST_DEATHS} processes that read it")
        log.warning("note_takers_die", count=MOST_CHILDREN)
        return None

    def _living(self) -> NoteChild:
        with self._lock:
            if self._closed:
                raise TransientError("the note-taker is shut down")
            if self._child is None:
                self._child = NoteChild(self._program, tells=self._tells)
            return self._child

    def _buried(self, child: NoteChild, number: int) -> bool:
        """Whether that request was its end."""
        with self._lock:
            if self._child is child:
                self._child = None
        return child.was_at(number)

    @property
    def asking(self) -> int:
        """How many wait for the child."""
        with self._lock:
            return self._child.asking if self._child else 0

    @property
    def pid(self) -> int | None:
        """Of the child that is there."""
        with self._lock:
            return self._child.pid if self._child else None

    def end_idle(self, seconds: float) -> None:
        """End a child that nobody asked for so long; a new one starts in half a second."""
        with self._lock:
            child = self._child
            if child is not None and child.is_idle_since(time.monotonic() - seconds):
                child.end()
                self._child = None

    def close(self) -> None:
        """At once; what is being asked fails with a TransientError."""
        with self._lock:
            self._closed = True
            if self._child is not None:
                self._child.end()
