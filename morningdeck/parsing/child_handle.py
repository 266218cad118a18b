"""One child process as its parent sees it: asked, waited for with a deadline, killed."""

from __future__ import annotations

import compileall
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from morningdeck import memory
from morningdeck.parsing import wire

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

    @property
    def pid(self) -> int:
        return self._process.pid

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
