"""What a piece of work costs: time, processor and memory of all processes that have a part in it.

A program that runs for this work only is counted when it was waited for, what lives on by
the difference in /proc. Memory is PSS: what several processes share counts once.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Self

PROC = Path("/proc")
EVERY_SECONDS = 0.05
RESTED_SECONDS = 2.0
SHARE = 10
"""Looking at memory walks through it: at most one part in so many of the time goes there."""

Pids = Callable[[], Collection[int]]
"""Who works at this moment, without the children; never our own process."""


@dataclass(frozen=True, slots=True)
class Cost:
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int
    own_cpu_seconds: float = 0.0
    """Without the children of those who work: what goes through their own interpreters."""


def measure(work: Callable[[], object], pids: Pids) -> Cost:
    """Nobody else may wait for a child of this process meanwhile."""
    peak = Peak(pids)
    spent, own = _spent(pids()), _own(pids())
    began = time.perf_counter()
    with peak:
        work()
        taken = time.perf_counter() - began
    return Cost(taken, _spent(pids()) - spent, peak.bytes, _own(pids()) - own)


class Peak:
    """The most memory that was seen while it was entered, in two looks one after the other: until a
    new child runs its own program, all that its parent has is counted twice.
    """

    def __init__(self, pids: Pids) -> None:
        self.bytes = 0
        self._pids = pids
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        pause, peak, before = EVERY_SECONDS, 0, 0
        while not self._over.wait(pause):
            began = time.perf_counter()
            held = sum(map(_pss, tree(self._pids())))
            peak = max(peak, min(before, held))
            self.bytes, before = peak or held, held  # a single look is better than none
            pause = max(EVERY_SECONDS, SHARE * (time.perf_counter() - began))


def tree(pids: Collection[int]) -> Iterator[int]:
    """These processes and all below them."""
    for pid in pids:
        yield pid
        yield from tree(_children(pid))


def _children(pid: int) -> list[int]:
    tasks = PROC / str(pid) / "task"
    try:
        names = os.listdir(tasks)
    except FileNotFoundError:
        return []
    return [int(child) for name in names for child in _read(tasks / name / "children").split()]


def until_it_rests(pid: int, limit_seconds: float) -> None:
    """Until it takes less than a twentieth of a processor, with its children."""
    deadline = time.monotonic() + limit_seconds
    while time.monotonic() < deadline:
        before = _spent((pid,))
        time.sleep(RESTED_SECONDS)
        if _spent((pid,)) - before < RESTED_SECONDS / 20:
            return
    raise TimeoutError(f"process {pid} is still busy")


def _spent(pids: Collection[int]) -> float:
    """Seconds of all that ended and of all that live, with whom they waited for."""
    ended = getrusage(RUSAGE_CHILDREN)
    ticks = sum(map(_ticks, tree(pids)))
    return ended.ru_utime + ended.ru_stime + ticks / os.sysconf("SC_CLK_TCK")


def cpu_seconds(pids: Collection[int]) -> float:
    """Of these and all below them, those that have ended included."""
    return sum(map(_ticks, tree(pids))) / os.sysconf("SC_CLK_TCK")


def _own(pids: Collection[int]) -> float:
    """Seconds of these alone, as long as they live."""
    return sum(sum(_times(pid)[:2]) for pid in pids) / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    return sum(_times(pid))


def _times(pid: int) -> list[int]:
    """User, system, and both of the children that were waited for."""
    fields = _read(PROC / str(pid) / "stat").rpartition(")")[2].split()
    return list(map(int, fields[11:15]))


def _pss(pid: int) -> int:
    for line in _read(PROC / str(pid) / "smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _read(file: Path) -> str:
    """Nothing when the process has just gone."""
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
