"""Rounds of several works, one after the other, so that all share the machine's moods."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

Round = Callable[[], float]
"""Does the work once; returns what was measured."""


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def medians(rounds: int, *works: Round) -> tuple[float, ...]:
    """The median of each work, their rounds interleaved."""
    measured = [[work() for work in works] for _ in range(rounds)]
    return tuple(median(column) for column in zip(*measured, strict=True))


def percentile(values: Sequence[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
