"""How much memory a process and all its children hold together, watched while they work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EVERY_SECONDS = 0.02
MB = 1 << 20


class Watch:
    """The most that was seen so far, in bytes."""

    def __init__(self, pid: int) -> None:
        self.peak = 0
        self._pid = pid
        self._over = threading.Event()

    def watch(self) -> None:
        while not self._over.wait(EVERY_SECONDS):
            self.peak = max(self.peak, held(self._pid))

    def end(self) -> None:
        self._over.set()


@contextmanager
def watching(pid: int) -> Iterator[Watch]:
    watch = Watch(pid)
    thread = threading.Thread(target=watch.watch, name="memory", daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.end()
        thread.join()


def held(pid: int) -> int:
    """In bytes, each page that several of them share counted once."""
    return sum(map(_proportional_bytes, family(pid)))


def family(pid: int) -> list[int]:
    """The process, its children, and theirs."""
    return [pid, *(member for child in _children(pid) for member in family(child))]


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        found += map(int, _text(children).split())
    # one that has not begun its own program yet still has all the memory of its parent
    own = _text(Path(f"/proc/{pid}/cmdline"))
    return [child for child in found if _text(Path(f"/proc/{child}/cmdline")) != own]


def _proportional_bytes(pid: int) -> int:
    summary = _text(Path(f"/proc/{pid}/smaps_rollup"))
    pss = summary.partition("\nPss:")[2].split(maxsplit=1)
    return int(pss[0]) * 1024 if pss else 0


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""  # that process or thread has ended meanwhile
