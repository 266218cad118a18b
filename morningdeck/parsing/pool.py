"""Warm child processes that parse what strangers wrote.

    thread --request--> child --JSON--> thread        one job at a time per child
                          |
                          +-- over its time, over its memory, dead: killed, replaced

A parser holds the interpreter lock, loops, or eats all memory on the right bytes; in a
child it can only hurt itself. Children start when they are first needed, and whoever runs for
long has those ended that nothing was asked of for a while.
"""

from __future__ import annotations

import compileall
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import TypeVar
from urllib.parse import urlsplit

from morningdeck import memory
from morningdeck.errors import PermanentError, TransientError
from morningdeck.model.pictures import Picture
from morningdeck.model.reading import (
    Bounce,
    ChosenStory,
    Entry,
    LinkPage,
    ListedFeed,
    ParsedFeed,
    ParsedMail,
    ParsedPage,
)
from morningdeck.parsing import wire

OpmlFeeds = tuple[ListedFeed, ...]

T = TypeVar("T")


class Overrun(Exception):
    """The job took longer than a job may."""


class Crash(Exception):
    """The child died, or answered with nonsense."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use: seconds and memory per job, jobs in its life."""

    seconds: float
    memory_bytes: int
    jobs: int


class Child:
    """A running `morningdeck.parsing.child`, for one thread at a time.

    It ends when its socket does, hence with its parent. (PDEATHSIG would end it together
    with the thread that happened to start it.)
    """

    def __init__(self, limits: Limits) -> None:
        _compile()
        self._seconds = limits.seconds
        self.retiring = False
        self.free_since = time.monotonic()
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "morningdeck.parsing.child"),
                    *map(str, (limits.seconds, limits.memory_bytes, limits.jobs)),
                ],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                # Nothing of ours but the way to the code: no keys, no passwords.
                env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **memory.FOR_CHILDREN},
            )

    def ask(self, request: bytes, body: bytes, kind: type[T]) -> tuple[str | None, T | None]:
        """What was wrong with the bytes, or what they say; after an exception, close the child."""
        deadline = time.monotonic() + self._seconds
        try:
            self._channel.settimeout(self._seconds)
            wire.send_frame(self._channel, request, body)
            head, value = wire.receive_frame(self._channel, deadline)
            status = wire.decode(wire.AnswerStatus, head)
            self.retiring = status.retiring
            self.free_since = time.monotonic()
            return status.error, wire.decode(kind, value) if status.error is None else None
        except TimeoutError as error:
            raise Overrun from error
        except (EOFError, OSError, ValueError, RecursionError) as error:
            self.kill()
            if self._process.returncode == -signal.SIGXCPU:
                raise Overrun from error
            raise Crash(f"ended with {self._process.returncode}") from error

    def kill(self) -> None:
        """End the process at once, from any thread."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        self.kill()
        self._channel.close()


@cache
def _compile() -> None:
    """Children may write nothing, so they cannot keep what they have compiled."""
    compileall.compile_dir(os.path.dirname(__file__), quiet=2)


class ParserPool:
    """The port `Parser`, safe for any number of threads; `workers` of them are served at once."""

    def __init__(
        self,
        workers: int = 2,
        *,
        seconds: float = 20.0,
        memory_bytes: int = 96 << 20,
        jobs_per_child: int = 2000,
    ) -> None:
        self._limits = Limits(seconds, memory_bytes, jobs_per_child)
        self._lock = threading.Lock()
        self._children: set[Child] = set()
        self._closed = False
        # Last in, first out: while one child suffices, the second is not even started.
        self._free: queue.LifoQueue[Child | None] = queue.LifoQueue()
        for _ in range(workers):
            self._free.put(None)

    def feed(self, body: bytes, *, url: str, content_type: str | None) -> ParsedFeed:
        return self._read(ParsedFeed, "feed", body, url, content_type)

    def page(self, body: bytes, *, url: str, content_type: str | None) -> ParsedPage:
        return self._read(ParsedPage, "page", body, url, content_type)

    def links(self, body: bytes, *, url: str, content_type: str | None) -> LinkPage:
        return self._read(LinkPage, "links", body, url, content_type)

    def posts(self, body: bytes, *, url: str, content_type: str | None) -> tuple[Entry, ...]:
        return self._read(wire.Entries, "posts", body, url, content_type)

    def captions(self, body: bytes, *, url: str, content_type: str | None) -> str:
        return self._ask(str, _host(url), "captions", body, {"content_type": content_type})

    def opml(self, body: bytes) -> OpmlFeeds:
        return self._ask(OpmlFeeds, "OPML", "opml", body, {})

    def mail(self, body: bytes, chosen: Sequence[ChosenStory] = ()) -> ParsedMail:
        numbers = [(one.title, one.last, one.link) for one in chosen]
        return self._ask(ParsedMail, "mail", "mail", body, {"chosen": numbers} if numbers else {})

    def bounce(self, body: bytes) -> Bounce:
        return self._ask(Bounce, "mail", "bounce", body, {})

    def picture(self, body: bytes) -> Picture:
        """Small enough for a mail."""
        return self._ask(Picture, "picture", "picture", body, {})

    def end_idle(self, seconds: float) -> None:
        """End those that had nothing to do for so long; a new one starts in half a second."""
        now = time.monotonic()
        for child in reversed(self._idle()):
            if child is not None and now - child.free_since >= seconds:
                self._end(child)
                self._free.put(None)
            else:
                self._free.put(child)

    def close(self) -> None:
        """End all children at once; a job that still runs fails with a TransientError."""
        with self._lock:
            self._closed = True
            for child in self._children:
                child.kill()
        for idle in self._idle():
            if idle is not None:
                self._end(idle)
            self._free.put(None)

    def _read(
        self, kind: type[T], operation: str, body: bytes, url: str, content_type: str | None
    ) -> T:
        arguments = {"url": url, "content_type": content_type}
        return self._ask(kind, _host(url), operation, body, arguments)

    def _ask(
        self,
        kind: type[T],
        what: str,
        operation: str,
        body: bytes,
        arguments: Mapping[str, object],
    ) -> T:
        request = json.dumps({"operation": operation, "arguments": arguments}).encode()
        try:
            try:
                return self._answer(kind, what, request, body)
            except Crash:
                # It may have been the last job's doing, or an operator's: a fresh child knows.
                return self._answer(kind, what, request, body)
        except Overrun as error:
            raise PermanentError(f"{what}: took too long to parse") from error
        except Crash as error:
            raise PermanentError(f"{what}: crashed the parser twice ({error})") from error

    def _answer(self, kind: type[T], what: str, request: bytes, body: bytes) -> T:
        with self._child() as child:
            error, value = child.ask(request, body, kind)
        if value is None:
            raise PermanentError(f"{what}: {error}")
        return value

    @contextmanager
    def _child(self) -> Iterator[Child]:
        """A child for one job, as soon as one is free; one that failed is never used again."""
        child = self._free.get()
        try:
            if child is None:
                child = self._spawn()
            yield child
        except BaseException:
            if child is not None:
                self._end(child)
                child = None
            raise
        finally:
            if child is not None and child.retiring:
                self._end(child)
                child = None
            self._free.put(child)

    def _spawn(self) -> Child:
        with self._lock:
            if self._closed:
                raise TransientError("the parsers are shut down")
            child = Child(self._limits)
            self._children.add(child)
            return child

    def _idle(self) -> tuple[Child | None, ...]:
        free: list[Child | None] = []
        with suppress(queue.Empty):
            while True:
                free.append(self._free.get_nowait())
        return tuple(free)

    def _end(self, child: Child) -> None:
        child.close()
        with self._lock:
            self._children.discard(child)


def _host(url: str) -> str:
    """As errors name it: without its port."""
    return urlsplit(url).hostname or "the document"
