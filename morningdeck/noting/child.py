"""The child's side of `NotePool`: takes notes for whoever asks, one after the other.

Started as `python -m morningdeck.noting.child TELLS CURRENT`. Standard input is a socket over which
the parent sends a line (a socket of its own) for each of its threads that asks; CURRENT is a file,
open and mapped by both, with the number of the request that is being worked at. When the parent
is gone, so is standard input, and the child ends.
"""

from __future__ import annotations

import mmap
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence

from morningdeck import memory
from morningdeck.model.making import Article, Notes
from morningdeck.noting import lines
from morningdeck.ports.verbs import Embedder, NoteTaker

MOST_CPU_SECONDS = 20.0
"""Of processor time, for one article; who takes longer is ended by the system."""
LINES_AT_ONCE = 16


def serve_callers(notes: NoteTaker, embedder: Embedder, channel: int, current: int) -> None:
    # Whoever stops the daemon signals its whole group; running work is to finish.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    parent = socket.socket(fileno=channel)
    callers = {channel: parent}
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    with mmap.mmap(current, lines.NUMBER_BYTES) as at:
        while True:
            for ready, _ in poll.poll():
                if ready == channel:
                    new = _new_lines(parent)
                    if not new:
                        return
                    for one in new:
                        callers[one.fileno()] = one
                        poll.register(one, select.POLLIN)
                elif not _answered(callers[ready], notes, embedder, at):
                    poll.unregister(ready)
                    callers.pop(ready).close()


def _new_lines(parent: socket.socket) -> list[socket.socket]:
    """None when the parent is gone."""
    said, found, *_ = socket.recv_fds(parent, LINES_AT_ONCE, LINES_AT_ONCE)
    return [socket.socket(fileno=one) for one in found] if said else []


def _answered(line: socket.socket, notes: NoteTaker, embedder: Embedder, at: mmap.mmap) -> bool:
    """False when nobody is there any more."""
    try:
        number, request = lines.hear(line)
        at[:] = lines.number_bytes(number)
        signal.setitimer(signal.ITIMER_PROF, MOST_CPU_SECONDS)
        answer = _answer(request, notes, embedder)
        signal.setitimer(signal.ITIMER_PROF, 0)
        lines.say(line, number, answer)
    except (EOFError, OSError):
        return False
    return True


def _answer(
    request: tuple[Article, str | None, bool, bool] | Sequence[str],
    notes: NoteTaker,
    embedder: Embedder,
) -> Notes | tuple[bytes, ...] | None:
    """None for what goes wrong: whoever asked does it once more, and meets its traceback."""
    try:
        match request:
            case (Article() as article, address, bool(place), bool(tell)):
                return notes.take(article, address, place=place, tell=tell)
            case texts:
                return embedder.embed(texts)
    except BaseException:  # a panic of a part written in Rust is no Exception
        return None


def _main(tells: bool, current: int) -> None:
    from morningdeck.enrichers.embedding import WordEmbedder
    from morningdeck.noting.parts import in_place

    embedder = WordEmbedder()
    embedder.embed(("to be ready",))
    memory.give_back()  # 4 MB, which reading the tokenizer has left
    serve_callers(in_place(embedder, tells=tells), embedder, sys.stdin.fileno(), current)


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _main(sys.argv[1] == "True", int(sys.argv[2]))
