"""The child's side of the pool: takes jobs from its standard input until it ends.

Started as `python -m morningdeck.parsing.child SECONDS MEMORY_BYTES JOBS`. Standard
input is a socket that carries both ways; standard output leads nowhere, so that a
library's stray print garbles nothing. When the parent dies, the socket ends, and so
does the child; a busy one is ended by its CPU limit. Before the first job it locks itself
in (`sandbox`); each job has limits of its own below those.
"""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any

from morningdeck.errors import PermanentError
from morningdeck.parsing import sandbox, wire

Read = Callable[..., object]
"""Takes the bytes, and what is known about them by name."""

RETIRE_ABOVE_BYTES = 64 << 20
"""A child that a huge document has blown up makes room for a fresh one."""
MEMORY_SHARES = {"page": 2, "mail": 2, "picture": 2}
"""How many times the memory of other jobs these may use: they make several trees, or have many
pixels.
"""
LIBRARIES_BYTES = 192 << 20
"""What the code of all readers takes, and what earlier jobs may have left."""
LONG_JOBS = 20
"""A child that has worked as long as so many of the longest jobs makes room, too."""
TOO_LARGE = "needs more memory than a parser may use"
LIBXML2_NO_MEMORY = 2
MEMORY_FILE = "/proc/self/statm"


def serve_jobs(seconds: float, memory_bytes: int, jobs: int) -> None:
    # Whoever stops the daemon signals its whole group; running jobs are to finish.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # Nobody reads what is written there, and lxml out of memory writes 100,000 lines.
    sys.excepthook = lambda *_: None
    sys.unraisablehook = lambda _: None
    room = memory_bytes * max(MEMORY_SHARES.values())
    most_memory = _bytes_held()[0] + LIBRARIES_BYTES + room
    most_cpu = math.ceil(time.process_time() + LONG_JOBS * seconds) + 1
    sandbox.close(memory_bytes=most_memory, cpu_seconds=most_cpu)
    with socket.socket(fileno=sys.stdin.fileno()) as channel:
        for left in range(jobs - 1, -1, -1):
            held, _ = _bytes_held()
            try:
                head, body = wire.receive_frame(channel)
            except (EOFError, ConnectionError):
                return
            request = json.loads(head)
            _limit_softly(resource.RLIMIT_CPU, math.ceil(time.process_time() + seconds) + 1)
            operation = request["operation"]
            most = held + memory_bytes * MEMORY_SHARES.get(operation, 1)
            value, error = _answer(operation, body, request["arguments"], most)
            held, in_memory = _bytes_held()
            spent = time.process_time() + seconds + 1 > most_cpu or held + room > most_memory
            retiring = left == 0 or spent or in_memory > RETIRE_ABOVE_BYTES
            wire.send_frame(channel, wire.encode(wire.AnswerStatus(error, retiring)), value)
            if retiring:
                return


def _limit_softly(limit: int, until: int) -> None:
    _, most = resource.getrlimit(limit)
    resource.setrlimit(limit, (min(until, most), most))


def _imported(operation: str, most_memory: int) -> Read:
    """What reads, then held to so much memory; neither its code nor what the jobs before have
    left takes anything from the room of this job.
    """
    before, _ = _bytes_held()
    module, function = OPERATIONS[operation]
    read: Read = getattr(import_module(f"morningdeck.parsing.{module}"), function)
    after, _ = _bytes_held()
    _limit_softly(resource.RLIMIT_AS, most_memory + after - before)
    return read


def _bytes_held() -> tuple[int, int]:
    """In all, and of that in memory; nothing where the system does not tell."""
    # Not ru_maxrss: a process inherits that from the parent it was forked from.
    if _STATM is None:
        return 0, 0
    pages = os.pread(_STATM, 200, 0).split()
    return int(pages[0]) * resource.getpagesize(), int(pages[1]) * resource.getpagesize()


def _answer(
    operation: str, body: bytes, about: dict[str, Any], most_memory: int
) -> tuple[bytes, str | None]:
    try:
        read = _imported(operation, most_memory)
        return wire.encode(read(body, **about)), None
    except ImportError as error:
        # A library in a place that the sandbox does not allow: report it instead of dying.
        return b"", f"its parser cannot be loaded: {error}"
    except PermanentError as error:
        return b"", str(error)
    except MemoryError:
        return b"", TOO_LARGE
    except Exception as error:
        # Parsers fail in a thousand ways, and this process is there to take it.
        if getattr(error, "code", None) == LIBXML2_NO_MEMORY:
            return b"", TOO_LARGE
        return b"", f"could not be read, {type(error).__name__} {_origin(error)}"


def _origin(error: Exception) -> str:
    """Where it came from: what it says may be the document's own words."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"at line {line} of {os.path.basename(frame.f_code.co_filename)}"


# Each is imported when it is first asked, which keeps idle children small.
OPERATIONS = {
    "feed": ("feeds", "parse_feed"),
    "opml": ("opml", "parse_opml"),
    "mail": ("message", "parse_mail"),
    "bounce": ("bounce", "read_bounce"),
    "page": ("page", "parse_page"),
    "links": ("links", "parse_links"),
    "posts": ("reddit", "parse_posts"),
    "captions": ("captions", "caption_text"),
    "picture": ("picture", "shrink"),
}


_STATM = os.open(MEMORY_FILE, os.O_RDONLY | os.O_CLOEXEC) if os.path.exists(MEMORY_FILE) else None
"""Opened while files can be."""


if __name__ == "__main__":
    serve_jobs(float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
